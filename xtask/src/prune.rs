//! Takes code out of the module that the linker has to keep though it never runs.
//!
//! leptos keeps in every erased view a pointer to the function that would hydrate it piece by piece, which only
//! `hydrate_lazy` calls. We hydrate in one go (`hydrate_body`), so those functions become a trap, and all that only
//! they need goes with them: about a tenth of the module.

use anyhow::{Context, Result, ensure};
use std::path::Path;
use walrus::{FunctionBuilder, FunctionKind, Module, ValType};

/// Part of the names of those functions, of the futures they would make, and of what drops these.
const NEVER_CALLED: &str = "hydrate_async";

/// The module without what never runs.
pub fn pruned(file: &Path) -> Result<Vec<u8>> {
    let mut module = Module::from_file(file)
        .with_context(|| format!("{} cannot be read as WASM", file.display()))?;
    let cut = cut(&mut module);
    ensure!(
        cut > 0,
        "nothing was cut from {}: leptos has changed, and xtask/src/prune.rs must follow",
        file.display()
    );
    Ok(module.emit_wasm())
}

fn cut(module: &mut Module) -> usize {
    let never_called: Vec<_> = module
        .funcs
        .iter_local()
        .filter(|(id, _)| {
            let name = module.funcs.get(*id).name.as_deref().unwrap_or_default();
            name.contains(NEVER_CALLED)
        })
        .map(|(id, function)| (id, function.ty()))
        .collect();
    for (id, signature) in &never_called {
        let (takes, gives) = module.types.params_results(*signature);
        let (takes, gives): (Vec<ValType>, Vec<ValType>) = (takes.to_vec(), gives.to_vec());
        let parameters = takes.iter().map(|kind| module.locals.add(*kind)).collect();
        let mut trap = FunctionBuilder::new(&mut module.types, &takes, &gives);
        trap.func_body().unreachable();
        module.funcs.get_mut(*id).kind = FunctionKind::Local(trap.local_func(parameters));
    }
    never_called.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_never_runs_becomes_a_trap() {
        let mut module = Module::default();
        for name in ["_ZN4view8into_any13hydrate_async17h0E", "other"] {
            let mut body = FunctionBuilder::new(&mut module.types, &[], &[ValType::I32]);
            body.func_body().i32_const(7);
            let id = body.finish(vec![], &mut module.funcs);
            module.funcs.get_mut(id).name = Some(name.to_owned());
        }
        assert_eq!(cut(&mut module), 1);
        let traps: Vec<bool> = module
            .funcs
            .iter_local()
            .map(|(_, function)| {
                let body = function.block(function.entry_block());
                matches!(body.instrs[0].0, walrus::ir::Instr::Unreachable(_))
            })
            .collect();
        assert_eq!(traps.iter().filter(|trap| **trap).count(), 1);
    }
}
