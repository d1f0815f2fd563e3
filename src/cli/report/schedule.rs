//! The lines for cron and the units for systemd that `init` prints: retention hourly, a backup daily, a reminder weekly.
//!
//! Both lock by themselves: a run that comes while another is under way ends with exit 11.

use std::fmt::Write as _;
use std::path::Path;

/// What is run when, and as whom.
#[derive(Debug)]
pub(crate) struct Schedule<'a> {
    /// The program.
    pub program: &'a Path,
    /// The tree.
    pub root: &'a Path,
    /// The folder of the backups.
    pub target: &'a Path,
    /// The user that the tree belongs to.
    pub user: &'a str,
}

/// A job: its name, its arguments, when cron runs it, when systemd does, whether it writes into the target, and what it is.
struct Job {
    name: &'static str,
    command: &'static str,
    cron: &'static str,
    calendar: &'static str,
    writes_target: bool,
    about: &'static str,
}

const JOBS: [Job; 3] = [
    Job {
        name: "retention",
        command: "retention run",
        cron: "17 * * * *",
        calendar: "*-*-* *:17:00",
        writes_target: false,
        about: "remove and compress what is due",
    },
    Job {
        name: "backup",
        command: "backup run",
        cron: "40 2 * * *",
        calendar: "*-*-* 02:40:00",
        writes_target: true,
        about: "make an encrypted backup and read it back",
    },
    Job {
        name: "remind",
        command: "review remind",
        cron: "0 8 * * 1",
        calendar: "Mon *-*-* 08:00:00",
        writes_target: false,
        about: "tell what waits for a decision",
    },
];

impl Schedule<'_> {
    /// The lines of a crontab. What goes well is silent, so that each mail of cron means something.
    pub(crate) fn cron(&self) -> String {
        let mut text = format!("# hermes-mem: for the crontab of {}: crontab -u {0} -e\n", self.user);
        let (program, root) = (cron_word(self.program), cron_word(self.root));
        for job in &JOBS {
            let nice = if job.name == "remind" { "" } else { "nice -n 10 ionice -c 3 " };
            let _ = writeln!(text, "{:<12} {nice}{program} --root {root} {}", job.cron, job.command);
        }
        text
    }

    /// A service and a timer for each job, each under the name of its file.
    pub(crate) fn systemd(&self) -> String {
        let mut text = String::new();
        for job in &JOBS {
            let _ = write!(text, "{}\n{}\n", self.service(job), timer(job));
        }
        let timers: Vec<String> = JOBS.iter().map(|job| format!("hermes-mem-{}.timer", job.name)).collect();
        let _ = writeln!(text, "# then: systemctl daemon-reload && systemctl enable --now {}", timers.join(" "));
        text
    }

    fn service(&self, job: &Job) -> String {
        let (program, root) = (unit_word(self.program), unit_word(self.root));
        let target = if job.writes_target { format!(" {}", unit_word(self.target)) } else { String::new() };
        format!(
            "# /etc/systemd/system/hermes-mem-{name}.service\n\
             [Unit]\n\
             Description=hermes-mem: {about}\n\
             \n\
             [Service]\n\
             Type=oneshot\n\
             User={user}\n\
             ExecStart={program} --root {root} {command}\n\
             # Another run is under way: nothing went wrong.\n\
             SuccessExitStatus=11\n\
             Nice=10\n\
             IOSchedulingClass=idle\n\
             UMask=0027\n\
             NoNewPrivileges=yes\n\
             CapabilityBoundingSet=\n\
             PrivateNetwork=yes\n\
             PrivateTmp=yes\n\
             PrivateDevices=yes\n\
             ProtectSystem=strict\n\
             ProtectHome=read-only\n\
             ReadWritePaths={root}{target}\n\
             ProtectKernelTunables=yes\n\
             ProtectKernelModules=yes\n\
             ProtectControlGroups=yes\n\
             RestrictSUIDSGID=yes\n\
             RestrictNamespaces=yes\n\
             LockPersonality=yes\n\
             MemoryDenyWriteExecute=yes\n\
             SystemCallFilter=@system-service\n",
            name = job.name,
            about = job.about,
            user = self.user,
            command = job.command,
        )
    }
}

fn timer(job: &Job) -> String {
    format!(
        "# /etc/systemd/system/hermes-mem-{name}.timer\n\
         [Unit]\n\
         Description=hermes-mem: {about}\n\
         \n\
         [Timer]\n\
         OnCalendar={calendar}\n\
         # What was missed while the machine was off is made up for.\n\
         Persistent=yes\n\
         \n\
         [Install]\n\
         WantedBy=timers.target\n",
        name = job.name,
        about = job.about,
        calendar = job.calendar,
    )
}

fn is_plain(text: &str) -> bool {
    text.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '/' | '.' | '-' | '_' | '+' | ':' | '@'))
}

/// A path in a crontab: a word of the shell, in which `%` would be a line end.
fn cron_word(path: &Path) -> String {
    let text = path.to_string_lossy();
    if is_plain(&text) { text.into_owned() } else { format!("'{}'", text.replace('\'', r"'\''").replace('%', r"\%")) }
}

/// A path in a unit, where `%` begins a specifier.
fn unit_word(path: &Path) -> String {
    let text = path.to_string_lossy();
    if is_plain(&text) {
        return text.into_owned();
    }
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\"").replace('%', "%%").replace('$', "$$"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_blanks_and_percents_stay_one_word() {
        let path = Path::new("/srv/it's 5%/x");
        assert_eq!(cron_word(path), r"'/srv/it'\''s 5\%/x'");
        assert_eq!(unit_word(path), r#""/srv/it's 5%%/x""#);
        assert_eq!(cron_word(Path::new("/opt/struktur/memory")), "/opt/struktur/memory");
    }
}
