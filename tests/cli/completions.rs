//! Completion: commands, options and ids, from the stubs that are committed; and that it never does harm.

use std::path::Path;

use crate::world::{Ran, World, without};

/// What bash offers for a line that ends in the word to complete, through the committed stub as bash itself uses it.
fn bash(world: &World, line: &str) -> Vec<String> {
    let script = r#"
        source "$STUB"
        _hermes_mem_fetch; [ $? = 124 ] || { echo "the stub fetched nothing"; exit 1; }
        read -ra COMP_WORDS <<< "$LINE"
        [[ "$LINE" == *' ' ]] && COMP_WORDS+=('')
        COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 )) COMP_TYPE=9 COMP_LINE=$LINE COMP_POINT=${#LINE}
        registered=$(complete -p hermes-mem); registered=${registered##*-F }; registered=${registered%% *}
        compopt() { :; }
        "$registered" hermes-mem "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let stub = Path::new(env!("CARGO_MANIFEST_DIR")).join("completions/hermes-mem.bash");
    let output = world.shell(script).env("STUB", stub).env("LINE", line).output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.trim_end().to_owned()).collect()
}

/// What the program itself answers a shell that asks.
fn asked(world: &World, words: &[&str]) -> Ran {
    let last = (words.len() - 1).to_string();
    let mut args = vec!["--"];
    args.extend(words);
    let mut command = world.command(&args);
    command.env("COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", last).env("_CLAP_COMPLETE_COMP_TYPE", "9");
    command.env("_CLAP_COMPLETE_SPACE", "false").env("_CLAP_IFS", "\n");
    let output = command.output().unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn bash_completes_commands_options_and_values() {
    let world = World::demo();
    assert_eq!(bash(&world, "hermes-mem rev"), ["review"]);
    let commands = bash(&world, "hermes-mem review ");
    assert!(commands.contains(&"approve".to_owned()) && commands.contains(&"walk".to_owned()), "{commands:?}");
    assert_eq!(bash(&world, "hermes-mem review approve --evi"), ["--evidence"]);
    assert_eq!(bash(&world, "hermes-mem completions f"), ["fish"]);
}

#[test]
fn bash_completes_ids_by_any_part_of_them() {
    let world = World::demo();
    let pending = bash(&world, "hermes-mem review approve ");
    assert!(pending.iter().filter(|id| id.starts_with("REVIEW-")).count() >= 5, "{pending:?}");
    assert_eq!(bash(&world, "hermes-mem review approve vento-telegram"), ["REVIEW-20260518-143000-vento-telegram"]);
    assert_eq!(
        bash(&world, "hermes-mem review show REVIEW-20260518-143000-vento-t"),
        ["REVIEW-20260518-143000-vento-telegram"]
    );
    let approved = bash(&world, "hermes-mem review transferred REVIEW");
    assert_eq!(approved.len(), 1, "{approved:?}");
    let sessions = bash(&world, "hermes-mem session show SESSION-carlo");
    assert_eq!(sessions.len(), 2, "{sessions:?}");
}

#[test]
fn fish_and_zsh_take_their_stubs() {
    for (shell, stub, line) in [
        ("fish", "hermes-mem.fish", "source $STUB; complete -C 'hermes-mem rev'"),
        (
            "zsh",
            "_hermes-mem",
            "compdef() { :; }; source $STUB; (( $+functions[_clap_dynamic_completer_hermes_mem] )) && echo review",
        ),
    ] {
        if without(shell) {
            continue;
        }
        let world = World::demo();
        let stub = Path::new(env!("CARGO_MANIFEST_DIR")).join("completions").join(stub);
        let mut command = world.shell_of(shell, line);
        let output = command.env("STUB", stub).env("HOME", world.dir()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("review"), "{shell}: {said}{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn completing_writes_nothing_and_waits_for_no_lock() {
    let world = World::demo();
    let before = world.files("memory");
    let lock = std::fs::File::open(world.root().join(".locks/tree.lock")).unwrap();
    lock.lock().unwrap();
    for words in [
        &["hermes-mem", "review", "approve", ""][..],
        &["hermes-mem", "session", "show", ""],
        &["hermes-mem", "review", "create", "--session", ""],
    ] {
        let ran = asked(&world, words);
        assert!(ran.code == Some(0) && ran.err.is_empty() && !ran.out.is_empty(), "{ran}");
    }
    assert_eq!(world.files("memory"), before);
}

#[test]
fn completing_never_fails_aloud() {
    let ids = ["hermes-mem", "review", "approve", ""];
    let quiet = |world: &World, what: &str| {
        let ran = asked(world, &ids);
        assert!(ran.code == Some(0) && ran.err.is_empty(), "{what}: {ran}");
        assert!(!ran.out.contains("REVIEW-20260518-143000-vento-telegram"), "{what}: {ran}");
    };
    quiet(&World::bare(), "no tree");

    let file = World::bare();
    file.write("memory", "no folder");
    quiet(&file, "the root is a file");

    let config = World::demo();
    config.write("memory/config.toml", "no = [toml");
    quiet(&config, "a configuration that is wrong");

    let damaged = World::demo();
    for name in ["REVIEW-20260518-143000-vento-telegram", "REVIEW-20260518-143000-vento-montag"] {
        damaged.write(format!("memory/review-queue/{name}.json"), "{\"review_id\": ");
    }
    quiet(&damaged, "files that are damaged");
    // What can be read is offered all the same.
    assert!(asked(&damaged, &ids).out.contains("vento-vps-02"));

    let gone = World::demo();
    std::fs::remove_dir_all(gone.root().join("review-queue")).unwrap();
    quiet(&gone, "half a tree");

    let mut hostile = World::demo();
    hostile.at("no time at all");
    quiet(&hostile, "a clock that is none");
}

#[test]
fn an_unreadable_tree_completes_to_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::demo();
    let queue = world.root().join("review-queue");
    let closed = std::fs::Permissions::from_mode(0o000);
    std::fs::set_permissions(&queue, closed).unwrap();
    let is_root = std::fs::read_dir(&queue).is_ok();
    let ran = if is_root {
        // Nothing is closed to root: another user asks.
        if without("setpriv") {
            return;
        }
        std::fs::set_permissions(world.dir(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let ask = "COMPLETE=bash _CLAP_COMPLETE_INDEX=3 _CLAP_COMPLETE_COMP_TYPE=9 _CLAP_COMPLETE_SPACE=false _CLAP_IFS=' ' \
                   setpriv --reuid 65534 --regid 65534 --clear-groups ./hermes-mem -- hermes-mem review approve ''";
        // A copy, since the build's own folder may be closed to other users.
        std::fs::copy(env!("CARGO_BIN_EXE_hermes-mem"), world.dir().join("hermes-mem")).unwrap();
        world.shell(ask).output().unwrap()
    } else {
        let mut command = world.shell("hermes-mem -- hermes-mem review approve ''");
        command.env("COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", "3").output().unwrap()
    };
    std::fs::set_permissions(&queue, std::fs::Permissions::from_mode(0o750)).unwrap();
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success() && err.is_empty() && !out.contains("REVIEW-"), "{out}{err}");
}
