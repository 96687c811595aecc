//! Lists and pipelines: what follows what, in which shell, and whether it is run at all. What a part sets that may not run,
//! or runs in a shell of its own, is not believed afterwards.

use super::read::Reader;
use super::source::{Place, Source};
use super::state::{State, Touched};
use crate::model::insight::command::{Joined, Within};
use brush_parser::ast::{self, SourceLocation};

impl Reader {
    /// `follows`: the first of them has a command in front of it.
    pub fn list(&mut self, source: &Source<'_>, list: &ast::CompoundList, mut follows: bool) {
        for ast::CompoundListItem(and_or, separator) in &list.0 {
            let first_segment = self.script.segments.len();
            let start = self.state.moment();
            self.and_or(source, and_or, follows);
            follows = true;
            if matches!(separator, ast::SeparatorOperator::Async) {
                self.state.take_back(start);
                for segment in &mut self.script.segments[first_segment..] {
                    segment.background = true;
                }
            }
            self.joined = Joined::Then;
        }
    }

    /// What stands behind `&&` finds what was set in front of it. What comes after the whole cannot know how far it came.
    fn and_or(&mut self, source: &Source<'_>, and_or: &ast::AndOrList, follows: bool) {
        let mut start = self.state.moment();
        let before = self.state.directory().clone();
        self.pipeline(source, &and_or.first, follows);
        let mut certain = self.state.moment();
        for (index, next) in and_or.additional.iter().enumerate() {
            let (ast::AndOr::And(pipeline) | ast::AndOr::Or(pipeline)) = next;
            if let ast::AndOr::And(_) = next {
                self.joined = Joined::And;
                self.pipeline(source, pipeline, true);
                continue;
            }
            self.joined = Joined::Or;
            let failed = self.state.touched(start);
            let touched = self.aside(|reader| {
                reader.state.doubt(&failed);
                // a `cd` that fails stays where it was
                if index == 0 && is_simple(&and_or.first) {
                    reader.state.go(before.clone());
                }
                reader.pipeline(source, pipeline, true);
            });
            if leaves(pipeline) {
                certain = self.state.moment();
            } else {
                self.state.doubt(&touched);
            }
            start = self.state.moment();
        }
        let tail = self.state.take_back(certain);
        self.state.doubt(&tail);
    }

    fn pipeline(&mut self, source: &Source<'_>, pipeline: &ast::Pipeline, follows: bool) {
        let mut stages = Vec::with_capacity(pipeline.seq.len());
        let last = pipeline.seq.len().saturating_sub(1);
        for (index, command) in pipeline.seq.iter().enumerate() {
            if index > 0 {
                self.joined = Joined::Pipe;
            }
            let start = self.script.commands.len();
            let segment = self.script.segments.len();
            let moment = self.state.moment();
            self.command(source, command);
            if last > 0 {
                let touched = self.state.take_back(moment);
                // in some shells the last one is no shell of its own
                if index == last {
                    self.state.doubt(&touched);
                }
            }
            if follows || index > 0 {
                let timed = pipeline.timed.as_ref().filter(|_| index == 0);
                let timed = timed.and_then(SourceLocation::location);
                self.follower(source, command, timed, segment);
            }
            stages.push(start..self.script.commands.len());
        }
        if last > 0 {
            self.run_what_is_piped(&stages);
            self.script.pipelines.push(stages);
        }
    }

    /// Reads what may run, or runs elsewhere: afterwards everything is as before, and what it changed is handed out.
    pub fn aside(&mut self, body: impl FnOnce(&mut Self)) -> Touched {
        let start = self.state.moment();
        body(self);
        self.state.take_back(start)
    }

    /// It may run again and again: what one round sets, the next one finds.
    pub fn repeated(&mut self, length: usize, mut body: impl FnMut(&mut Self)) {
        let mut touched = self.aside(&mut body);
        if self.state.is_changed_by(&touched) {
            if length > self.budget {
                return self.problem("It nests deeper than is looked through.", None);
            }
            self.budget -= length;
            self.state.doubt(&touched);
            let outermost = std::mem::replace(&mut self.outermost, false);
            touched.add(self.aside(body));
            self.outermost = outermost;
        }
        self.state.doubt(&touched);
    }

    /// A command in a word. What it sets ends with it.
    pub fn substitution(&mut self, text: &str, place: Place) {
        self.aside(|reader| {
            reader.inner(text, place, Within::Substitution);
        });
    }

    /// A shell that is started anew: it gets what is in the environment, and which variables are, is not followed. So it is
    /// read as if it had all of them, and as if it had none.
    pub fn new_shell(&mut self, text: &str, place: Place) -> Touched {
        if text.contains('$') && self.state.knows_variables() {
            self.aside(|reader| {
                reader.inner(text, place, Within::Script);
            });
        }
        let directory = self.state.directory().clone();
        let outer = std::mem::replace(&mut self.state, State::at(directory));
        self.inner(text, place, Within::Script);
        let inner = std::mem::replace(&mut self.state, outer);
        inner.touched(0)
    }

    /// What it sets it may set between any two commands (`DEBUG`), or at the end of all.
    pub fn trap(&mut self, text: &str, place: Place) {
        if self.new_shell(text, place).sets_variables() {
            self.state.distrust_all();
        }
        self.traps.push((text.to_owned(), place));
    }

    /// At the end they run where the shell then is.
    pub fn run_traps(&mut self) {
        for (text, place) in std::mem::take(&mut self.traps) {
            self.new_shell(&text, place);
        }
    }
}

fn is_simple(pipeline: &ast::Pipeline) -> bool {
    matches!(pipeline.seq.as_slice(), [ast::Command::Simple(_)])
}

/// `exit`, `{ echo no; exit 1; }`: nothing behind it runs. `break`, `continue` and `return` leave less than all: what was set
/// before them stays.
pub fn leaves(pipeline: &ast::Pipeline) -> bool {
    match pipeline.seq.as_slice() {
        [ast::Command::Simple(simple)] => {
            let program = simple.word_or_name.as_ref();
            program.is_some_and(|word| word.value == "exit")
        }
        [ast::Command::Compound(ast::CompoundCommand::BraceGroup(group), _)] => {
            list_leaves(&group.list)
        }
        _ => false,
    }
}

pub fn list_leaves(list: &ast::CompoundList) -> bool {
    list.0
        .last()
        .is_some_and(|ast::CompoundListItem(last, end)| {
            // in the background it leaves a shell of its own
            let is_aside = matches!(end, ast::SeparatorOperator::Async);
            !is_aside && last.additional.is_empty() && leaves(&last.first)
        })
}
