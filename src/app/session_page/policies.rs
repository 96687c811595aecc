//! What becomes of a request in this session that nobody answers, and who may answer it. What is not chosen here is as in
//! the settings.

use crate::api;
use crate::model::policy::{AnswerFrom, OnDisconnect, OnTimeout, OwnPolicies, SessionPolicies};
use crate::model::{Refusal, SessionId};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Seconds that are offered; a limit that a script has set is offered, too.
const LIMITS: [u64; 5] = [0, 60, 300, 900, 3600];
const LEAVES: [OnDisconnect; 4] = [
    OnDisconnect::Keep,
    OnDisconnect::Deny,
    OnDisconnect::DenyAfter(60),
    OnDisconnect::DenyAfter(600),
];

#[component]
pub fn PolicyChoices(session_id: SessionId, refusal: RwSignal<Option<Refusal>>) -> impl IntoView {
    let known = RwSignal::new(None::<SessionPolicies>);
    let busy = RwSignal::new(false);
    Effect::new(move |_| spawn_local(learn(session_id, known, refusal)));
    let choose = Callback::new(move |own: OwnPolicies| {
        busy.set(true);
        refusal.set(None);
        spawn_local(async move {
            if let Err(words) = api::set_policies(session_id, own).await {
                let _ = refusal.try_set(Some(words));
            }
            // also after a refusal: the choice on screen goes back
            learn(session_id, known, refusal).await;
            let _ = busy.try_set(false);
        });
    });
    view! {
        <fieldset class="policies" disabled=move || busy.get()>
            <legend class="visually-hidden">"Policies of this session"</legend>
            {move || known.get().map(|known| choices(known, choose))}
        </fieldset>
    }
}

fn choices(known: SessionPolicies, choose: Callback<OwnPolicies>) -> impl IntoView {
    let SessionPolicies { own, settings } = known;
    let change = move |change: fn(&mut OwnPolicies, usize), own: OwnPolicies| {
        Callback::new(move |index: usize| {
            let mut own = own.clone();
            change(&mut own, index);
            choose.run(own);
        })
    };
    view! {
        <Choice
            label="Time limit"
            offered=LIMITS.map(limit_words).to_vec()
            settings=limit_words(settings.timeout_seconds)
            chosen=own.timeout_seconds.map(limit_words)
            on_choice=change(
                |own, index| {
                    own.timeout_seconds = LIMITS.get(index).copied();
                    own.question_timeout_seconds = own.timeout_seconds;
                },
                own.clone(),
            )
        />
        <Choice
            label="When time is up"
            offered=TIMES_UP.map(timeout_words).to_vec()
            settings=timeout_words(settings.on_timeout)
            chosen=own.on_timeout.map(timeout_words)
            on_choice=change(
                |own, index| own.on_timeout = TIMES_UP.get(index).copied(),
                own.clone(),
            )
        />
        <Choice
            label="When nobody is connected"
            offered=LEAVES.map(leave_words).to_vec()
            settings=leave_words(settings.on_disconnect)
            chosen=own.on_disconnect.map(leave_words)
            on_choice=change(
                |own, index| own.on_disconnect = LEAVES.get(index).copied(),
                own.clone(),
            )
        />
        <Choice
            label="Answers from"
            offered=ANSWERERS.map(answerer_words).to_vec()
            settings=answerer_words(settings.answer_from)
            chosen=own.answer_from.map(answerer_words)
            on_choice=change(
                |own, index| own.answer_from = ANSWERERS.get(index).copied(),
                own.clone(),
            )
        />
        <p class="why">"A new time limit counts for what is asked from now on."</p>
    }
}

async fn learn(
    session_id: SessionId,
    known: RwSignal<Option<SessionPolicies>>,
    refusal: RwSignal<Option<Refusal>>,
) {
    match api::get_policies(session_id).await {
        Ok(found) => {
            let _ = known.try_set(Some(found));
        }
        Err(words) => {
            let _ = refusal.try_set(Some(words));
        }
    }
}

/// One of several, or as in the settings.
#[component]
fn Choice(
    label: &'static str,
    offered: Vec<String>,
    /// What the settings say.
    settings: String,
    chosen: Option<String>,
    /// The index among the offered; past the end = as in the settings.
    on_choice: Callback<usize>,
) -> impl IntoView {
    let unusual = chosen
        .clone()
        .filter(|chosen| !offered.contains(chosen))
        .map(|chosen| view! { <option value="unusual" selected=true disabled=true>{chosen}</option> });
    let options: Vec<_> = offered
        .into_iter()
        .enumerate()
        .map(|(index, words)| {
            let selected = chosen.as_ref() == Some(&words);
            view! { <option value=index.to_string() selected=selected>{words}</option> }
        })
        .collect();
    view! {
        <label>
            <span>{label}</span>
            <select
                class="pill"
                on:change=move |event| {
                    on_choice.run(event_target_value(&event).parse().unwrap_or(usize::MAX))
                }
            >
                <option value="" selected=chosen.is_none()>
                    {format!("{settings} (settings)")}
                </option>
                {options}
                {unusual}
            </select>
        </label>
    }
}

const TIMES_UP: [OnTimeout; 2] = [OnTimeout::Deny, OnTimeout::DenyAndStop];
const ANSWERERS: [AnswerFrom; 2] = [AnswerFrom::Any, AnswerFrom::Active];

fn limit_words(seconds: u64) -> String {
    match seconds {
        0 => "None".to_owned(),
        seconds if seconds % 3600 == 0 => counted(seconds / 3600, "hour"),
        seconds if seconds % 60 == 0 => counted(seconds / 60, "minute"),
        seconds => counted(seconds, "second"),
    }
}

fn counted(number: u64, unit: &str) -> String {
    match number {
        1 => format!("1 {unit}"),
        number => format!("{number} {unit}s"),
    }
}

fn timeout_words(policy: OnTimeout) -> String {
    match policy {
        OnTimeout::Deny => "Do not run it",
        OnTimeout::DenyAndStop => "Stop the turn",
    }
    .to_owned()
}

fn leave_words(policy: OnDisconnect) -> String {
    match policy {
        OnDisconnect::Keep => "Wait".to_owned(),
        OnDisconnect::Deny => "Do not run it".to_owned(),
        OnDisconnect::DenyAfter(seconds) => {
            format!("Do not run it, after {}", limit_words(seconds))
        }
    }
}

fn answerer_words(policy: AnswerFrom) -> String {
    match policy {
        AnswerFrom::Any => "Any tab",
        AnswerFrom::Active => "One tab at a time",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_read_as_a_person_would_say_them() {
        assert_eq!(
            [0, 1, 90, 60, 900, 3600, 7200].map(limit_words),
            [
                "None",
                "1 second",
                "90 seconds",
                "1 minute",
                "15 minutes",
                "1 hour",
                "2 hours"
            ]
        );
        assert_eq!(
            leave_words(OnDisconnect::DenyAfter(30)),
            "Do not run it, after 30 seconds"
        );
    }
}
