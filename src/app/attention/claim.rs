//! What the tabs of this browser agree upon, by locks that end with their tab: which one speaks for a request, and whether
//! any of them is looked at.

use crate::model::RequestId;
use js_sys::{Array, Function, Object, Promise, Reflect};
use leptos::wasm_bindgen::closure::Closure;
use leptos::wasm_bindgen::{JsCast, JsValue};

const LOOKED_AT: &str = "countersign.looked-at";

/// Dropped, the lock is free.
pub struct Claim(Option<Function>);

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some(release) = &self.0 {
            let _ = release.call0(&JsValue::NULL);
        }
    }
}

/// Runs `then` if no other tab speaks for the request. A browser without locks lets every tab speak.
pub fn claim(id: RequestId, then: impl FnOnce(Claim) + 'static) {
    request(&format!("countersign.{id}"), "exclusive", then);
}

/// This tab is looked at, until the claim is dropped. Several may be.
pub fn look(then: impl FnOnce(Claim) + 'static) {
    request(LOOKED_AT, "shared", then);
}

/// Runs `then` unless another tab is looked at.
pub fn unless_looked_at(then: impl FnOnce() + 'static) {
    let asked = locks().and_then(|locks| method(&locks, "query")?.call0(&locks).ok());
    let Some(asked) = asked.and_then(|asked| asked.dyn_into::<Promise>().ok()) else {
        return then();
    };
    let answered = Closure::once(move |found: JsValue| {
        let held = Reflect::get(&found, &"held".into()).unwrap_or_default();
        let is_look =
            |lock: JsValue| Reflect::get(&lock, &"name".into()).is_ok_and(|name| name == LOOKED_AT);
        if !Array::from(&held).iter().any(is_look) {
            then();
        }
    });
    let _ = asked.then(&answered);
    answered.forget();
}

fn request(name: &str, mode: &str, then: impl FnOnce(Claim) + 'static) {
    let locks = locks();
    let request = locks.as_ref().and_then(|locks| method(locks, "request"));
    let (Some(locks), Some(request)) = (locks, request) else {
        return then(Claim(None));
    };
    let options = Object::new();
    let _ = Reflect::set(&options, &"mode".into(), &mode.into());
    let _ = Reflect::set(&options, &"ifAvailable".into(), &JsValue::TRUE);
    let granted = Closure::once_into_js(move |lock: JsValue| -> JsValue {
        if lock.is_null() {
            return JsValue::UNDEFINED;
        }
        let mut release = None;
        let held = Promise::new(&mut |resolve, _| release = Some(resolve));
        then(Claim(release));
        held.into()
    });
    let _ = request.call3(&locks, &name.into(), &options, &granted);
}

fn locks() -> Option<JsValue> {
    let navigator = web_sys::window()?.navigator();
    Reflect::get(&navigator, &"locks".into())
        .ok()
        .filter(JsValue::is_object)
}

fn method(object: &JsValue, name: &str) -> Option<Function> {
    Reflect::get(object, &name.into()).ok()?.dyn_into().ok()
}
