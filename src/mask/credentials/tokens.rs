//! Tokens by their issuers' published formats: a fixed prefix, then so many characters of an alphabet.

use super::super::Kind;
use super::super::line::Line;
use super::super::overlap::Span;
use super::value::{has_digit, has_lower, has_upper};

/// The characters that may follow a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alphabet {
    Alnum,
    LowerAlnum,
    HexAlnum,
    Hex,
    Upper,
    /// Letters, figures, `_` and `-`.
    Word,
    /// The same and `.`.
    Dotted,
    /// Base64 in both of its alphabets.
    Base64,
    /// Letters, figures, `$` and `_`.
    Dollar,
    /// Letters, figures and escapes with `%`.
    Percent,
    /// A UUID.
    Uuid,
    /// The rest of a web address.
    Path,
}

use Alphabet::{Alnum, Base64, Dollar, Dotted, Hex, HexAlnum, LowerAlnum, Path, Percent, Upper, Uuid, Word};

/// Prefix, alphabet and least length of what follows, and the issuer. Sorted by prefix.
#[rustfmt::skip]
const FORMATS: &[(&str, Alphabet, usize, &str)] = &[
    ("1//0", Word, 30, "google-refresh"),
    ("6L", Word, 38, "google-recaptcha"),
    ("AAAAAAAAAAAAAAAAAAAAA", Percent, 30, "twitter-bearer"),
    ("ABIA", Upper, 16, "aws-bearer"),
    ("ABSK", Base64, 40, "aws-bedrock"),
    ("AC", Hex, 32, "twilio-account"),
    ("ACCA", Upper, 16, "aws-context"),
    ("AGE-SECRET-KEY-1", Upper, 50, "age-secret"),
    ("AIza", Word, 35, "google-api"),
    ("AKC", Alnum, 60, "artifactory-identity"),
    ("AKCp", Alnum, 50, "jfrog-api"),
    ("AKIA", Upper, 16, "aws-access-key"),
    ("AKID", Alnum, 32, "tencent"),
    ("AKLT", Alnum, 30, "volcengine"),
    ("AP", Hex, 32, "twilio-app"),
    ("API-", Upper, 26, "octopus"),
    ("AQE", Base64, 80, "adyen"),
    ("AQVN", Word, 35, "yandex-cloud"),
    ("AQX", Word, 80, "linkedin"),
    ("ASIA", Upper, 16, "aws-session-key"),
    ("ATATT3", Base64, 50, "atlassian"),
    ("ATBB", Alnum, 24, "atlassian-bitbucket"),
    ("ATCTT3", Base64, 50, "atlassian-connect"),
    ("BBDC-", Base64, 40, "bitbucket-app"),
    ("BBFF-", Alnum, 30, "ubidots"),
    ("CCIPAT_", Word, 30, "circleci-personal"),
    ("CCIPRJ_", Word, 30, "circleci-project"),
    ("CFPAT-", Word, 40, "contentful"),
    ("CLOJARS_", Hex, 50, "clojars"),
    ("DO00", Upper, 16, "digitalocean-spaces"),
    ("EAA", Alnum, 80, "facebook"),
    ("EAAA", Word, 56, "square-access"),
    ("EAAC", Alnum, 60, "facebook-app"),
    ("EXO", Hex, 24, "exoscale"),
    ("EZAK", Alnum, 50, "easypost"),
    ("EZTK", Alnum, 50, "easypost-test"),
    ("FLWPUBK-", Word, 12, "flutterwave-public"),
    ("FLWPUBK_TEST-", Word, 12, "flutterwave-public-test"),
    ("FLWSECK-", Word, 12, "flutterwave"),
    ("FLWSECK_TEST-", Word, 12, "flutterwave-test"),
    ("GOCSPX-", Word, 24, "google-oauth-secret"),
    ("GR1348941", Word, 20, "gitlab-runner-registration"),
    ("HRKU-", Word, 30, "heroku"),
    ("IGQV", Word, 60, "instagram"),
    ("KEY01", Alnum, 40, "telnyx"),
    ("LTAI", Alnum, 12, "alibaba"),
    ("NF-", Word, 30, "nightfall"),
    ("NRAA-", Hex, 27, "newrelic-admin"),
    ("NRAK-", Alnum, 26, "newrelic-user"),
    ("NRII-", Word, 30, "newrelic-insert"),
    ("NRIQ-", Word, 30, "newrelic-query"),
    ("NRJS-", Hex, 19, "newrelic-browser"),
    ("PMAK-", Word, 40, "postman"),
    ("PMAT-", Word, 20, "postman-collection"),
    ("POSTMARK-", Word, 20, "postmark"),
    ("SCW", Upper, 17, "scaleway"),
    ("SG.", Dotted, 40, "sendgrid"),
    ("SK", Hex, 32, "twilio-key"),
    ("aai_", Word, 30, "assemblyai"),
    ("access-development-", Uuid, 36, "plaid-development"),
    ("access-production-", Uuid, 36, "plaid"),
    ("access-sandbox-", Uuid, 36, "plaid-sandbox"),
    ("access_token$production$", Dollar, 30, "paypal-braintree"),
    ("aio_", Alnum, 24, "adafruit"),
    ("ak-", Alnum, 22, "modal"),
    ("alg_", Word, 30, "algolia"),
    ("amzn.mws.", Word, 20, "aws-mws"),
    ("api-", Uuid, 36, "launchdarkly-api"),
    ("api.telegram.org/bot", Path, 35, "telegram-bot-url"),
    ("api_org_", Alnum, 30, "huggingface-org"),
    ("apify_api_", Alnum, 30, "apify"),
    ("as-", Alnum, 22, "modal-secret"),
    ("atlasv1.", Dotted, 60, "terraform-cloud"),
    ("auth0_", Word, 30, "auth0-mgmt"),
    ("azdo_", Word, 40, "azure-devops"),
    ("bce-v3/ALTAK-", Path, 30, "baidu"),
    ("bkaj_", Word, 30, "buildkite-agent-token"),
    ("bkct_", Word, 30, "buildkite-agent"),
    ("bkua_", Hex, 40, "buildkite-user"),
    ("box_", Word, 30, "box"),
    ("brd_", Word, 30, "bright-data"),
    ("bxt_", Word, 30, "brex"),
    ("cal_", Hex, 32, "cal-com"),
    ("cal_live_", Hex, 32, "calendly"),
    ("cfut_", Word, 30, "cloudflare-scoped"),
    ("chat.googleapis.com/v1/spaces/", Path, 40, "google-chat-webhook"),
    ("cio", Alnum, 32, "crates"),
    ("cio_", Alnum, 30, "cratesio-new"),
    ("cmVmdGtu", Base64, 50, "jfrog-reference"),
    ("codecov_", Word, 30, "codecov"),
    ("comet_", Word, 30, "comet"),
    ("crwdn_", Word, 30, "crowdin"),
    ("csk-", Alnum, 40, "cerebras"),
    ("dG9rO", Base64, 40, "intercom"),
    ("dapi", Hex, 32, "databricks"),
    ("dbtc_", Word, 20, "dbt-cloud"),
    ("dbtu_", Word, 20, "dbt-user"),
    ("dckr_oat_", Word, 20, "docker-org"),
    ("dckr_pat_", Word, 20, "docker-personal"),
    ("ddapi_", Word, 30, "datadog"),
    ("ddo_", Alnum, 32, "deno-org"),
    ("ddp_", Alnum, 32, "deno-personal"),
    ("deel_", Word, 40, "deel"),
    ("dg_", Hex, 40, "deepgram"),
    ("discord.com/api/webhooks/", Path, 60, "discord-webhook"),
    ("discordapp.com/api/webhooks/", Path, 60, "discord-webhook-app"),
    ("doo_v1_", Hex, 40, "digitalocean-oauth"),
    ("dop_v1_", Hex, 40, "digitalocean-personal"),
    ("dor_v1_", Hex, 40, "digitalocean-refresh"),
    ("dp.audit.", Alnum, 40, "doppler-audit"),
    ("dp.ct.", Alnum, 40, "doppler-cli"),
    ("dp.pt.", Alnum, 40, "doppler-personal"),
    ("dp.sa.", Alnum, 40, "doppler-service-account"),
    ("dp.scim.", Alnum, 40, "doppler-scim"),
    ("dp.st.", Dotted, 40, "doppler-service"),
    ("dsk-", Word, 30, "deepseek"),
    ("dt0c01.", Dotted, 60, "dynatrace"),
    ("dt0s02.", Dotted, 60, "dynatrace-oauth"),
    ("dt0s16.", Dotted, 60, "dynatrace-platform"),
    ("duffel_live_", Word, 40, "duffel-live"),
    ("duffel_test_", Word, 40, "duffel"),
    ("e2b_", Hex, 40, "e2b"),
    ("endr+", Alnum, 16, "endorlabs"),
    ("eyJ", Dotted, 30, "jwt"),
    ("eyJ0eXAiOiAiVENWMiJ9.", Dotted, 30, "teamcity"),
    ("fastly_", Word, 30, "fastly"),
    ("fc-", Hex, 32, "firecrawl"),
    ("fdk_", Word, 20, "freshdesk"),
    ("figd_", Word, 30, "figma"),
    ("figo_", Word, 30, "figma-oauth"),
    ("fio-u-", Word, 40, "frameio"),
    ("fm1r_", Base64, 40, "fly-macaroon-1"),
    ("fm2_", Base64, 40, "fly-macaroon"),
    ("fo1_", Word, 30, "fly"),
    ("forgejo_", Hex, 40, "forgejo"),
    ("fw_", Alnum, 20, "fireworks"),
    ("genie_", Word, 30, "opsgenie"),
    ("gho_", Alnum, 36, "github-oauth"),
    ("ghost_", Word, 30, "ghost"),
    ("ghp_", Alnum, 36, "github-personal"),
    ("ghr_", Alnum, 36, "github-refresh"),
    ("ghs_", Alnum, 36, "github-server"),
    ("ghu_", Alnum, 36, "github-user"),
    ("gitea_", Hex, 40, "gitea"),
    ("github_pat_", Word, 22, "github-fine-grained"),
    ("glagent-", Word, 20, "gitlab-agent"),
    ("glc_", Base64, 30, "grafana-cloud"),
    ("glcbt-", Word, 20, "gitlab-ci-job"),
    ("gldt-", Word, 20, "gitlab-deploy"),
    ("glffct-", Word, 20, "gitlab-feature-flag"),
    ("glft-", Word, 20, "gitlab-feed"),
    ("glimt-", Word, 20, "gitlab-incoming-mail"),
    ("gloas-", Word, 20, "gitlab-oauth"),
    ("glpat-", Word, 20, "gitlab-personal"),
    ("glptt-", Word, 20, "gitlab-trigger"),
    ("glrt-", Word, 20, "gitlab-runner"),
    ("glsa_", Word, 30, "grafana-service"),
    ("glsoat-", Word, 20, "gitlab-scim"),
    ("gsk_", Alnum, 40, "groq"),
    ("hcaik_", Alnum, 30, "honeycomb"),
    ("hcamk_", Alnum, 30, "honeycomb-management"),
    ("hcloud_", Word, 30, "hetzner"),
    ("hcxik_", Alnum, 30, "honeycomb-ingest"),
    ("hf_", Alnum, 30, "huggingface"),
    ("hooks.slack.com/services/", Path, 30, "slack-webhook"),
    ("hooks.slack.com/triggers/", Path, 30, "slack-trigger"),
    ("hooks.slack.com/workflows/", Path, 30, "slack-workflow"),
    ("hooks.zapier.com/hooks/catch/", Path, 10, "zapier-webhook"),
    ("hvb.", Word, 24, "vault-batch"),
    ("hvr.", Word, 24, "vault-recovery"),
    ("hvs.", Word, 24, "vault-service"),
    ("ibm_", Word, 40, "ibm"),
    ("inc_", Word, 40, "incidentio"),
    ("infura_", Hex, 32, "infura"),
    ("jina_", Word, 40, "jina"),
    ("key-", HexAlnum, 32, "mailgun"),
    ("lin_api_", Alnum, 30, "linear"),
    ("lin_oauth_", Alnum, 30, "linear-oauth"),
    ("linode_", Word, 30, "linode"),
    ("live_", Word, 30, "gocardless"),
    ("lmsq_", Word, 30, "lemon-squeezy"),
    ("lok_", Word, 30, "lokalise"),
    ("ls__", Hex, 32, "langchain"),
    ("lsv2_", Word, 30, "langsmith"),
    ("m.pipedream.net/", Path, 20, "pipedream"),
    ("mainnet", Alnum, 32, "blockfrost"),
    ("maker.ifttt.com/trigger/", Path, 20, "ifttt-webhook"),
    ("md-", Word, 22, "mailchimp-transactional"),
    ("mdb_sa_id_", Hex, 20, "mongodb-atlas-id"),
    ("mdb_sa_sk_", Word, 30, "mongodb-atlas"),
    ("mistral_", Word, 30, "mistral"),
    ("mob-", Uuid, 36, "launchdarkly-mobile"),
    ("mp_", Word, 30, "mixpanel"),
    ("na1.", Dotted, 60, "fullstory"),
    ("nango_", Word, 30, "nango"),
    ("napi_", Alnum, 40, "neon"),
    ("nbp_", Alnum, 30, "netbird"),
    ("nfb_", Alnum, 36, "netlify-build"),
    ("nfo_", Alnum, 36, "netlify-oauth"),
    ("nfp_", Alnum, 36, "netlify"),
    ("nfu_", Alnum, 36, "netlify-ui"),
    ("ngrok_", Word, 30, "ngrok"),
    ("npm_", Alnum, 36, "npm"),
    ("ntn_", Alnum, 40, "notion"),
    ("nvapi-", Word, 40, "nvidia"),
    ("oapi.dingtalk.com/robot/send?access_token=", Path, 40, "dingtalk-webhook"),
    ("oauth:", LowerAlnum, 30, "twitch"),
    ("ocid1.credential.", Dotted, 30, "oracle"),
    ("odt_", Alnum, 30, "dependency-track"),
    ("op_", Word, 40, "openphone"),
    ("open.feishu.cn/open-apis/bot/v2/hook/", Path, 20, "feishu-webhook"),
    ("ops_", Base64, 60, "onepassword-service"),
    ("outlook.office.com/webhook/", Path, 60, "teams-webhook-old"),
    ("ovh_", Word, 16, "ovh"),
    ("oy2", LowerAlnum, 43, "nuget"),
    ("pa-", Word, 40, "voyage"),
    ("packagist_", Word, 20, "packagist"),
    ("pat", Dotted, 60, "airtable"),
    ("pat-eu1-", Uuid, 36, "hubspot-private-eu"),
    ("pat-na1-", Uuid, 36, "hubspot-private"),
    ("pat-na2-", Uuid, 36, "hubspot-private-na2"),
    ("pat.", Dotted, 40, "harness"),
    ("pcsk_", Word, 40, "pinecone"),
    ("pdl_live_", Word, 30, "paddle-live"),
    ("pdl_sdbx_", Word, 30, "paddle-sandbox"),
    ("pdus+", Base64, 20, "pagerduty"),
    ("persona_production_", Word, 20, "persona"),
    ("persona_sandbox_", Word, 20, "persona-sandbox"),
    ("phc_", Alnum, 30, "posthog"),
    ("phrase_", Word, 30, "phrase"),
    ("phx_", Alnum, 30, "posthog-personal"),
    ("pk-portkey-", Word, 20, "portkey"),
    ("pk.eyJ", Dotted, 40, "mapbox-public"),
    ("pk_live_", Alnum, 10, "stripe-publishable"),
    ("pk_prod_", Word, 20, "courier"),
    ("pk_test_", Alnum, 10, "stripe-publishable-test"),
    ("pnb_", Alnum, 30, "prefect-bot"),
    ("pnu_", Alnum, 30, "prefect"),
    ("polar_", Word, 30, "polar"),
    ("pplx-", Alnum, 32, "perplexity"),
    ("prtapi_", Hex, 32, "shopify-partner"),
    ("pscale_oauth_", Dotted, 30, "planetscale-oauth"),
    ("pscale_pw_", Dotted, 30, "planetscale-password"),
    ("pscale_tkn_", Dotted, 30, "planetscale"),
    ("pubkey-", HexAlnum, 32, "mailgun-public"),
    ("pul-", Hex, 40, "pulumi"),
    ("pylf_v1_", Word, 30, "logfire"),
    ("pypi-", Word, 50, "pypi"),
    ("qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", Path, 30, "wechat-webhook"),
    ("r8_", Alnum, 30, "replicate"),
    ("ramp_", Word, 40, "ramp"),
    ("rapidapi_", Word, 30, "rapidapi"),
    ("rdme_", LowerAlnum, 40, "readme"),
    ("re_", Word, 24, "resend"),
    ("rf_", Word, 20, "roboflow"),
    ("rk_live_", Alnum, 10, "stripe-restricted"),
    ("rk_test_", Alnum, 10, "stripe-restricted-test"),
    ("rlwy_", Word, 20, "railway"),
    ("rnd_", Alnum, 24, "render"),
    ("rootly_", Hex, 60, "rootly"),
    ("rubygems_", Hex, 40, "rubygems"),
    ("rzp_live_", Alnum, 14, "razorpay-live"),
    ("rzp_test_", Alnum, 14, "razorpay-test"),
    ("sandbox_", Word, 30, "gocardless-sandbox"),
    ("sat.", Dotted, 40, "harness-service"),
    ("sb_", Word, 30, "storyblok"),
    ("sb_publishable_", Word, 20, "supabase-publishable"),
    ("sb_secret_", Word, 20, "supabase-secret"),
    ("sbee_", Word, 30, "scrapingbee"),
    ("sbp_", Hex, 40, "supabase-access"),
    ("scalr_", Word, 30, "scalr"),
    ("sdk-", Uuid, 36, "launchdarkly-sdk"),
    ("secret-token:", Word, 30, "mercury"),
    ("secret_", Alnum, 40, "notion-legacy"),
    ("sgd_", Hex, 64, "sourcegraph-license"),
    ("sgp_", Alnum, 40, "segment"),
    ("shippo_live_", Hex, 32, "shippo"),
    ("shippo_test_", Hex, 32, "shippo-test"),
    ("shpat_", Hex, 32, "shopify-access"),
    ("shpca_", Hex, 32, "shopify-custom"),
    ("shpit_", Hex, 32, "shopify-customer"),
    ("shppa_", Hex, 32, "shopify-private"),
    ("shpss_", Hex, 32, "shopify-secret"),
    ("signkey-prod-", Hex, 32, "inngest"),
    ("signkey-test-", Hex, 32, "inngest-test"),
    ("sk-", Word, 20, "generic-secret-key"),
    ("sk-admin-", Word, 20, "openai-admin"),
    ("sk-ant-", Word, 20, "anthropic"),
    ("sk-helicone-", Word, 20, "helicone"),
    ("sk-lf-", Word, 20, "langfuse-secret"),
    ("sk-or-v1-", Hex, 40, "openrouter"),
    ("sk-proj-", Word, 20, "openai"),
    ("sk-stability-", Word, 20, "stability"),
    ("sk-svcacct-", Word, 20, "openai-service"),
    ("sk.eyJ", Dotted, 40, "mapbox-secret"),
    ("sk_", Hex, 48, "elevenlabs"),
    ("sk_dev_", Word, 30, "liveblocks"),
    ("sk_knock_", Word, 20, "knock"),
    ("sk_live_", Alnum, 10, "stripe-live"),
    ("sk_prod_", Word, 30, "workos"),
    ("sk_sanity_", Word, 30, "sanity"),
    ("sk_test_", Alnum, 10, "stripe-test"),
    ("sl.", Word, 60, "dropbox"),
    ("sl.u.", Word, 60, "dropbox-long"),
    ("slk_", Hex, 64, "sourcegraph-workspace"),
    ("sntrya_", Hex, 40, "sentry-auth"),
    ("sntrys_", Base64, 40, "sentry-org"),
    ("sntryu_", Hex, 40, "sentry-user"),
    ("snyk_", Word, 30, "snyk"),
    ("solana_", Word, 40, "solana"),
    ("spacelift_", Word, 30, "spacelift"),
    ("sq0atp-", Word, 20, "square-token"),
    ("sq0csp-", Word, 40, "square-secret"),
    ("sq0idp-", Word, 20, "square-id"),
    ("sqa_", Hex, 40, "sonarqube-analysis"),
    ("sqp_", Hex, 40, "sonarqube-project"),
    ("squ_", Hex, 40, "sonarqube-user"),
    ("t1.", Dotted, 80, "yandex-iam"),
    ("tbl_", Word, 30, "tableau"),
    ("test_", Alnum, 28, "mollie-test"),
    ("testsk_", Word, 30, "svix"),
    ("tfp_", Word, 40, "typeform"),
    ("tgp_v1_", Word, 30, "together"),
    ("tines.com/webhook/", Path, 40, "tines-webhook"),
    ("tk-us-", Word, 40, "scalingo"),
    ("tk.eyJ", Dotted, 40, "mapbox-temporary"),
    ("tkn.v1_", Base64, 40, "teamworkdesk"),
    ("tr_dev_", Word, 16, "trigger-dev"),
    ("tr_prod_", Word, 16, "trigger-dev-prod"),
    ("travis_", Word, 20, "travis"),
    ("tskey-api-", Word, 20, "tailscale-api"),
    ("tskey-auth-", Word, 20, "tailscale-auth"),
    ("tskey-client-", Word, 20, "tailscale-client"),
    ("tskey-scim-", Word, 20, "tailscale-scim"),
    ("tskey-webhook-", Word, 20, "tailscale-webhook"),
    ("turso_", Word, 30, "turso"),
    ("tvly-", Word, 20, "tavily"),
    ("unkey_", Word, 20, "unkey"),
    ("upstash_", Word, 30, "upstash"),
    ("vci_", Alnum, 24, "vercel-ci"),
    ("vcp_", Alnum, 24, "vercel"),
    ("ver:1-hint:", Base64, 30, "snowflake"),
    ("vercel_blob_rw_", Word, 20, "vercel-blob"),
    ("vonage_", Word, 20, "vonage"),
    ("vtwn_", Word, 20, "val-town"),
    ("vultr_", Word, 30, "vultr"),
    ("wandb_v1_", Word, 30, "weights-biases"),
    ("web_", Hex, 31, "dfuse"),
    ("webhook.office.com/webhookb2/", Path, 60, "teams-webhook"),
    ("whsec_", Base64, 24, "stripe-webhook"),
    ("wlp_", Alnum, 30, "weblate-project"),
    ("wlu_", Alnum, 30, "weblate"),
    ("xai-", Alnum, 60, "xai"),
    ("xapp-", Word, 20, "slack-app"),
    ("xkeysib-", Word, 40, "brevo"),
    ("xoxa-", Word, 20, "slack-legacy"),
    ("xoxb-", Word, 20, "slack-bot"),
    ("xoxc-", Word, 20, "slack-cookie"),
    ("xoxd-", Base64, 20, "slack-cookie-d"),
    ("xoxe-", Word, 20, "slack-config-refresh"),
    ("xoxe.", Dotted, 20, "slack-config"),
    ("xoxp-", Word, 20, "slack-user"),
    ("xoxr-", Word, 20, "slack-refresh"),
    ("xoxs-", Word, 20, "slack-session"),
    ("xsmtpsib-", Word, 40, "brevo-smtp"),
    ("y0_", Word, 40, "yandex-oauth"),
    ("ya29.", Dotted, 20, "google-access"),
    ("zd_", Word, 30, "zendesk"),
    ("zpka_", Word, 30, "zuplo"),
];

