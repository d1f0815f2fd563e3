//! `review pending | list | show`

use clap::{Args, ValueEnum};

use crate::app::reviews::{self, ListQuery, Sort};
use crate::cli::args::{OnlyAgent, Since, since};
use crate::cli::commands::Outcome;
use crate::cli::{Exit, Session, complete, report};
use crate::domain::review::{Kind, Status};
use crate::domain::span::Span;

/// Which reviews, and in which order.
#[derive(Clone, Debug, Args)]
pub struct Filters {
    /// Only of a project whose name holds this
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// Only this agent's
    #[command(flatten)]
    pub agent: OnlyAgent,
    /// Only for a page whose path holds this
    #[arg(long, value_name = "PAGE")]
    pub page: Option<String>,
    /// Only those that the vault contradicts
    #[arg(long)]
    pub conflict: bool,
    /// Only of these kinds
    #[arg(long, value_name = "KIND", value_enum, value_delimiter = ',')]
    pub kind: Vec<KindArg>,
    /// Only filed this long ago or earlier, such as 7d
    #[arg(long, value_name = "SPAN")]
    pub older_than: Option<Span>,
    /// Only filed since: a span such as 7d, a date, or RFC 3339
    #[arg(long, value_name = "WHEN", value_parser = since)]
    pub since: Option<Since>,
    /// Only whose fact, project or page holds these words
    #[arg(long, value_name = "WORDS")]
    pub search: Option<String>,
    /// The order of the list
    #[arg(long, value_name = "ORDER", value_enum, default_value_t)]
    pub sort: SortArg,
    /// List at most N
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

impl Filters {
    /// The query for reviews with these statuses.
    pub fn query(self, statuses: Vec<Status>, now: crate::domain::time::Timestamp) -> ListQuery {
        ListQuery {
            statuses,
            project: self.project,
            agent: self.agent.agent,
            page: self.page,
            conflict: self.conflict,
            kinds: self.kind.into_iter().map(Kind::from).collect(),
            older_than: self.older_than.map(Span::signed_seconds),
            since: self.since.map(|since| since.resolve(now)),
            search: self.search,
            sort: self.sort.into(),
            limit: self.limit,
        }
    }
}

/// A kind on the command line.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum KindArg {
    /// A statement about the world
    #[default]
    Fact,
    /// A decision with a consequence
    Decision,
    /// A task that is done
    Task,
    /// A structured memory block
    Block,
}

impl From<KindArg> for Kind {
    fn from(kind: KindArg) -> Self {
        match kind {
            KindArg::Fact => Self::Fact,
            KindArg::Decision => Self::Decision,
            KindArg::Task => Self::Task,
            KindArg::Block => Self::Block,
        }
    }
}

/// A status on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum StatusArg {
    /// Waits for a human
    Pending,
    /// Approved, not yet in the vault
    Approved,
    /// Written into the vault
    Transferred,
    /// Rejected by a human
    Rejected,
    /// Nobody decided in time
    Expired,
    /// The vault said so already
    Discarded,
}

impl From<StatusArg> for Status {
    fn from(status: StatusArg) -> Self {
        match status {
            StatusArg::Pending => Self::Pending,
            StatusArg::Approved => Self::Approved,
            StatusArg::Transferred => Self::Transferred,
            StatusArg::Rejected => Self::Rejected,
            StatusArg::Expired => Self::Expired,
            StatusArg::Discarded => Self::Discarded,
        }
    }
}

/// An order on the command line.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum SortArg {
    /// Conflicts first, then what expires soonest
    #[default]
    Urgency,
    /// What expires soonest first
    Expires,
    /// The oldest first
    Age,
    /// By project
    Project,
    /// By page
    Page,
}

impl From<SortArg> for Sort {
    fn from(sort: SortArg) -> Self {
        match sort {
            SortArg::Urgency => Self::Urgency,
            SortArg::Expires => Self::Expires,
            SortArg::Age => Self::Age,
            SortArg::Project => Self::Project,
            SortArg::Page => Self::Page,
        }
    }
}

/// How a list is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For reading
    #[default]
    Table,
    /// One document, as --json
    Json,
    /// One document a line
    Jsonl,
    /// With a header, RFC 4180
    Csv,
    /// Only the ids, one a line
    Ids,
}

/// Arguments of `review pending`.
#[derive(Debug, Args)]
pub struct PendingArgs {
    /// Which, and how
    #[command(flatten)]
    pub filters: Filters,
    /// The form of the list
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub format: Format,
}

/// Lists what waits for a decision.
pub(super) fn pending(args: PendingArgs, session: &mut Session) -> Outcome {
    show_list(args.filters, args.format, vec![Status::Pending], session)
}

/// Arguments of `review list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only with these statuses
    #[arg(long, value_name = "STATUS", value_enum, value_delimiter = ',')]
    pub status: Vec<StatusArg>,
    /// Which, and how
    #[command(flatten)]
    pub filters: Filters,
    /// The form of the list
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub format: Format,
}

/// Lists reviews of any status.
pub(super) fn list(args: ListArgs, session: &mut Session) -> Outcome {
    show_list(args.filters, args.format, args.status.into_iter().map(Status::from).collect(), session)
}

fn show_list(filters: Filters, format: Format, statuses: Vec<Status>, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let format = if session.ui.json() { Format::Json } else { format };
    let is_pending = statuses == [Status::Pending];
    let query = filters.query(statuses, ctx.now());
    let (found, skipped) = reviews::list(&ctx, &query)?;
    report::review::list(&found, &skipped, is_pending, format, &ctx, &mut session.ui);
    Ok(if skipped.is_empty() { Exit::Done } else { Exit::Partly })
}

/// Arguments of `review show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The review, or any unique part of its id
    #[arg(value_name = "ID", add = clap_complete::ArgValueCompleter::new(complete::all_reviews))]
    pub id: String,
}

/// Shows a review.
pub(super) fn show(args: &ShowArgs, session: &mut Session) -> Outcome {
    let ctx = session.context()?;
    let id = crate::app::resolve::review(&ctx, &args.id)?;
    let shown = reviews::show(&ctx, &id)?;
    report::review::show(&shown, &ctx, &mut session.ui);
    Ok(Exit::Done)
}
