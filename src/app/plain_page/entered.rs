//! The fields of a plain form as they were sent: read as an answer, and shown again when it is refused. Pure.

#[derive(Clone, Debug, Default)]
pub struct Entered(Vec<(String, String)>);

impl Entered {
    pub fn new(fields: Vec<(String, String)>) -> Self {
        Self(fields)
    }

    /// Every value of this name that says something.
    pub fn all(&self, name: &str) -> Vec<&str> {
        let fields = self.0.iter().filter(|(field, _)| field == name);
        fields
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.trim().is_empty())
            .collect()
    }

    /// Without the blanks around it; one that is empty is as if it were not there.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.all(name).first().map(|value| value.trim())
    }

    pub fn has(&self, name: &str, value: &str) -> bool {
        self.0
            .iter()
            .any(|(field, given)| field == name && given == value)
    }

    /// As it was written, for the field to show it again.
    pub fn written(&self, name: &str) -> Option<String> {
        let mut fields = self.0.iter();
        let (_, value) = fields.find(|(field, _)| field == name)?;
        Some(value.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_say_nothing_but_are_shown_again_as_they_were() {
        let fields = [("pick-0", ""), ("pick-0", "One"), ("other-0", "  ")];
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let entered = Entered::new(fields.into());
        assert_eq!(entered.all("pick-0"), ["One"]);
        assert!(entered.has("pick-0", "") && !entered.has("pick-1", ""));
        assert_eq!(entered.text("other-0"), None);
        assert_eq!(entered.written("other-0").as_deref(), Some("  "));
    }
}