pub(super) fn find(line: Line<'_>, out: &mut Vec<Span>) {
    let bytes = line.text().as_bytes();
    if bytes.len() < 16 {
        return;
    }
    let mut skip_to = 0;
    let mut before = 0_u8;
    // No token is shorter, so most words are passed over.
    let mut long_until = 0;
    for (at, &b) in bytes.iter().enumerate() {
        let boundary = !before.is_ascii_alphanumeric();
        if before.is_ascii_whitespace() || at == 0 {
            let end = line.run(at, |b| !b.is_ascii_whitespace());
            long_until = if end - at >= SHORTEST { end } else { at };
        }
        before = b;
        if at >= long_until || at < skip_to || !boundary || !b.is_ascii_alphanumeric() {
            continue;
        }
        if let Some((end, rule)) = token_at(line, at) {
            out.push(Span::new(at..end, Kind::Credential, rule));
            skip_to = end;
        }
    }
    suffixed(line, out);
}

/// The token that starts at `at`: of the formats that fit, the one with the longest prefix.
fn token_at(line: Line<'_>, at: usize) -> Option<(usize, &'static str)> {
    let rest = line.from(at);
    let first = rest.get(..1)?;
    let from = FORMATS.partition_point(|(prefix, ..)| *prefix < first);
    let formats = FORMATS.get(from..)?.iter().take_while(|(prefix, ..)| prefix.starts_with(first));
    let fitting = formats.filter(|(prefix, ..)| rest.starts_with(prefix));
    fitting
        .filter_map(|&(prefix, alphabet, min, _)| {
            Some((body_end(line, at + prefix.len(), alphabet, min, prefix)?, prefix.len()))
        })
        .max_by_key(|&(_, prefix)| prefix)
        .map(|(end, _)| (end, "provider-token"))
}

