//! What an agent said that it can do. The next one will be like it, also after a restart.

use super::{Store, Write};
use crate::model::Capabilities;
use rusqlite::{OptionalExtension, Transaction, params};
use std::sync::Arc;

impl Store {
    pub fn note_capabilities(&self, agent: &str, said: Arc<Capabilities>) {
        self.queue(Write::Capabilities(agent.to_owned(), said));
    }

    pub fn capabilities(&self, agent: &str) -> Option<Capabilities> {
        let said = self.read(|connection| {
            connection
                .query_row(
                    "SELECT said FROM capabilities WHERE agent = ?1",
                    [agent],
                    |row| row.get::<_, String>(0),
                )
                .optional()
        });
        serde_json::from_str(&said?).ok()
    }
}

pub fn write(
    transaction: &Transaction<'_>,
    agent: &str,
    said: &Capabilities,
) -> rusqlite::Result<usize> {
    let said = serde_json::to_string(said).unwrap_or_default();
    transaction.execute(
        "INSERT OR REPLACE INTO capabilities (agent, said) VALUES (?1, ?2)",
        params![agent, said],
    )
}
