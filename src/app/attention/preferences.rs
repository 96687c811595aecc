//! How the person wants to be called, in this browser: nothing but the icon's mark, unless they say so.

use super::sound;
use leptos::prelude::*;

const REMEMBERED_AS: &str = "countersign-attention";
const VOLUME: u8 = 40;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    pub sound: bool,
    /// Percent.
    pub volume: u8,
    pub notifications: bool,
}

impl Default for Chosen {
    fn default() -> Self {
        Self {
            sound: false,
            volume: VOLUME,
            notifications: false,
        }
    }
}

impl Chosen {
    /// "sound=on volume=40 notifications=off"
    fn written(self) -> String {
        let word = |on: bool| if on { "on" } else { "off" };
        format!(
            "sound={} volume={} notifications={}",
            word(self.sound),
            self.volume,
            word(self.notifications)
        )
    }

    fn read(text: &str) -> Self {
        let mut chosen = Self::default();
        for (name, value) in text.split(' ').filter_map(|part| part.split_once('=')) {
            match name {
                "sound" => chosen.sound = value == "on",
                "volume" => {
                    chosen.volume = value.parse().map_or(VOLUME, |volume: u8| volume.min(100))
                }
                "notifications" => chosen.notifications = value == "on",
                _ => {}
            }
        }
        chosen
    }
}

#[derive(Clone, Copy)]
pub struct Preferences {
    chosen: RwSignal<Chosen>,
}

impl Preferences {
    pub fn of_this_browser() -> Self {
        let preferences = Self {
            chosen: RwSignal::new(Chosen::default()),
        };
        // after hydration, so that the first picture is the same on both sides; another tab may have changed it
        Effect::new(move |_| preferences.look());
        preferences
    }

    pub fn chosen(self) -> Chosen {
        self.chosen.get()
    }

    pub fn choose(self, change: impl FnOnce(&mut Chosen)) {
        self.look();
        self.chosen.update(change);
        if let Some(storage) = storage() {
            let _ = storage.set_item(REMEMBERED_AS, &self.chosen.get_untracked().written());
        }
    }

    pub fn wants_anything(self) -> bool {
        self.look();
        let chosen = self.chosen.get_untracked();
        chosen.sound || chosen.notifications
    }

    pub fn notifies(self) -> bool {
        self.chosen.get_untracked().notifications
    }

    /// If a sound is wanted.
    pub fn ring(self) {
        let chosen = self.chosen.get_untracked();
        if !chosen.sound {
            return;
        }
        sound::play(f32::from(chosen.volume) / 100.0);
    }

    fn look(self) {
        let kept = storage().and_then(|storage| storage.get_item(REMEMBERED_AS).ok().flatten());
        if let Some(kept) = kept.as_deref().map(Chosen::read)
            && kept != self.chosen.get_untracked()
        {
            self.chosen.set(kept);
        }
    }
}

/// Absent where the browser forbids it; then the choice lasts as long as the page.
fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_read_back_and_nonsense_is_silence() {
        let chosen = Chosen {
            sound: true,
            volume: 70,
            notifications: true,
        };
        assert_eq!(Chosen::read(&chosen.written()), chosen);
        assert_eq!(
            Chosen::read("volume=300 sound=perhaps x"),
            Chosen::default()
        );
        assert_eq!(Chosen::read("volume=101").volume, 100);
        assert!(!Chosen::default().sound && !Chosen::default().notifications);
    }
}