/// The shortest token with its prefix, in bytes.
const SHORTEST: usize = 16;
/// How much of a body is looked at to tell whether it is one, in bytes.
const SAMPLE: usize = 256;

/// The end of a token's body, if it is long enough and no word.
fn body_end(line: Line<'_>, start: usize, alphabet: Alphabet, min: usize, prefix: &str) -> Option<usize> {
    let sample_end = line.run_within(start, SAMPLE, |b| alphabet.has(b));
    let body = line.slice(start..sample_end).trim_end_matches(['.', '-', '=']);
    if body.len() < min {
        return None;
    }
    let distinct = body.bytes().fold(0_u128, |set, b| set | 1 << (b & 127)).count_ones();
    let drawn = match alphabet {
        Upper => has_digit(body) || body.len() >= 16,
        Path => has_digit(body),
        Uuid => super::super::protect::is_uuid(body.get(..36).unwrap_or("")),
        // What a person writes with hyphens has no figure in it, or only its parts.
        _ if prefix.len() <= 4 => has_digit(body) && (has_lower(body) || has_upper(body)) && longest_part(body) >= 12,
        _ => has_digit(body) || has_upper(body) && has_lower(body),
    };
    if distinct < 4 || !drawn {
        return None;
    }
    let end = if sample_end - start < SAMPLE { sample_end } else { line.run(sample_end, |b| alphabet.has(b)) };
    let punctuation: &[char] = if alphabet == Base64 { &['.', '-'] } else { &['.', '-', '='] };
    let end = start + line.slice(start..end).trim_end_matches(punctuation).len();
    (alphabet != Hex || line.ends_word(end)).then_some(end)
}

