//! Functions: their bodies are read where they are written, and again where they are called, with what is known there.

use super::read::Reader;
use super::script::Function;
use super::source::{Place, Source};
use crate::model::insight::command::{PieceKind, Within};
use brush_parser::ast::{self, SourceLocation};
use std::sync::Arc;

const MOST_OF_ONE_NAME: usize = 16;

#[derive(Clone, Debug)]
pub struct Body {
    text: Arc<str>,
    place: Place,
}

impl Reader {
    pub fn function(&mut self, source: &Source<'_>, function: &ast::FunctionDefinition) {
        let name = self.word(source, &function.fname);
        self.cover(source, name.span, PieceKind::Program);
        let start = self.script.commands.len();
        let ast::FunctionBody(body, redirections) = &function.body;
        self.aside(|reader| {
            reader.nested(Within::Function, |reader| reader.compound(source, body));
            reader.redirections_alone(source, redirections.as_ref());
        });
        let commands = start..self.script.commands.len();
        if let Some(location) = body.location() {
            let (start, end) = source.range(&location);
            let bodies = self.functions.entry(name.value.clone()).or_default();
            if bodies.len() < MOST_OF_ONE_NAME {
                bodies.push(Body {
                    text: source.slice(start, end).into(),
                    place: source.part(start),
                });
            } else {
                let why = "It has more functions of one name than are looked through.";
                self.problem(why, Some(name.span.start));
            }
        }
        self.script.functions.push(Function {
            name: name.value,
            span: name.span,
            body: commands,
        });
    }

    /// Of some variables it sets, it takes back the values when it ends (`local`), and which of several functions of that
    /// name is called is not followed: what was changed is not believed.
    pub fn call(&mut self, name: &str) {
        let is_called = self.calls.iter().any(|called| called == name);
        let Some(bodies) = self.functions.get(name).filter(|_| !is_called).cloned() else {
            return;
        };
        self.calls.push(name.to_owned());
        for Body { text, place } in bodies {
            let touched = self.aside(|reader| {
                reader.inner(&text, place, Within::Function);
            });
            self.state.doubt(&touched);
        }
        self.calls.pop();
    }
}
