//! One question: its options as rows, a free text that is always there, and a preview of the option looked at.

use super::picked::Picked;
use crate::app::draft::Draft;
use crate::app::ui::icon;
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::{Untrusted, Words};
use crate::model::{Choice, Question, QuestionAnswers, RequestId};
use leptos::html;
use leptos::prelude::*;
use web_sys::HtmlElement;
use web_sys::wasm_bindgen::JsCast;

/// One question and what the person has done with it so far.
#[derive(Clone, Copy)]
pub struct Asking {
    pub index: usize,
    request_id: RequestId,
    question: StoredValue<Question>,
    picked: Draft,
    other: Draft,
    /// What else there is to say; open once it is written or asked for.
    note: Draft,
    noting: RwSignal<bool>,
    /// Not empty: left out on purpose.
    skipped: Draft,
    group: NodeRef<html::Fieldset>,
    other_area: NodeRef<html::Textarea>,
    first_choice: NodeRef<html::Input>,
    /// The option that has the focus or the pointer.
    looked_at: RwSignal<Option<usize>>,
}

impl Asking {
    pub fn new(request_id: RequestId, index: usize, question: Question) -> Self {
        Self {
            index,
            request_id,
            question: StoredValue::new(question),
            picked: Draft::of_request(request_id, &format!("picked.{index}")),
            other: Draft::of_request(request_id, &format!("other.{index}")),
            note: Draft::of_request(request_id, &format!("note.{index}")),
            noting: RwSignal::new(false),
            skipped: Draft::of_request(request_id, &format!("skipped.{index}")),
            group: NodeRef::new(),
            other_area: NodeRef::new(),
            first_choice: NodeRef::new(),
            looked_at: RwSignal::new(None),
        }
    }

    /// Nothing is left to be done with it.
    pub fn is_done(self) -> bool {
        self.is_skipped() || self.answer().is_some()
    }

    /// The full text of the question, and its answer once there is one.
    pub fn answer(self) -> Option<(String, String)> {
        let picked = self.picked();
        let other = self.other.text.get();
        self.question.with_value(|question| {
            let answer = picked.answer(question, &other)?;
            Some((question.question.clone(), answer))
        })
    }

    pub fn is_skipped(self) -> bool {
        !self.skipped.is_empty()
    }

    /// Its part of the response.
    pub fn put_into(self, response: &mut QuestionAnswers) {
        let text = self
            .question
            .with_value(|question| question.question.clone());
        if self.is_skipped() {
            response.skipped.push(text);
            return;
        }
        let (picked, other) = (self.picked(), self.other.text.get());
        let options = self
            .question
            .with_value(|question| picked.options_alone(question, &other));
        if let Some(options) = options {
            response.choices.insert(text.clone(), options);
        }
        let note = self.note.text.with(|note| note.trim().to_owned());
        if !note.is_empty() {
            response.notes.insert(text, note);
        }
        response.answers.extend(self.answer());
    }

    fn skip(self) {
        let now = self.skipped.text.with_untracked(String::is_empty);
        let text = if now { "yes" } else { "" };
        self.skipped.text.set(text.to_owned());
    }

    /// A number key: 1 is the first option, 0 the free text. Whether there is such an option.
    pub fn press_number(self, number: usize) -> bool {
        if number == 0 {
            self.looked_at.set(None);
            self.take_other();
            if let Some(area) = self.other_area.get_untracked() {
                let _ = area.focus();
            }
            return true;
        }
        let label = self.question.with_value(|question| {
            let option = question.options.get(number - 1)?;
            Some(option.label.clone())
        });
        let Some(label) = label else { return false };
        let on = !untrack(move || self.picked()).has(&label);
        self.pick(&label, on);
        self.looked_at.set(Some(number - 1));
        true
    }

    /// The focus goes to the option of that number: arrows and the space bar go on from there.
    pub fn focus_number(self, number: usize) {
        let Some(group) = self.group.get_untracked() else {
            return;
        };
        let choice = group.query_selector(&format!(".option:nth-child({number}) .choice"));
        let choice = choice.ok().flatten();
        if let Some(choice) = choice.and_then(|choice| choice.dyn_into::<HtmlElement>().ok()) {
            let _ = choice.focus();
        }
    }

    pub fn takes_several(self) -> bool {
        self.question.with_value(|question| question.multi_select)
    }

    pub fn take_focus(self) {
        if let Some(choice) = self.first_choice.get_untracked() {
            let _ = choice.focus();
        } else if let Some(area) = self.other_area.get_untracked() {
            let _ = area.focus();
        }
    }

