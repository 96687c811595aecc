//! Lines that cannot be read. What was asked in one is never shown, for it would not be what runs; it is never left
//! without an answer either: the agent is told at once that it was refused and why, and the person is told so, too.

use super::readable::{self, Unreadable};
use super::scan::{self, Found};
use super::{CliId, Protocol, Told, asking, notice, outgoing};
use crate::model::transcript::Level;
use crate::server::agent::telling;

/// More of a line is not looked at to say how it begins.
const HEAD: usize = 400;

impl Protocol {
    /// How the first line begins that meant nothing: an agent that is no agent at all may say there what it is.
    pub fn first_unreadable(&self) -> Option<&str> {
        self.first_unreadable.as_deref()
    }

    /// A line that is too long: of its text only the head is there.
    pub fn read_head(&mut self, head: &[u8]) -> Vec<Told> {
        let refused = self.refuse_all(head, &Unreadable::TooLong);
        if !refused.is_empty() {
            return refused;
        }
        self.too_long += 1;
        let sentence = "The agent sent a line that is too long to be read. It was skipped.";
        self.skipped(head, self.too_long, sentence)
    }

    pub(super) fn unreadable(&mut self, line: &[u8], why: &Unreadable) -> Vec<Told> {
        if let Some((rest, listed)) = scan::without_list(line)
            && let Ok(rest) = readable::read_mended(&rest)
        {
            let mut told = self.understand(&rest);
            for one in listed {
                told.extend(self.listed(one));
            }
            return told;
        }
        let refused = self.refuse_all(line, why);
        if !refused.is_empty() {
            return refused;
        }
        match readable::read_mended(line) {
            Ok(message) => self.understand(&message),
            Err(_) => {
                self.unreadable += 1;
                let sentence = "The agent sent a line that cannot be read. It was skipped.";
                self.skipped(line, self.unreadable, sentence)
            }
        }
    }

    /// One of those that it waits for, in a list that cannot be read as a whole.
    fn listed(&mut self, one: &[u8]) -> Vec<Told> {
        match readable::read(one) {
            Ok(open) => self.still_open(&open),
            Err(why) => self.refuse_all(one, &why),
        }
    }

    fn refuse_all(&mut self, line: &[u8], why: &Unreadable) -> Vec<Told> {
        let mut told = Vec::new();
        for found in scan::requests(line) {
            // one without a name is not answered; what it waits for is asked
            if let Some(id) = &found.id
                // the name of another one, which waits and is not to be refused
                && !self.asks.contains_key(id)
            {
                told.push(Told::Answer(refusal(id, &found, why)));
                told.push(notice(Level::Warning, &refused(&found, why)));
            }
        }
        told
    }

    /// A request may have been in it: the agent is asked what it waits for.
    fn skipped(&mut self, line: &[u8], count: u32, sentence: &str) -> Vec<Told> {
        if self.first_unreadable.is_none() {
            let head = String::from_utf8_lossy(&line[..line.len().min(HEAD)]);
            self.first_unreadable = Some(telling::in_short(&head));
        }
        // a flood of them must not become one of our log
        if telling::is_told(count) {
            let bytes = line.len();
            tracing::warn!(bytes, count, "a line of the agent cannot be read");
        }
        let mut told: Vec<Told> = self.ask_again().map(Told::Answer).into_iter().collect();
        if count <= telling::FIRST {
            told.push(notice(Level::Warning, sentence));
        }
        told
    }
}

fn refusal(id: &CliId, found: &Found, why: &Unreadable) -> String {
    let message = format!(
        "Countersign could not read this request ({}), so it was refused. Ask again in another way.",
        why.why()
    );
    match found.subtype.as_deref() {
        Some("can_use_tool") => asking::refused(id, message),
        _ => outgoing::failed(id, &message, "invalid_request"),
    }
}

fn refused(found: &Found, why: &Unreadable) -> String {
    let why = why.why();
    match found.tool.as_deref().map(telling::in_short) {
        Some(tool) => format!(
            "The agent asked to use {tool}, and what it asked could not be read ({why}). It was refused."
        ),
        None => {
            format!("The agent asked for something that could not be read ({why}). It was refused.")
        }
    }
}
