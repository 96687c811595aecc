//! Files as the browser hands them over, and reading one.

use futures::channel::oneshot;
use web_sys::wasm_bindgen::JsCast;
use web_sys::wasm_bindgen::closure::Closure;
use web_sys::{DataTransfer, File, FileList, FileReader};

pub fn list(files: Option<FileList>) -> Vec<File> {
    let Some(files) = files else {
        return Vec::new();
    };
    (0..files.length())
        .filter_map(|index| files.get(index))
        .collect()
}

/// What was pasted or dropped, if it is files.
pub fn carried(data: Option<DataTransfer>) -> Vec<File> {
    list(data.and_then(|data| data.files()))
}

/// Something with files is held over the page.
pub fn carries_files(data: Option<DataTransfer>) -> bool {
    data.is_some_and(|data| {
        let kinds = data.types();
        kinds
            .iter()
            .any(|kind| kind.as_string().as_deref() == Some("Files"))
    })
}

/// The whole file as a `data:` address.
pub async fn address_of(file: &File) -> Option<String> {
    let reader = FileReader::new().ok()?;
    let (ended, end) = oneshot::channel::<()>();
    let on_end = Closure::once(move || {
        let _ = ended.send(());
    });
    reader.set_onloadend(Some(on_end.as_ref().unchecked_ref()));
    reader.read_as_data_url(file).ok()?;
    end.await.ok()?;
    reader.result().ok()?.as_string()
}