    /// Brings it into sight. Whether most of it was out of it.
    pub fn show(self) -> bool {
        let Some(group) = self.group.get_untracked() else {
            return false;
        };
        let extent = |element: &web_sys::Element| {
            let place = element.get_bounding_client_rect();
            (place.top(), place.bottom())
        };
        let place = extent(&group);
        let window = window().inner_height().ok();
        let window = window
            .and_then(|height| height.as_f64())
            .unwrap_or(f64::MAX);
        let body = group.closest(".body").ok().flatten();
        let (top, bottom) = body.map_or((0.0, window), |body| extent(&body));
        let sight = (top.max(0.0), bottom.min(window));
        // no further than it must
        if place.0 < sight.0 || place.1 > sight.1 {
            let from_above = place.0 < sight.0 || place.1 - place.0 > sight.1 - sight.0;
            group.scroll_into_view_with_bool(from_above);
        }
        is_mostly_hidden(place, sight)
    }

    fn picked(self) -> Picked {
        self.picked.text.with(|text| Picked::from_text(text))
    }

    fn pick(self, label: &str, on: bool) {
        self.change(|picked, question| picked.pick(question, label, on));
    }

    fn take_other(self) {
        let text = self.other.text.get_untracked();
        self.change(|picked, question| picked.write_other(question, &text));
    }

    /// Whoever picks an option has not skipped the question.
    fn change(self, change: impl FnOnce(&mut Picked, &Question)) {
        let mut picked = untrack(move || self.picked());
        self.question
            .with_value(|question| change(&mut picked, question));
        self.picked.text.set(picked.to_text());
        self.skipped.text.set(String::new());
    }

    /// The preview of the option looked at, else of the picked one.
    fn preview(self) -> Option<(String, String)> {
        let looked_at = self.looked_at.get();
        let picked = self.picked();
        self.question.with_value(|question| {
            let options = &question.options;
            let of = |option: &Choice| Some((option.label.clone(), option.preview.clone()?));
            looked_at
                .and_then(|index| options.get(index))
                .and_then(of)
                .or_else(|| options.iter().filter(|o| picked.has(&o.label)).find_map(of))
        })
    }
}

/// Less than half of what could be seen of it is in sight. Both from top to bottom.
fn is_mostly_hidden(place: (f64, f64), sight: (f64, f64)) -> bool {
    let seen = place.1.min(sight.1) - place.0.max(sight.0);
    let most = (place.1 - place.0).min(sight.1 - sight.0);
    seen * 2.0 < most
}

#[component]
pub fn QuestionGroup(
    asking: Asking,
    /// This question has the focus.
    on_focus: Callback<usize>,
    /// The one that a digit on the card is for.
    digits_for: Memo<Option<usize>>,
    /// One of several may be left out.
    may_skip: bool,
) -> impl IntoView {
    let question = asking.question.get_value();
    let has_previews = question
        .options
        .iter()
        .any(|option| option.preview.is_some());
    let header = question.header.clone();
    let words = question.question.clone();
    let hint = question.multi_select.then_some("Choose one or more.");
    let rows: Vec<_> = question
        .options
        .iter()
        .enumerate()
        .map(|(number, option)| {
            view! { <OptionRow asking number option=option.clone() multi=question.multi_select /> }
        })
        .collect();
    view! {
        <fieldset
            node_ref=asking.group
            class="question-group"
            class:skipped=move || asking.is_skipped()
            class:next=move || digits_for.get() == Some(asking.index)
            aria-label=question.question
            on:focusin=move |_| on_focus.run(asking.index)
        >
            <legend>
                <Words text=words />
            </legend>
            <div class="question-about">
                {(!header.is_empty())
                    .then(|| {
                        view! {
                            <span class="hchip">
                                <Words text=header />
                            </span>
                        }
                    })} {hint.map(|hint| view! { <span class="why">{hint}</span> })}
            </div>
            <div class="choosing" class:with-preview=has_previews>
                <div class="options">{rows} <OtherRow asking /></div>
                {has_previews.then(|| view! { <Preview asking /> })}
            </div>
            <Aside asking may_skip />
        </fieldset>
    }
}

