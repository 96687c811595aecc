//! Owns the permission modes and their names on the wire.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Default,
    AcceptEdits,
    Plan,
    DontAsk,
    Auto,
    BypassPermissions,
}

impl Mode {
    pub const NAMES: &'static str = "acceptEdits, auto, bypassPermissions, default, dontAsk, plan";

    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            // `manual` is the newer name that the CLI's help prints for the same mode
            "default" | "manual" => Self::Default,
            "acceptEdits" => Self::AcceptEdits,
            "plan" => Self::Plan,
            "dontAsk" => Self::DontAsk,
            "auto" => Self::Auto,
            "bypassPermissions" => Self::BypassPermissions,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::AcceptEdits => "acceptEdits",
            Self::Plan => "plan",
            Self::DontAsk => "dontAsk",
            Self::Auto => "auto",
            Self::BypassPermissions => "bypassPermissions",
        }
    }
}
