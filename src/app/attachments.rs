//! Files a person is about to send: chosen, pasted or dropped, checked before anything is sent, kept until the server
//! has them. Those of a session stay with it while this tab lives; they are too large for the browser's storage.

mod reading;
mod tray;

pub use tray::{AttachButton, AttachedFiles, DropPlace};

use crate::model::attachment::plain_name;
use crate::model::{Attachment, AttachmentId, AttachmentLimits, NewAttachment, SessionId};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[derive(Clone, PartialEq)]
pub struct Chosen {
    pub key: u64,
    pub name: String,
    pub bytes: usize,
    pub media_type: String,
    /// `data:…;base64,…`: the picture to show, and what is sent. Of one that was sent before, where it is kept.
    pub address: String,
    pub kept: Option<AttachmentId>,
}

impl Chosen {
    pub fn is_image(&self) -> bool {
        self.media_type.starts_with("image/")
    }

    fn outgoing(&self) -> NewAttachment {
        let data = self.address.split_once(',').map_or("", |(_, data)| data);
        NewAttachment {
            name: self.name.clone(),
            media_type: self.media_type.clone(),
            data: data.to_owned(),
            kept: self.kept,
        }
    }
}

/// The files of one message that is being written.
#[derive(Clone, Default)]
pub struct Tray {
    files: ArcRwSignal<Vec<Chosen>>,
    /// How many are still being read.
    reading: ArcRwSignal<usize>,
    refusal: ArcRwSignal<Option<String>>,
}

/// Never one that was given before: a message is told from another by the keys of its files.
fn new_key() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Relaxed)
}

impl Tray {
    /// A message was taken back: its files are to be sent with the next one.
    pub fn give_back(&self, known: &[Attachment]) {
        self.files.update(|files| {
            for file in known {
                files.push(Chosen {
                    key: new_key(),
                    name: file.name.clone(),
                    bytes: file.bytes,
                    media_type: file.media_type.word().to_owned(),
                    address: file.address(),
                    kept: Some(file.id),
                });
            }
        });
    }
}

/// The trays of all sessions of this tab.
#[derive(Clone, Copy, Default)]
pub struct Trays(StoredValue<HashMap<SessionId, Tray>>);

impl Trays {
    pub fn of(self, session_id: SessionId) -> Tray {
        self.0
            .try_update_value(|trays| trays.entry(session_id).or_default().clone())
            .unwrap_or_default()
    }
}

/// A handle to a tray, for the component that shows it.
#[derive(Clone, Copy)]
pub struct Attachments {
    files: RwSignal<Vec<Chosen>>,
    reading: RwSignal<usize>,
    refusal: RwSignal<Option<String>>,
    limits: AttachmentLimits,
}

impl Attachments {
    pub fn new(tray: Tray, limits: AttachmentLimits) -> Self {
        Self {
            files: tray.files.into(),
            reading: tray.reading.into(),
            refusal: tray.refusal.into(),
            limits,
        }
    }

    pub fn is_empty(self) -> bool {
        self.files.read().is_empty()
    }

    pub fn names(self) -> String {
        let files = self.files.read();
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        names.join(", ")
    }

    /// The page that had these was left by a reload, and they with it.
    pub fn were_lost(self, names: &str) {
        self.refusal.set(Some(format!(
            "The page was loaded anew, and what you had attached is no longer there: {names}. Attach it again."
        )));
    }

    pub fn is_reading(self) -> bool {
        self.reading.get() > 0
    }

    /// What would be sent now, and the keys to forget it by.
    pub fn outgoing(self) -> (Vec<NewAttachment>, Vec<u64>) {
        let files = self.files.get_untracked();
        files.iter().map(|file| (file.outgoing(), file.key)).unzip()
    }

    pub fn forget(self, keys: &[u64]) {
        let _ = self
            .files
            .try_update(|files| files.retain(|file| !keys.contains(&file.key)));
        let _ = self.refusal.try_set(None);
    }

    /// They were to be sent from here, and are to be sent from there.
    pub fn hand_over(self, keys: &[u64], to: &Tray) {
        let files = self.files.try_get_untracked().unwrap_or_default();
        let handed = files.into_iter().filter(|file| keys.contains(&file.key));
        to.files.update(|files| files.extend(handed));
    }

    /// Takes files one by one; one that cannot go with the message is named, and the others stay.
    pub fn add(self, files: Vec<web_sys::File>) {
        self.refusal.set(None);
        let mut known: Vec<(String, usize)> = self
            .files
            .read_untracked()
            .iter()
            .map(|file| (file.name.clone(), file.bytes))
            .collect();
        for file in files {
            let name = plain_name(&file.name());
            known.push((name.clone(), file.size() as usize));
            let sizes = known.iter().map(|(name, bytes)| (name.as_str(), *bytes));
            match self.limits.check(sizes) {
                Ok(()) => self.read(file, name),
                Err(words) => {
                    known.pop();
                    self.refusal.set(Some(words));
                }
            }
        }
    }

    fn read(self, file: web_sys::File, name: String) {
        self.reading.update(|count| *count += 1);
        spawn_local(async move {
            let read = reading::address_of(&file).await;
            let _ = self.reading.try_update(|count| *count -= 1);
            match read {
                Some(address) => {
                    let _ = self.files.try_update(|files| {
                        files.push(Chosen {
                            key: new_key(),
                            name,
                            bytes: file.size() as usize,
                            media_type: file.type_(),
                            address,
                            kept: None,
                        });
                    });
                }
                None => {
                    let words = format!(
                        "\"{name}\" could not be read. Is it still there? Attach it again."
                    );
                    let _ = self.refusal.try_set(Some(words));
                }
            }
        });
    }
}
