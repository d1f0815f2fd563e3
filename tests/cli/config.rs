//! The configuration as a user meets it: which value goes before which, and what is said of a wrong one.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::world::{World, finish};

/// The value of a key in `config show`, and where it came from.
fn value(config: &Value, key: &str) -> (Value, Value) {
    let entry = config["values"].as_array().unwrap().iter().find(|entry| entry["key"] == key).unwrap();
    (entry["value"].clone(), entry["from"].clone())
}

#[test]
fn a_flag_goes_before_the_environment_the_file_and_the_default() {
    let world = World::new();
    let path = |name: &str| world.dir().join(name).to_str().unwrap().to_owned();
    world.write("file.toml", format!("root = {}\n[review]\nmax_pending = 7\n", json!(path("by-file"))));
    let show = |args: &[&str], root: Option<&str>| {
        let mut command = world.command(&[&["config", "show", "--json"], args].concat());
        command.env_remove("HERMES_MEM_ROOT").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(root) = root {
            command.env("HERMES_MEM_ROOT", path(root));
        }
        finish(command.spawn().unwrap(), b"").exits(0).json()
    };
    let file = ["--config", "file.toml"];
    let flag = [&file[..], &["--root", "by-flag"]].concat();
    for (args, env, root, from) in [
        (&flag[..], Some("by-env"), "by-flag", "flag"),
        (&file, Some("by-env"), "by-env", "environment"),
        (&file, None, "by-file", "file"),
    ] {
        let config = show(args, env);
        assert_eq!(value(&config, "root"), (json!(path(root)), json!(from)));
        assert_eq!(value(&config, "review.max_pending"), (json!("7"), json!("file")));
        assert_eq!(value(&config, "policy.store_user_input"), (json!("summary"), json!("default")));
    }
    // The agent, too.
    let new = |args: &[&str]| {
        let output = world
            .command(&[&["session", "new", "--json"], args].concat())
            .env("HERMES_MEM_AGENT", "mari")
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(new(&[]).contains("SESSION-mari-") && new(&["--agent", "carlo"]).contains("SESSION-carlo-"));
}

#[test]
fn a_wrong_configuration_names_the_key_and_stops_every_command() {
    let world = World::new();
    for (toml, said) in [
        ("[review]\nmax_pendign = 5\n", "review.max_pendign: is no known key; the nearest is review.max_pending"),
        ("[valt]\npath = \"/x\"\n", "the nearest is vault.path"),
        ("[review]\nmax_pending = \"5\"\n", "review.max_pending: must be a whole number, 1 or more"),
        ("[vault]\npath = \"relative\"\n", "vault.path: must be an absolute path"),
        ("root = \"/x\"\n", "root: can't be set by the file in the tree itself"),
        ("[review\n", "line 1: no valid TOML"),
    ] {
        world.configure(toml);
        for args in [["config", "check"], ["review", "pending"]] {
            let error = world.error(&args, 1);
            assert_eq!(error["code"], "bad_config");
            assert!(error["message"].as_str().unwrap().contains(said), "{said}: {error}");
        }
    }
    world.configure("[review]\nmax_pending = 5\n");
    world.run(&["config", "check"]).exits(0);
    assert_eq!(world.error(&["config", "check", "--config", "nirgends.toml"], 1)["code"], "bad_config");
}
