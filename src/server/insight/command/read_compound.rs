//! Loops, conditions, groups, functions: what stands inside them runs too.

use super::read::Reader;
use super::read_list::list_leaves;
use super::script::Command;
use super::source::Source;
use super::state::Touched;
use crate::model::insight::command::Within;
use brush_parser::ast;

impl Reader {
    pub fn compound(&mut self, source: &Source<'_>, compound: &ast::CompoundCommand) {
        match compound {
            ast::CompoundCommand::Arithmetic(arithmetic) => {
                let (start, end) = source.range(&arithmetic.loc);
                self.arithmetic(source, start, end);
            }
            ast::CompoundCommand::ArithmeticForClause(clause) => {
                let (start, _) = source.range(&clause.loc);
                let (body, end) = source.range(&clause.body.loc);
                self.arithmetic(source, start, body);
                self.repeated(end - body, |reader| {
                    reader.nested_list(source, Within::Loop, &clause.body.list);
                });
            }
            ast::CompoundCommand::BraceGroup(group) => {
                self.nested_list(source, Within::Group, &group.list)
            }
            ast::CompoundCommand::Subshell(subshell) => {
                self.subshell(source, Within::Group, subshell)
            }
            ast::CompoundCommand::ForClause(clause) => {
                for value in clause.values.iter().flatten() {
                    self.word(source, value);
                }
                // The variable takes many values; an earlier one must not be believed.
                self.state.forget(&clause.variable_name);
                let (start, end) = source.range(&clause.body.loc);
                self.repeated(end - start, |reader| {
                    reader.nested_list(source, Within::Loop, &clause.body.list);
                });
            }
            ast::CompoundCommand::CaseClause(clause) => self.cases(source, clause),
            ast::CompoundCommand::IfClause(clause) => self.branches(source, clause),
            ast::CompoundCommand::WhileClause(clause)
            | ast::CompoundCommand::UntilClause(clause) => {
                let (start, end) = source.range(&clause.2);
                self.repeated(end - start, |reader| {
                    reader.nested_list(source, Within::Loop, &clause.0);
                    reader.next_list(source, Within::Loop, &clause.1.list);
                });
            }
            ast::CompoundCommand::Coprocess(coprocess) => {
                self.aside(|reader| {
                    reader.nested(Within::Group, |reader| {
                        reader.command(source, &coprocess.body)
                    });
                });
                if let Some(name) = &coprocess.name {
                    self.state.forget(&name.value);
                }
            }
        }
    }

    /// Each condition runs after those in front of it, each body or not at all.
    fn branches(&mut self, source: &Source<'_>, clause: &ast::IfClauseCommand) {
        let start = self.state.moment();
        self.nested_list(source, Within::Condition, &clause.condition);
        let mut touched = self.body(|reader| {
            reader.next_list(source, Within::Condition, &clause.then);
            list_leaves(&clause.then)
        });
        for part in clause.elses.iter().flatten() {
            // What did not hold may have changed something, or failed to.
            let failed = self.state.touched(start);
            self.state.doubt(&failed);
            if let Some(condition) = &part.condition {
                self.next_list(source, Within::Condition, condition);
            }
            touched.add(self.body(|reader| {
                reader.next_list(source, Within::Condition, &part.body);
                list_leaves(&part.body)
            }));
        }
        touched.add(self.state.take_back(start));
        self.state.doubt(&touched);
    }

    fn cases(&mut self, source: &Source<'_>, clause: &ast::CaseClauseCommand) {
        let start = self.state.moment();
        let mut touched = Touched::default();
        self.word(source, &clause.value);
        for (index, case) in clause.cases.iter().enumerate() {
            let patterns = case.patterns.iter();
            let patterns: Vec<_> = patterns.map(|pattern| self.word(source, pattern)).collect();
            let Some(list) = &case.cmd else { continue };
            let body = self.body(|reader| {
                reader.nested(Within::Condition, |reader| {
                    if let Some(pattern) = patterns.first().filter(|_| index > 0) {
                        reader.follows_at(pattern.span.start);
                    }
                    reader.list(source, list, false);
                });
                list_leaves(list)
            });
            // It may go on with the next one (`;&`).
            if !matches!(case.post_action, ast::CaseItemPostAction::ExitCase) {
                self.state.doubt(&body);
            }
            touched.add(body);
        }
        touched.add(self.state.take_back(start));
        self.state.doubt(&touched);
    }

    /// What it changed, if anything runs behind it: it says whether it leaves.
    fn body(&mut self, read: impl FnOnce(&mut Self) -> bool) -> Touched {
        let mut leaves = false;
        let touched = self.aside(|reader| leaves = read(reader));
        if leaves { Touched::default() } else { touched }
    }

    /// What it sets ends with it.
    pub fn subshell(
        &mut self,
        source: &Source<'_>,
        within: Within,
        subshell: &ast::SubshellCommand,
    ) {
        self.aside(|reader| reader.nested_list(source, within, &subshell.list));
    }

    /// Redirections of a group, a loop or a function: a command without words.
    pub fn redirections_alone(&mut self, source: &Source<'_>, list: Option<&ast::RedirectList>) {
        let Some(list) = list else { return };
        let mut command = Command::default();
        for redirection in &list.0 {
            self.redirection(source, redirection, &mut command);
        }
        if let (Some(first), Some(last)) =
            (command.redirections.first(), command.redirections.last())
        {
            command.span = crate::model::insight::command::Span::new(
                first.span.start.min(last.span.start),
                first.span.end.max(last.span.end),
            );
            self.push(command);
        }
    }
}
