//! Two soft notes, made on the spot.

use leptos::wasm_bindgen::JsValue;
use std::cell::RefCell;
use web_sys::{AudioContext, GainNode};

const NOTES: [(f32, f64); 2] = [(660.0, 0.0), (880.0, 0.12)];
/// Seconds that a note takes to fade away.
const FADES: f64 = 0.35;
/// Full volume is still quiet.
const LOUDEST: f32 = 0.25;

thread_local! {
    /// Made when the first sound is wanted.
    static CONTEXT: RefCell<Option<AudioContext>> = RefCell::default();
}

/// A browser that has not been touched yet plays nothing: that is its rule, and no error.
pub fn play(volume: f32) {
    CONTEXT.with_borrow_mut(|context| {
        if context.is_none() {
            *context = AudioContext::new().ok();
        }
        if let Some(context) = context {
            let _ = notes(context, volume);
        }
    });
}

fn notes(context: &AudioContext, volume: f32) -> Result<(), JsValue> {
    let _ = context.resume();
    for (pitch, after) in NOTES {
        let begins = context.current_time() + after;
        let note = context.create_oscillator()?;
        let gain: GainNode = context.create_gain()?;
        note.frequency().set_value(pitch);
        gain.gain()
            .set_value_at_time(volume.clamp(0.01, 1.0) * LOUDEST, begins)?;
        gain.gain()
            .exponential_ramp_to_value_at_time(0.0001, begins + FADES)?;
        note.connect_with_audio_node(&gain)?;
        gain.connect_with_audio_node(&context.destination())?;
        note.start_with_when(begins)?;
        note.stop_with_when(begins + FADES)?;
    }
    Ok(())
}
