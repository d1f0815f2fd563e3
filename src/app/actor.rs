//! Who acts: the real Unix user, and what the configuration lets that user do (law 3).

use super::config::{Config, Person, is_login};
use super::error::{Error, Refusal};
use crate::domain::agent::AgentId;

/// Who runs the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The login name; `uid-1000` where there is none, or one that is no `[a-z0-9._-]+`.
    pub login: String,
    /// `cli`, or `sudo` for a user who came as the tree's owner.
    pub via: &'static str,
    /// Who else is behind it: the user the process runs as, and the one `SUDO_UID` names. They give no right, but they can
    /// take one: whoever of them is an agent's user, decides nothing.
    pub others: Vec<String>,
    /// The process runs in a user namespace that gives users other numbers, so that nobody can tell who it is.
    pub is_disguised: bool,
}

impl Actor {
    /// The actor for a real user id.
    ///
    /// Under sudo as the owner of the tree (or root), the user who called sudo acts: only someone who owns the files anyway
    /// could forge that.
    pub fn resolve(
        uid: u32,
        sudo_uid: Option<u32>,
        owner: Option<u32>,
        name_of: impl Fn(u32) -> Option<String>,
    ) -> Self {
        let may_sudo = uid == 0 || Some(uid) == owner;
        let (acts, via) = match sudo_uid.filter(|_| may_sudo) {
            Some(caller) => (caller, "sudo"),
            None => (uid, "cli"),
        };
        let login = |uid| name_of(uid).filter(|name| is_login(name)).unwrap_or_else(|| format!("uid-{uid}"));
        let others = [Some(uid), sudo_uid].into_iter().flatten().filter(|other| *other != acts).map(login).collect();
        Self { login: login(acts), via, others, is_disguised: false }
    }

    /// The actor for this process, given what `SUDO_UID` says and who owns the tree.
    pub fn current(sudo_uid: Option<u32>, owner: Option<u32>) -> Self {
        let name_of = |uid| uzers::get_user_by_uid(uid).and_then(|user| user.name().to_str().map(str::to_owned));
        let actor = Self::resolve(rustix::process::getuid().as_raw(), sudo_uid, owner, name_of);
        Self { is_disguised: crate::store::is_user_namespace(), ..actor }
    }

    /// Whether this user may name a configuration of their own: an agent's may not, since it says what is masked and how
    /// much may be proposed. `standing` is who is who in the tree's and the system's.
    ///
    /// # Errors
    /// When the user is an agent's.
    pub fn may_choose_the_configuration(&self, standing: &Config) -> Result<(), Error> {
        match self.agents(standing).next() {
            Some(_) => Err(Refusal::AgentsConfiguration { user: self.login.clone() }.into()),
            None => Ok(()),
        }
    }

    /// Whether this user may do what is an operator's: an agent's may not. `what` is a verb and its object.
    ///
    /// # Errors
    /// When the user is an agent's, or nobody can tell who it is.
    pub fn may_operate(&self, config: &Config, what: &'static str) -> Result<(), Error> {
        if self.is_disguised && !config.agents.is_empty() {
            return Err(Refusal::Disguised.into());
        }
        match self.agents(config).next() {
            Some(_) => Err(Refusal::NotForAgents { user: self.login.clone(), what }.into()),
            None => Ok(()),
        }
    }

    /// The agents that this user comes as, as the configuration has them.
    fn agents<'a>(&'a self, config: &'a Config) -> impl Iterator<Item = &'a Person> {
        config.agents.iter().filter(|agent| agent.user == self.login || self.others.contains(&agent.user))
    }

    /// The name under which this user decides; `wanted` chooses among the user's own.
    ///
    /// # Errors
    /// When the user is an agent's, is no reviewer, or asks for somebody else's name.
    pub fn reviewer(&self, config: &Config, wanted: Option<&str>) -> Result<String, Error> {
        let refuse = |refusal| Err(Error::Refused(refusal));
        if self.is_disguised && !(config.agents.is_empty() && config.reviewers.is_empty()) {
            return refuse(Refusal::Disguised);
        }
        if self.agents(config).next().is_some() {
            return refuse(Refusal::AgentDecides { user: self.login.clone() });
        }
        let names: Vec<String> = if config.reviewers.is_empty() {
            vec![self.login.clone()]
        } else {
            config
                .reviewers
                .iter()
                .filter(|person| person.user == self.login)
                .map(|person| person.name.clone())
                .collect()
        };
        match (wanted, names.first()) {
            (_, None) => refuse(Refusal::NoReviewer { user: self.login.clone() }),
            (None, Some(first)) => Ok(first.clone()),
            (Some(wanted), _) if names.iter().any(|name| name == wanted) => Ok(wanted.to_owned()),
            (Some(_), _) => refuse(Refusal::NotYourName { names }),
        }
    }