#[component]
fn OptionRow(asking: Asking, number: usize, option: Choice, multi: bool) -> impl IntoView {
    let id = |part: &str| format!("{}-{}-{number}-{part}", asking.request_id, asking.index);
    let (label_id, about_id) = (id("label"), id("about"));
    let label = StoredValue::new(option.label.clone());
    let is_on = Memo::new(move |_| label.with_value(|label| asking.picked().has(label)));
    let has_about = !option.description.is_empty();
    let look = move || asking.looked_at.set(Some(number));
    view! {
        <label class="option" class:on=move || is_on.get() on:pointerenter=move |_| look()>
            <span class="num" aria-hidden="true">
                {number + 1}
            </span>
            <span class="option-words">
                <b id=label_id.clone()>
                    <Words text=option.label />
                </b>
                {has_about
                    .then(|| {
                        view! {
                            <span class="d" id=about_id.clone()>
                                <Words text=option.description />
                            </span>
                        }
                    })}
            </span>
            <span class="tick" aria-hidden="true">
                <icon::Check />
            </span>
            <input
                class="choice"
                node_ref=if number == 0 { asking.first_choice } else { NodeRef::new() }
                type=if multi { "checkbox" } else { "radio" }
                name=format!("{}-{}", asking.request_id, asking.index)
                aria-labelledby=label_id
                aria-describedby=has_about.then_some(about_id)
                prop:checked=move || is_on.get()
                on:focus=move |_| look()
                on:change=move |event| {
                    let on = event_target_checked(&event);
                    label.with_value(|label| asking.pick(label, on));
                }
            />
        </label>
    }
}

#[component]
fn OtherRow(asking: Asking) -> impl IntoView {
    let is_on = move || asking.picked().other;
    view! {
        <div class="option other" class:on=is_on>
            <span class="num" aria-hidden="true">
                "0"
            </span>
            <textarea
                node_ref=asking.other_area
                rows="1"
                aria-label="Other"
                placeholder="Other…"
                prop:value=move || asking.other.text.get()
                on:click=move |_| asking.take_other()
                on:input=move |event| {
                    asking.other.text.set(event_target_value(&event));
                    asking.take_other();
                }
            ></textarea>
            <span class="tick" aria-hidden="true">
                <icon::Check />
            </span>
        </div>
    }
}

/// What else can be done with a question: a note to the answer, or none at all.
#[component]
fn Aside(asking: Asking, may_skip: bool) -> impl IntoView {
    let is_noting = move || asking.noting.get() || !asking.note.is_empty();
    let note = NodeRef::<html::Input>::new();
    let skip = may_skip.then(|| {
        view! {
            <button
                type="button"
                class="ghost small"
                aria-pressed=move || asking.is_skipped().to_string()
                on:click=move |_| asking.skip()
            >
                "Skip this one"
            </button>
        }
    });
    view! {
        <div class="question-aside">
            <Show
                when=is_noting
                fallback=move || {
                    view! {
                        <button
                            type="button"
                            class="ghost small"
                            on:click=move |_| {
                                asking.noting.set(true);
                                // when it is there
                                request_animation_frame(move || {
                                    if let Some(field) = note.get_untracked() {
                                        let _ = field.focus();
                                    }
                                });
                            }
                        >
                            "Add a note"
                        </button>
                    }
                }
            >
                <input
                    node_ref=note
                    type="text"
                    class="note"
                    aria-label="Note"
                    placeholder="A note to your answer"
                    autocomplete="off"
                    prop:value=move || asking.note.text.get()
                    on:input=move |event| asking.note.text.set(event_target_value(&event))
                />
            </Show>
            {skip}
        </div>
    }
}

#[component]
fn Preview(asking: Asking) -> impl IntoView {
    view! {
        <div class="preview" aria-live="polite">
            {move || match asking.preview() {
                Some((label, preview)) => {
                    view! {
                        <p class="preview-of">"Preview of " <Words text=label /></p>
                        <pre>
                            <Untrusted text=preview />
                        </pre>
                    }
                        .into_any()
                }
                None => {
                    view! {
                        <p class="preview-of">
                            "Choose " <span class="for-keys">"or point at "</span>
                            "an option to see its preview."
                        </p>
                    }
                        .into_any()
                }
            }}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::is_mostly_hidden;

    #[test]
    fn a_question_is_seen_when_half_of_what_fits_is() {
        let sight = (100.0, 500.0);
        let hidden = |top: f64, bottom: f64| is_mostly_hidden((top, bottom), sight);
        assert!(!hidden(120.0, 300.0) && !hidden(100.0, 500.0));
        assert!(!hidden(400.0, 590.0), "its greater part");
        assert!(hidden(450.0, 650.0) && hidden(600.0, 700.0) && hidden(-200.0, 110.0));
        assert!(!hidden(50.0, 900.0), "it is larger than the room");
        assert!(hidden(450.0, 1400.0));
    }
}
