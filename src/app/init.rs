//! Making a tree.

use std::path::{Path, PathBuf};

use super::config::{Config, template};
use super::error::{Error, Result};
use crate::store::{Modes, Store, new_config};

/// What `init` did.
#[derive(Clone, Debug)]
pub struct Initialized {
    /// The tree's folder.
    pub root: PathBuf,
    /// The folders that were made, relative to the root; empty: all was there.
    pub made: Vec<PathBuf>,
    /// Whether a configuration without live keys was put there, since there was none.
    pub has_new_config: bool,
}

/// The rights that the configuration gives new files.
///
/// # Errors
/// When the group does not exist.
pub fn modes(config: &Config) -> Result<Modes> {
    let group = match &config.group {
        None => None,
        Some(name) => {
            let group = uzers::get_group_by_name(name).ok_or_else(|| Error::NoGroup(name.clone()))?;
            Some(group.gid())
        }
    };
    Ok(Modes::new(group))
}

/// Makes what is missing of a tree. What is there stays as it is.
///
/// # Errors
/// When a folder can't be made.
pub fn init(root: &Path, config: &Config) -> Result<Initialized> {
    let modes = modes(config)?;
    let made = Store::init(root, modes)?;
    let has_new_config = root.join("config.toml").symlink_metadata().is_err();
    if has_new_config {
        new_config(root, &template(), modes)?;
    }
    Ok(Initialized { root: root.to_owned(), made, has_new_config })
}

/// The login of the user that a tree belongs to, or will: its owner, else whoever asks.
pub fn service_user(owner: Option<u32>) -> String {
    let uid = owner.unwrap_or_else(uzers::get_effective_uid);
    uzers::get_user_by_uid(uid).map_or_else(|| uid.to_string(), |user| user.name().to_string_lossy().into_owned())
}
