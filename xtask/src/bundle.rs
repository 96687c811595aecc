//! `target/site` from the compiled front end, the style sheets and `public/`; only when one of them has changed.

use crate::{
    compress,
    project::{Profile, Project, timed},
    style,
};
use anyhow::{Context, Result, anyhow};
use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    time::SystemTime,
};
use wasm_bindgen_cli_support::Bindgen;

/// Makes the site anew if what goes into it, or the site itself, is not what the last call left.
pub fn refresh(project: &Project, profile: Profile) -> Result<()> {
    let inputs = inputs_print(project, profile)?;
    let stamp = beside_site(project, "stamp");
    if fs::read_to_string(&stamp).is_ok_and(|text| text == stamp_text(inputs, &project.site)) {
        return Ok(());
    }
    let staging = beside_site(project, "new");
    timed("front end bundled", || fill(project, profile, &staging))?;
    replace(&project.site, &staging)?;
    fs::write(stamp, stamp_text(inputs, &project.site))?;
    Ok(())
}

/// Style sheets and public files straight into a site that a dev server is reading.
pub fn refresh_static_files(project: &Project) -> Result<()> {
    copy_static_files(project, &project.site)?;
    compress::forget(&files_under(&project.site)?)
}

fn fill(project: &Project, profile: Profile, site: &Path) -> Result<()> {
    if site.exists() {
        fs::remove_dir_all(site)?;
    }
    let package = site.join(&project.package_directory);
    fs::create_dir_all(&package)?;
    bind(project, profile, &package)?;
    copy_static_files(project, site)?;
    if profile == Profile::Release {
        timed("front end compressed", || {
            compress::beside(&files_under(site)?)
        })?;
    }
    Ok(())
}

/// What the wasm-bindgen command would do.
fn bind(project: &Project, profile: Profile, package: &Path) -> Result<()> {
    let name = &project.output_name;
    let release = profile == Profile::Release;
    let compiled = project.compiled_front_end(profile);
    let main = match profile.is_split() {
        true => cut(&compiled, name, package)?,
        false => compiled,
    };
    Bindgen::new()
        .input_path(main)
        .out_name(name)
        .typescript(false)
        .remove_name_section(release)
        .remove_producers_section(release)
        // the second piece calls the first by its table of functions
        .keep_lld_exports(profile.is_split())
        .web(true)?
        .generate(package)
        .context("wasm-bindgen failed")?;
    // the name that leptos asks for, as LEPTOS_OUTPUT_NAME was set while it was compiled
    fs::rename(
        package.join(format!("{name}_bg.wasm")),
        package.join(format!("{name}.wasm")),
    )?;
    Ok(())
}

/// Cuts the front end in two. The first piece goes on to wasm-bindgen, the second beside it, with a script that loads it.
fn cut(compiled: &Path, name: &str, package: &Path) -> Result<PathBuf> {
    let whole = fs::read(compiled)?;
    let first_piece = compiled.with_extension("first.wasm");
    let main_module = format!("./{name}.js");
    let mut options = wasm_split_cli_support::Options::new(&whole);
    options.output_dir = package;
    options.main_out_path = &first_piece;
    options.main_module = &main_module;
    let pieces = wasm_split_cli_support::transform(options)
        .map_err(|error| anyhow!("the front end cannot be cut in two: {error:#}"))?;
    for piece in pieces.split_modules {
        tidy(&piece)?;
    }
    Ok(first_piece)
}

/// What wasm-bindgen does to the first piece: names of functions are left out, which are a third of the file, and numbers that
/// the linker wrote with room to spare become short.
fn tidy(piece: &Path) -> Result<()> {
    let mut module = walrus::ModuleConfig::new()
        .generate_name_section(false)
        .generate_producers_section(false)
        .parse_file(piece)?;
    module.emit_wasm_file(piece)
}

fn copy_static_files(project: &Project, site: &Path) -> Result<()> {
    let sheet = format!("{}.css", project.output_name);
    fs::write(
        site.join(&project.package_directory).join(sheet),
        style::bundled(&project.style_file)?,
    )?;
    for file in files_under(&project.public)? {
        let copy = site.join(file.strip_prefix(&project.public)?);
        fs::create_dir_all(copy.parent().context("a file without a directory")?)?;
        fs::write(copy, fs::read(&file)?)?; // without the permissions, which a copy would have too
    }
    Ok(())
}

/// Near enough at once, so that a failed bundle leaves the old site whole.
fn replace(site: &Path, staging: &Path) -> Result<()> {
    if site.exists() {
        fs::remove_dir_all(site)?;
    }
    fs::rename(staging, site).context("the new site cannot be moved into place")
}

/// `target/site.<ending>`: not inside, where it would be embedded.
fn beside_site(project: &Project, ending: &str) -> PathBuf {
    project.site.with_extension(ending)
}

fn stamp_text(inputs: u64, site: &Path) -> String {
    let site = print_of(&files_under(site).unwrap_or_default()).unwrap_or_default();
    format!("{inputs:016x} {site:016x}\n")
}

fn inputs_print(project: &Project, profile: Profile) -> Result<u64> {
    let mut files = vec![project.compiled_front_end(profile)];
    files.extend(files_under(project.style_directory())?);
    files.extend(files_under(&project.public)?);
    let mut hasher = DefaultHasher::new();
    print_of(&files)?.hash(&mut hasher);
    profile.directory().hash(&mut hasher);
    this_program_changed().hash(&mut hasher);
    Ok(hasher.finish())
}

/// Another bundler may bundle otherwise.
fn this_program_changed() -> Option<SystemTime> {
    let program = std::env::current_exe().ok()?;
    fs::metadata(program).ok()?.modified().ok()
}

fn print_of(files: &[PathBuf]) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.hash(&mut hasher);
        fs::read(file)
            .with_context(|| format!("{} cannot be read", file.display()))?
            .hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// Every file, in a fixed order. A directory that is not there has none.
pub fn files_under(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    if !directory.exists() {
        return Ok(files);
    }
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_under(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
