//! Loops, conditions, groups, functions: what stands inside them runs too.

use super::read::Reader;
use super::script::{Command, Function};
use super::source::Source;
use crate::model::insight::command::{PieceKind, Within};
use brush_parser::ast;

impl Reader {
    pub fn compound(&mut self, source: &Source<'_>, compound: &ast::CompoundCommand) {
        match compound {
            ast::CompoundCommand::Arithmetic(arithmetic) => self.bare(source, &arithmetic.loc),
            ast::CompoundCommand::ArithmeticForClause(clause) => {
                self.nested_list(source, Within::Loop, &clause.body.list);
            }
            ast::CompoundCommand::BraceGroup(group) => {
                self.nested_list(source, Within::Group, &group.list)
            }
            ast::CompoundCommand::Subshell(subshell) => {
                self.subshell(source, Within::Group, subshell)
            }
            ast::CompoundCommand::ForClause(clause) => {
                // The variable takes many values; an earlier one must not be believed.
                self.variables.remove(&clause.variable_name);
                for value in clause.values.iter().flatten() {
                    self.word(source, value);
                }
                self.nested_list(source, Within::Loop, &clause.body.list);
            }
            ast::CompoundCommand::CaseClause(clause) => {
                self.word(source, &clause.value);
                for (index, case) in clause.cases.iter().enumerate() {
                    let patterns = case.patterns.iter();
                    let patterns: Vec<_> =
                        patterns.map(|pattern| self.word(source, pattern)).collect();
                    let Some(list) = &case.cmd else { continue };
                    self.nested(Within::Condition, |reader| {
                        if let Some(pattern) = patterns.first().filter(|_| index > 0) {
                            reader.follows_at(pattern.span.start);
                        }
                        reader.list(source, list, false);
                    });
                }
            }
            ast::CompoundCommand::IfClause(clause) => {
                self.nested_list(source, Within::Condition, &clause.condition);
                self.next_list(source, Within::Condition, &clause.then);
                for part in clause.elses.iter().flatten() {
                    if let Some(condition) = &part.condition {
                        self.next_list(source, Within::Condition, condition);
                    }
                    self.next_list(source, Within::Condition, &part.body);
                }
            }
            ast::CompoundCommand::WhileClause(clause)
            | ast::CompoundCommand::UntilClause(clause) => {
                self.nested_list(source, Within::Loop, &clause.0);
                self.next_list(source, Within::Loop, &clause.1.list);
            }
            ast::CompoundCommand::Coprocess(coprocess) => {
                self.nested(Within::Group, |reader| {
                    reader.command(source, &coprocess.body)
                });
            }
        }
    }

    /// `cd` inside a subshell ends with it.
    pub fn subshell(
        &mut self,
        source: &Source<'_>,
        within: Within,
        subshell: &ast::SubshellCommand,
    ) {
        let directory = self.directory.clone();
        self.nested_list(source, within, &subshell.list);
        self.directory = directory;
    }

    pub fn function(&mut self, source: &Source<'_>, function: &ast::FunctionDefinition) {
        let name = self.word(source, &function.fname);
        self.cover(source, name.span, PieceKind::Program);
        let start = self.script.commands.len();
        let directory = self.directory.clone();
        self.nested(Within::Function, |reader| {
            reader.compound(source, &function.body.0)
        });
        self.redirections_alone(source, function.body.1.as_ref());
        self.directory = directory;
        let body = start..self.script.commands.len();
        self.script.functions.push(Function {
            name: name.value,
            span: name.span,
            body,
        });
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
