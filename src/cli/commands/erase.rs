//! `erase`

use clap::Args;

use super::Outcome;
use crate::app::erase::{self, Selector};
use crate::app::{Context, Error, Operation, Refusal};
use crate::cli::prompt::Prompter as _;
use crate::cli::{Exit, Failure, Session, complete, report};
use crate::domain::erase::Needle;

/// Arguments of `erase`.
#[derive(Debug, Args)]
#[command(override_usage = "hermes-mem erase <--match|--entity|--session> VALUE [OPTIONS]")]
pub struct EraseArgs {
    /// What to look for
    #[command(flatten)]
    pub what: What,
    /// Show what would go, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask
    #[arg(long)]
    pub yes: bool,
}

/// What to look for: one of these.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct What {
    /// What holds this text, whatever the case of its letters
    #[arg(long = "match", value_name = "TEXT")]
    pub text: Option<String>,
    /// What names this entity as whole words, and the blocks about it
    #[arg(long, value_name = "NAME")]
    pub entity: Option<String>,
    /// This session, the reviews it caused and the blocks from it
    #[arg(long, value_name = "ID", add = clap_complete::ArgValueCompleter::new(complete::sessions))]
    pub session: Option<String>,
}

/// Erases what is found, after asking.
pub(super) fn run(args: &EraseArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    // Before anything is looked for: who may not erase is told so first.
    ctx.audited(&Operation::new("erase"), || erase::may_erase(&ctx))?;
    let selector = selector(&args.what, &ctx)?;
    if args.dry_run {
        let found = erase::find(&ctx, &selector)?;
        report::erase::found(&found, &ctx, &mut session.ui);
        return Ok(exit(&found));
    }
    if !args.yes {
        confirm(args, &selector, &ctx, session)?;
    }
    let erased = erase::erase(&ctx, &selector)?;
    report::erase::erased(&erased, &ctx, &mut session.ui);
    Ok(exit(&erased))
}

fn exit(erased: &erase::Erased) -> Exit {
    if erased.skipped.count > 0 { Exit::Partly } else { Exit::Done }
}

fn selector(what: &What, ctx: &Context) -> Result<Selector, Failure> {
    let short = |error: crate::domain::erase::TooShort| {
        Failure::new(Exit::Usage, "too_short", error.to_string()).hint("name more of it")
    };
    match (&what.text, &what.entity, &what.session) {
        (Some(text), ..) => Ok(Selector::Text(Needle::text(text).map_err(short)?)),
        (_, Some(name), _) => Ok(Selector::Entity(Needle::name(name).map_err(short)?, name.clone())),
        (.., Some(id)) => Ok(Selector::session(ctx, id)?),
        // clap asks for one of them.
        (None, None, None) => Err(Failure::new(Exit::Usage, "usage", "say what to erase")),
    }
}

fn confirm(args: &EraseArgs, selector: &Selector, ctx: &Context, session: &Session) -> Result<(), Failure> {
    if !session.can_ask() {
        let command = match (&args.what.text, &args.what.entity, &args.what.session) {
            (Some(_), ..) => "hermes-mem erase --match … --yes",
            (_, Some(_), _) => "hermes-mem erase --entity … --yes",
            _ => "hermes-mem erase --session … --yes",
        };
        let question = "erasing asks first".to_owned();
        let refusal = Refusal::NoTerminal { question, command: command.to_owned() };
        ctx.record(&Operation::new("erase"), "refused");
        return Err(Error::Refused(refusal).into());
    }
    let found = erase::find(ctx, selector)?;
    let mut prompter = session.prompter();
    prompter.say(&report::erase::to_erase(&found, *session.ui.err_screen()))?;
    if !prompter.confirm("Erase that for good?")? {
        return Err(Failure::new(Exit::Refused, "declined", "nothing was erased"));
    }
    Ok(())
}
