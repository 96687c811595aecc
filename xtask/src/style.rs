//! Many style sheets into one: a line `@import "./x.css";` becomes the text of that file. Nothing else is touched.

use anyhow::{Context, Result, bail};
use std::{fs, path::Path};

pub fn bundled(main_file: &Path) -> Result<String> {
    let directory = main_file.parent().unwrap_or(Path::new("."));
    let main = fs::read_to_string(main_file)
        .with_context(|| format!("{} cannot be read", main_file.display()))?;
    joined(&main, |name| {
        let file = directory.join(name);
        fs::read_to_string(&file).with_context(|| format!("{} cannot be read", file.display()))
    })
}

fn joined(main: &str, read: impl Fn(&str) -> Result<String>) -> Result<String> {
    let mut sheet = String::new();
    for line in main.lines() {
        match imported(line) {
            Some(name) => sheet.push_str(without_imports(name, &read(name)?)?),
            None => sheet.push_str(without_imports("the main style sheet", line)?),
        }
        sheet.push('\n');
    }
    Ok(sheet)
}

/// The file that a line of exactly the form `@import "./x.css";` names.
fn imported(line: &str) -> Option<&str> {
    line.strip_prefix("@import \"./")?.strip_suffix("\";")
}

/// An import that stayed would be asked for by the browser, and not be found.
fn without_imports<'a>(name: &str, text: &'a str) -> Result<&'a str> {
    match text
        .lines()
        .find(|line| line.trim_start().starts_with("@import"))
    {
        Some(line) => bail!(
            "{name}: `{line}` is not bundled; only `@import \"./x.css\";` in the main style sheet is"
        ),
        None => Ok(text.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shelf(name: &str) -> Result<String> {
        match name {
            "a.css" => Ok("a { color: red }\n".into()),
            "b.css" => Ok("b { color: blue }\n".into()),
            "nested.css" => Ok("@import \"./a.css\";\n".into()),
            other => bail!("no {other}"),
        }
    }

    #[test]
    fn imports_become_the_files_in_order_and_the_rest_stays() -> Result<()> {
        let main =
            "/* order matters */\n@import \"./b.css\";\n@import \"./a.css\";\n\np { margin: 0 }\n";
        let expected =
            "/* order matters */\nb { color: blue }\na { color: red }\n\np { margin: 0 }\n";
        assert_eq!(joined(main, shelf)?, expected);
        Ok(())
    }

    #[test]
    fn a_missing_file_or_another_form_of_import_is_an_error() {
        for main in [
            "@import \"./c.css\";",
            "@import url(a.css);",
            "  @import \"./a.css\";",
            "@import \"./a.css\" layer(x);",
            "@import \"./nested.css\";",
        ] {
            assert!(joined(main, shelf).is_err(), "{main}");
        }
    }
}