fn longest_part(body: &str) -> usize {
    body.split(['-', '_', '.']).map(str::len).max().unwrap_or(0)
}

impl Alphabet {
    fn has(self, b: u8) -> bool {
        match self {
            Alnum => b.is_ascii_alphanumeric(),
            LowerAlnum => b.is_ascii_lowercase() || b.is_ascii_digit(),
            HexAlnum => b.is_ascii_alphanumeric() || b == b'-',
            Hex => b.is_ascii_hexdigit(),
            Upper => b.is_ascii_uppercase() || b.is_ascii_digit(),
            Word => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'),
            Dotted => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'),
            Base64 => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'+' | b'/' | b'='),
            Dollar => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$'),
            Percent => b.is_ascii_alphanumeric() || matches!(b, b'%' | b'_' | b'-'),
            Uuid => b.is_ascii_hexdigit() || b == b'-',
            Path => {
                b.is_ascii_alphanumeric()
                    || matches!(b, b'_' | b'-' | b'.' | b'/' | b'=' | b'?' | b'&' | b'%' | b'@' | b':')
            }
        }
    }
}

/// Tokens known by what stands inside or at their end: Telegram's bots, `MaxMind`, Discord's bots, Azure's keys.
fn suffixed(line: Line<'_>, out: &mut Vec<Span>) {
    // `123456789:AA…`, 35 characters after the colon.
    for (colon, _) in line.text().match_indices(":AA") {
        let start = line.run_back_within(colon, 16, |b| b.is_ascii_digit());
        let end = line.run_within(colon + 1, 40, |b| Word.has(b));
        if (8..=10).contains(&(colon - start)) && (33..=36).contains(&(end - colon - 1)) {
            out.push(Span::new(start..end, Kind::Credential, "provider-token"));
        }
    }
    for (marker, before, after, alphabet) in INNER {
        for (at, mark) in line.text().match_indices(marker) {
            let start = line.run_back_within(at, SAMPLE, |b| alphabet.has(b));
            let end = line.run_within(at + mark.len(), SAMPLE, |b| alphabet.has(b));
            if at - start >= *before && end - at - mark.len() >= *after {
                out.push(Span::new(start..end, Kind::Credential, "provider-token"));
            }
        }
    }
}

