//! Makes something public that cannot be taken back.

use super::Look;
use crate::model::insight::command::{MarkKind::Publishes, Severity};
use crate::server::insight::command::script::Command;

pub fn look(look: &mut Look<'_>, command: &Command) {
    let operands: Vec<&str> = command
        .operands()
        .map(|word| word.value.as_str())
        .take(3)
        .collect();
    let dry = command
        .arguments()
        .iter()
        .any(|word| word.value == "--dry-run");
    let (severity, sentence) = match (command.program(), operands.as_slice()) {
        (
            "npm" | "pnpm" | "yarn" | "bun" | "cargo" | "poetry" | "uv" | "flit" | "hatch"
            | "lerna" | "vsce" | "ovsx" | "jsr",
            ["publish", ..],
        )
        | ("yarn", ["npm", "publish", ..])
        | ("npx" | "bunx", ["vsce" | "ovsx" | "jsr" | "lerna", "publish", ..])
        | ("twine", ["upload", ..])
        | ("gem", ["push", ..])
        | ("dotnet", ["nuget", "push", ..])
        | ("mvn", ["deploy", ..])
        | ("pod", ["trunk", "push", ..]) => (Severity::Danger, "Publishes a package"),
        ("npm", ["unpublish" | "deprecate", ..])
        | ("cargo", ["yank", ..])
        | ("gem", ["yank", ..]) => (Severity::Danger, "Withdraws a published package"),
        ("gradle" | "gradlew", tasks) if tasks.iter().any(|task| task.starts_with("publish")) => {
            (Severity::Danger, "Publishes a package")
        }
        ("docker" | "podman" | "helm" | "buildah", ["push", ..]) => {
            (Severity::Caution, "Uploads an image or chart")
        }
        ("gh", ["release", "create" | "upload", ..]) | ("glab", ["release", "create", ..]) => {
            (Severity::Caution, "Publishes a release")
        }
        ("gh", ["gist", "create", ..]) => (Severity::Caution, "Uploads a file to a public place"),
        (
            "firebase" | "fly" | "flyctl" | "wrangler" | "serverless" | "sls" | "netlify",
            ["deploy", ..],
        ) => (Severity::Caution, "Deploys"),
        ("vercel", words)
            if words.first() == Some(&"deploy") || command.option("", &["--prod"]).is_some() =>
        {
            (Severity::Caution, "Deploys")
        }
        _ => return,
    };
    if dry {
        return;
    }
    let words: Vec<_> = command.operands().take(1).collect();
    look.mark(command, Publishes, severity, sentence, &words);
}
