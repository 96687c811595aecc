//! Sessions under their projects: which groups there are, in which order, under which names. Pure.

use crate::model::{Project, ProjectId, SessionId, SessionSummary};

#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub project_id: ProjectId,
    pub name: String,
    /// Newest activity first; with each whether a request waits in it.
    pub sessions: Vec<(SessionId, bool)>,
}

impl Default for Group {
    fn default() -> Self {
        Self {
            project_id: ProjectId(String::new()),
            name: String::new(),
            sessions: Vec::new(),
        }
    }
}

impl Group {
    pub fn every_session(&self) -> Vec<SessionId> {
        self.sessions.iter().map(|(id, _)| *id).collect()
    }

    /// The newest ones, and every one that waits.
    pub fn first_sessions(&self, limit: usize) -> Vec<SessionId> {
        self.sessions
            .iter()
            .enumerate()
            .filter(|(index, (_, waits))| *index < limit || *waits)
            .map(|(_, (id, _))| *id)
            .collect()
    }
}

/// Projects in the order they are offered, which does not change while one works; only those that have sessions.
/// `sessions` come newest first.
pub fn groups(projects: &[Project], sessions: &[SessionSummary]) -> Vec<Group> {
    let mut groups: Vec<Group> = projects
        .iter()
        .map(|project| Group {
            project_id: project.project_id.clone(),
            name: project.name.clone(),
            sessions: sessions
                .iter()
                .filter(|session| session.project_id == project.project_id)
                .map(|session| (session.session_id, waits(session)))
                .collect(),
        })
        .filter(|group| !group.sessions.is_empty())
        .collect();
    let names: Vec<String> = groups.iter().map(|group| group.name.clone()).collect();
    for group in &mut groups {
        if names.iter().filter(|name| **name == group.name).count() > 1 {
            group.name = with_parent(&group.project_id);
        }
    }
    groups
}

fn waits(session: &SessionSummary) -> bool {
    session
        .process
        .as_ref()
        .is_some_and(|process| !process.pending_requests.is_empty())
}

/// `work/api` rather than `api`, where two projects have the same name.
fn with_parent(id: &ProjectId) -> String {
    let mut parts = id.as_str().trim_end_matches('/').rsplit('/');
    match (parts.next(), parts.next()) {
        (Some(name), Some(parent)) if !parent.is_empty() => format!("{parent}/{name}"),
        _ => id.0.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::UnixTime;

    fn project(path: &str) -> Project {
        let project_id = ProjectId::from(path);
        Project {
            name: project_id.name().to_owned(),
            project_id,
        }
    }

    fn session(path: &str) -> SessionSummary {
        SessionSummary {
            session_id: SessionId::random(),
            project_id: ProjectId::from(path),
            title: String::new(),
            created_at: UnixTime(0.0),
            updated_at: UnixTime(0.0),
            process: None,
        }
    }

    #[test]
    fn projects_keep_their_order_and_empty_ones_are_left_out() {
        let projects = ["/a/web", "/a/api", "/a/empty"].map(project);
        let sessions = ["/a/api", "/a/web", "/a/api"].map(session);
        let names = groups(&projects, &sessions)
            .into_iter()
            .map(|group| (group.name, group.sessions.len()))
            .collect::<Vec<_>>();
        assert_eq!(names, [("web".to_owned(), 1), ("api".to_owned(), 2)]);
    }

    #[test]
    fn projects_of_the_same_name_show_where_they_are() {
        let projects = ["/home/ada/api", "/srv/api", "/api"].map(project);
        let sessions = ["/home/ada/api", "/srv/api", "/api"].map(session);
        let names = groups(&projects, &sessions)
            .into_iter()
            .map(|group| group.name)
            .collect::<Vec<_>>();
        assert_eq!(names, ["ada/api", "srv/api", "/api"]);
    }

    #[test]
    fn a_long_list_is_cut_but_never_hides_who_waits() {
        let ids: Vec<SessionId> = (0..5).map(|_| SessionId::random()).collect();
        let group = Group {
            sessions: ids.iter().map(|id| (*id, *id == ids[4])).collect(),
            ..Group::default()
        };
        assert_eq!(group.first_sessions(2), [ids[0], ids[1], ids[4]]);
        assert_eq!(group.every_session(), ids);
    }
}
