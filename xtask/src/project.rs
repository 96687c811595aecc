//! Where things are, read from `Leptos.toml`, and how cargo is called for each half of the program.

use anyhow::{Context, Result, bail};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

const PACKAGE: &str = "countersign";
const WASM: &str = "wasm32-unknown-unknown";

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Half {
    FrontEnd,
    Server,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    Dev,
    Release,
}

impl Profile {
    /// The directory cargo gives it.
    pub fn directory(self) -> &'static str {
        match self {
            Profile::Dev => "debug",
            Profile::Release => "release",
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Profile::Dev => &[],
            Profile::Release => &["--release"],
        }
    }

    /// A release comes in two pieces.
    pub fn is_split(self) -> bool {
        self == Profile::Release
    }

    fn feature_of_the_front_end(self) -> &'static str {
        match self.is_split() {
            true => "split",
            false => "hydrate",
        }
    }

    /// Without the relocations nobody could tell afterwards what uses what.
    fn arguments_of_the_compiler(self) -> &'static [&'static str] {
        match self.is_split() {
            true => &["--", "-Clink-args=--emit-relocs"],
            false => &[],
        }
    }

    /// The front end has the server's profile *name* with other values: a profile of its own would compile every
    /// procedural macro a second time. (Panics need no word: WASM always aborts.)
    fn front_end_values(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Profile::Dev => &[
                ("CARGO_PROFILE_DEV_DEBUG", "0"),
                ("CARGO_PROFILE_DEV_STRIP", "debuginfo"),
            ],
            Profile::Release => &[
                ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "z"),
                ("CARGO_PROFILE_RELEASE_LTO", "fat"),
                ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1"),
                ("CARGO_PROFILE_RELEASE_STRIP", "debuginfo"),
            ],
        }
    }
}

pub struct Project {
    pub root: PathBuf,
    /// Cargo's output, wherever CARGO_TARGET_DIR puts it.
    target: PathBuf,
    /// Always inside the project: the server embeds it by a path relative to its crate.
    pub site: PathBuf,
    pub output_name: String,
    pub package_directory: String,
    pub style_file: PathBuf,
    pub public: PathBuf,
}

impl Project {
    pub fn find() -> Result<Self> {
        let crate_directory =
            env::var_os("CARGO_MANIFEST_DIR").context("run this as `cargo xtask`")?;
        let root = Path::new(&crate_directory)
            .parent()
            .context("xtask has no parent directory")?
            .to_path_buf();
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(directory) => std::path::absolute(directory)?,
            None => root.join("target"),
        };
        let text =
            fs::read_to_string(root.join("Leptos.toml")).context("Leptos.toml cannot be read")?;
        let file: toml::Table = text.parse().context("Leptos.toml is not TOML")?;
        let section = file
            .get("package")
            .and_then(|package| package.get("metadata"))
            .and_then(|metadata| metadata.get("leptos"))
            .context("Leptos.toml has no [package.metadata.leptos]")?;
        let setting = |key: &str| {
            let value = section.get(key).and_then(toml::Value::as_str);
            value.with_context(|| format!("Leptos.toml has no `{key}`"))
        };
        Ok(Self {
            site: root.join(setting("site-root")?),
            output_name: setting("output-name")?.to_owned(),
            package_directory: setting("site-pkg-dir")?.to_owned(),
            style_file: root.join(setting("style-file")?),
            public: root.join(setting("assets-dir")?),
            target,
            root,
        })
    }

    pub fn style_directory(&self) -> &Path {
        self.style_file.parent().unwrap_or(&self.root)
    }

    pub fn compiled_front_end(&self, profile: Profile) -> PathBuf {
        let file = format!("{PACKAGE}.wasm");
        self.target.join(WASM).join(profile.directory()).join(file)
    }

    pub fn server_binary(&self, profile: Profile) -> PathBuf {
        let file = format!("{PACKAGE}{}", env::consts::EXE_SUFFIX);
        self.target.join(profile.directory()).join(file)
    }

    pub fn compile(&self, half: Half, profile: Profile) -> Result<()> {
        match half {
            Half::FrontEnd => timed("front end compiled", || {
                // only the cdylib: link-time optimisation is not done for a library that is an rlib as well
                run(self
                    .front_end("rustc", profile)
                    .args(["--crate-type", "cdylib"])
                    .args(profile.arguments_of_the_compiler()))
            }),
            Half::Server => timed("server compiled", || {
                let mut cargo = self.cargo("build");
                cargo
                    .args(["--bin", PACKAGE, "--features", "ssr"])
                    .args(profile.flags());
                run(&mut cargo)
            }),
        }
    }

    /// `cargo <command>` on the release front end, e.g. clippy.
    pub fn cargo_on_front_end(&self, arguments: &[String]) -> Result<()> {
        let (command, rest) = arguments.split_first().context("which cargo command?")?;
        run(self.front_end(command, Profile::Release).args(rest))
    }

    fn front_end(&self, command: &str, profile: Profile) -> Command {
        let mut cargo = self.cargo(command);
        cargo
            .args(["--lib", "--target", WASM, "--features"])
            .arg(profile.feature_of_the_front_end())
            .args(profile.flags())
            .envs(profile.front_end_values().iter().copied());
        cargo
    }

    fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target)
            .args([
                command,
                "--locked",
                "--package",
                PACKAGE,
                "--no-default-features",
            ]);
        cargo
    }
}

#[cfg(test)]
impl Project {
    /// With the usual names of things.
    pub fn at(root: PathBuf, target: PathBuf) -> Self {
        Self {
            site: target.join("site"),
            output_name: PACKAGE.to_owned(),
            package_directory: "pkg".to_owned(),
            style_file: root.join("style/main.css"),
            public: root.join("public"),
            target,
            root,
        }
    }
}

fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("{} cannot be started", command.get_program().display()))?;
    if !status.success() {
        let task = command
            .get_args()
            .next()
            .unwrap_or_default()
            .display()
            .to_string();
        bail!("`cargo {task}` failed ({status})");
    }
    Ok(())
}

/// Does it, and says how long it took.
pub fn timed<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let start = Instant::now();
    let done = work()?;
    eprintln!("{:>8.1} s  {what}", start.elapsed().as_secs_f32());
    Ok(done)
}