/// Marker, and how many characters of the alphabet there are at least before and after it.
const INNER: &[(&str, usize, usize, Alphabet)] = &[
    ("_mmk", 30, 0, Word),
    (".atlasv1.", 12, 50, Dotted),
    ("JQQJ99", 40, 20, Alnum),
    ("AzFu", 40, 4, Base64),
    ("+ASt", 40, 4, Base64),
    ("+AMC", 40, 4, Base64),
    ("AIoT", 30, 6, Base64),
    ("AzSe", 40, 4, Alnum),
    ("APIMgt", 10, 6, Alnum),
    (".apps.googleusercontent.com", 20, 0, Word),
    ("8Q~", 3, 30, Dotted),
    ("7Q~", 3, 30, Dotted),
    ("_oai_", 10, 10, Word),
    ("T3BlbkFJ", 15, 15, Word),
];

#[cfg(test)]
mod tests {
    use super::super::super::tests::{assert_kept, assert_masked};
    use super::*;

    #[test]
    fn formats_are_sorted_and_distinct() {
        assert!(FORMATS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(FORMATS.len() > 150);
    }

    #[test]
    fn every_format_is_found_in_a_sentence() {
        for (prefix, alphabet, min, issuer) in FORMATS {
            let unit = match alphabet {
                Upper => "A7C9E2G4",
                Hex => "a1b2c3d4e5f60718",
                LowerAlnum => "a1b2c3d4e5f6g7h8",
                _ => "aB3dE5gH7jK9mN1pQ",
            };
            let body = if *alphabet == Uuid {
                "0a1b2c3d-1a2b-4c3d-8e9f-0a1b2c3d4e5f".to_owned()
            } else {
                unit.chars().cycle().take(*min).collect()
            };
            let text = format!("nimm {prefix}{body} dafür");
            assert_masked(&[(text.as_str(), "nimm [CREDENTIAL] dafür")]);
            let _ = issuer;
        }
    }

    #[test]
    fn words_with_such_a_start_stay() {
        assert_kept(&[
            "sk-learn-feature-extraction-text",
            "hf_hub_download_with_progress_bars",
            "npm_config_registry",
            "key-value-store-with-many-words",
            "pat-riot",
            "AKIAsmall",
            "task-proj-board",
            "live_view_component_for_users_42",
        ]);
    }
}
