//! Types that are read by way of a [`serde_json::Value`].
//!
//! What serde derives is compiled once for every source it reads from: text, bytes, and the buffers behind tagged and
//! flattened types. The browser would carry three or four copies of the reading code of its largest types. These are
//! read from one source only; whatever else they come in is first made a `Value`.

/// For types with `#[serde(remote = "Self")]`, which makes the derived code a plain function of the type.
macro_rules! read_by_value {
    ($($name:ident),+) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
                $name::serialize(self, target)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
                let value = <serde_json::Value as serde::Deserialize>::deserialize(source)?;
                $name::deserialize(value).map_err(serde::de::Error::custom)
            }
        }
    )+};
}
pub(crate) use read_by_value;