    /// The agent that this user acts as: `wanted`, else the one the configuration gives the user.
    ///
    /// # Errors
    /// When none is named, or the user is another agent's.
    pub fn agent(&self, config: &Config, wanted: Option<AgentId>) -> Result<AgentId, Error> {
        let own: Vec<AgentId> = self.agents(config).filter_map(|agent| AgentId::parse(&agent.name).ok()).collect();
        match (wanted, own.first()) {
            (None, Some(first)) => Ok(first.clone()),
            (None, None) => Err(Error::NoAgent),
            (Some(wanted), None) => Ok(wanted),
            (Some(wanted), Some(_)) if own.contains(&wanted) => Ok(wanted),
            (Some(wanted), Some(first)) => Err(Error::Refused(Refusal::OtherAgent {
                wanted: wanted.short().to_owned(),
                own: first.short().to_owned(),
            })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of(uid: u32) -> Option<String> {
        match uid {
            0 => Some("root".into()),
            1000 => Some("carlo".into()),
            1001 => Some("hermes".into()),
            1002 => Some("Odd Name".into()),
            _ => None,
        }
    }

    #[test]
    fn sudo_counts_only_as_the_trees_owner() {
        let login = |uid, sudo, owner| Actor::resolve(uid, sudo, owner, name_of);
        let actor = |login: &str, via, other: Option<&str>| Actor {
            login: login.into(),
            via,
            others: other.map(Into::into).into_iter().collect(),
            is_disguised: false,
        };
        assert_eq!(login(1000, None, Some(990)), actor("carlo", "cli", None));
        assert_eq!(login(990, Some(1000), Some(990)), actor("carlo", "sudo", Some("uid-990")));
        // An agent that sets SUDO_UID to a reviewer's id gains nothing.
        assert_eq!(login(1001, Some(1000), Some(990)), actor("hermes", "cli", Some("carlo")));
        assert_eq!(login(1002, None, None).login, "uid-1002");
        assert_eq!(login(7, None, None).login, "uid-7");
    }

    #[test]
    fn an_agents_user_decides_nothing_whatever_it_asks_for() {
        let config = Config::parse(
            "[[agent]]\nname = \"carlo\"\nuser = \"hermes\"\n[[reviewer]]\nname = \"c\"\nuser = \"carlo\"\n\
             [[reviewer]]\nname = \"hermes\"\nuser = \"hermes\"",
        )
        .unwrap();
        let actor = |uid| Actor::resolve(uid, None, None, name_of);
        assert!(actor(1001).reviewer(&config, None).is_err());
        assert!(actor(1001).reviewer(&config, Some("hermes")).is_err());
        assert_eq!(actor(1000).reviewer(&config, None).unwrap(), "c");
        assert!(actor(1000).reviewer(&config, Some("hermes")).is_err());
        assert!(actor(0).reviewer(&config, None).is_err());
        assert_eq!(actor(0).reviewer(&Config::default(), None).unwrap(), "root");
    }

    #[test]
    fn an_agent_that_came_through_sudo_to_another_user_decides_nothing_either() {
        let config = Config::parse("[[agent]]\nname = \"carlo\"\nuser = \"hermes\"").unwrap();
        // The root folder is not the service user's, so that SUDO_UID does not count; it is not forgotten all the same.
        let actor = Actor::resolve(1000, Some(1001), Some(990), name_of);
        assert!(actor.reviewer(&config, None).is_err());
        assert_eq!(actor.agent(&config, None).unwrap().short(), "carlo");
        assert!(actor.may_choose_the_configuration(&config).is_err());
        // An agent's user that owns the tree gains nothing by naming a reviewer in SUDO_UID.
        let owner = Actor::resolve(1001, Some(1000), Some(1001), name_of);
        assert_eq!(owner.login, "carlo");
        assert!(owner.reviewer(&config, None).is_err());
        assert!(Actor::resolve(1000, None, Some(990), name_of).may_choose_the_configuration(&config).is_ok());
    }

    #[test]
    fn an_agents_user_is_that_agent() {
        let config = Config::parse("[[agent]]\nname = \"carlo\"\nuser = \"hermes\"").unwrap();
        let hermes = Actor::resolve(1001, None, None, name_of);
        let agent = |name: &str| Some(AgentId::parse(name).unwrap());
        assert_eq!(hermes.agent(&config, None).unwrap().short(), "carlo");
        assert_eq!(hermes.agent(&config, agent("hermes-carlo")).unwrap().short(), "carlo");
        assert!(hermes.agent(&config, agent("mari")).is_err());
        let other = Actor::resolve(1000, None, None, name_of);
        assert_eq!(other.agent(&config, agent("mari")).unwrap().short(), "mari");
        assert!(other.agent(&config, None).is_err());
    }
}
