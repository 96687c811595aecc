//! A process and whatever it started, also in groups of their own: one look at all processes of the machine.

use super::birth::Birth;
use rustix::process::{Signal, kill_process};
use std::collections::HashMap;
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, RefreshKind, System};

/// A process, known again by its birth: its number may belong to another one later.
pub struct Descendant {
    pid: u32,
    birth: Birth,
}

impl Descendant {
    fn now(pid: u32) -> Option<Self> {
        Birth::of(pid).map(|birth| Self { pid, birth })
    }

    pub fn kill(&self) {
        let pid = rustix::process::Pid::from_raw(self.pid.cast_signed());
        if let Some(pid) =
            pid.filter(|_| Birth::of(self.pid).is_some_and(|now| now.is(&self.birth)))
        {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

pub struct Tree {
    system: System,
    children: HashMap<Pid, Vec<Pid>>,
}

impl Tree {
    /// As it is now. Blocks for moments.
    pub fn look() -> Option<Self> {
        let mut system = System::new_with_specifics(RefreshKind::nothing()).ok()?;
        system.refresh_processes_specifics(
            ProcessesToUpdate::All,
            true,
            ProcessRefreshKind::nothing().with_memory().without_tasks(),
        );
        let mut children: HashMap<Pid, Vec<Pid>> = HashMap::new();
        for (pid, process) in system.processes() {
            if let Some(parent) = process.parent() {
                children.entry(parent).or_default().push(*pid);
            }
        }
        Some(Self { system, children })
    }

    /// All of it, itself first.
    pub fn of(&self, root: u32) -> Vec<u32> {
        let mut found = vec![Pid::from_u32(root)];
        let mut next = 0;
        while let Some(pid) = found.get(next) {
            let started = self.children.get(pid).map_or(&[][..], Vec::as_slice);
            found.extend_from_slice(started);
            next += 1;
        }
        found.into_iter().map(Pid::as_u32).collect()
    }

    /// What it started in whatever group: no signal to its own group reaches all of it.
    pub fn below(&self, root: u32) -> Vec<Descendant> {
        let all = self.of(root).into_iter().skip(1);
        all.filter_map(Descendant::now).collect()
    }

    /// Resident bytes of all of it.
    pub fn memory(&self, root: u32) -> u64 {
        let all = self.of(root).into_iter();
        let known = all.filter_map(|pid| self.system.process(Pid::from_u32(pid)));
        known.map(sysinfo::Process::memory).sum()
    }
}
