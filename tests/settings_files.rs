//! Settings that stand in two files must stay the same in both.

use std::{error::Error, fs};
use toml::{Table, Value};

type Outcome = Result<(), Box<dyn Error>>;

fn file(name: &str) -> Result<Table, Box<dyn Error>> {
    Ok(fs::read_to_string(name)?.parse()?)
}

/// The value at the end of a way of keys.
fn at<'a>(table: &'a Table, way: &[&str]) -> Option<&'a Value> {
    let (first, rest) = way.split_first()?;
    rest.iter()
        .try_fold(table.get(*first)?, |value, key| value.get(key))
}

#[test]
fn the_build_settings_are_the_same_for_cargo_leptos_and_for_xtask() -> Outcome {
    let (manifest, leptos) = (file("Cargo.toml")?, file("Leptos.toml")?);
    for key in [
        "output-name",
        "site-root",
        "site-pkg-dir",
        "site-addr",
        "reload-port",
        "env",
        "style-file",
        "assets-dir",
    ] {
        let way = ["package", "metadata", "leptos", key];
        let value = at(&leptos, &way);
        assert!(value.is_some(), "Leptos.toml has no {key}");
        assert_eq!(at(&manifest, &way), value, "{key}");
    }
    Ok(())
}

#[test]
fn leptos_is_compiled_for_the_output_name() -> Outcome {
    let (cargo, leptos) = (file(".cargo/config.toml")?, file("Leptos.toml")?);
    let compiled_for = at(&cargo, &["env", "LEPTOS_OUTPUT_NAME"]);
    assert!(compiled_for.is_some());
    assert_eq!(
        compiled_for,
        at(&leptos, &["package", "metadata", "leptos", "output-name"])
    );
    Ok(())
}

#[test]
fn wasm_bindgen_and_its_tool_are_one_exact_version() -> Outcome {
    let (app, tool) = (file("Cargo.toml")?, file("xtask/Cargo.toml")?);
    let pin = at(&app, &["dependencies", "wasm-bindgen"]).and_then(Value::as_str);
    assert!(
        pin.is_some_and(|version| version.starts_with('=')),
        "{pin:?}"
    );
    let pin_of_tool =
        at(&tool, &["dependencies", "wasm-bindgen-cli-support"]).and_then(Value::as_str);
    assert_eq!(pin, pin_of_tool);
    Ok(())
}

/// The server embeds `target/site` by name, so the setting cannot be moved alone.
#[test]
fn the_site_is_where_the_server_embeds_it_from() -> Outcome {
    let leptos = file("Leptos.toml")?;
    let site = at(&leptos, &["package", "metadata", "leptos", "site-root"]).and_then(Value::as_str);
    assert_eq!(site, Some("target/site"));
    Ok(())
}
