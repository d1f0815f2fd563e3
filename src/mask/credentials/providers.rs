//! Names of services that hand out keys: beside one, a machine-drawn value is a key.

/// In lower case, without joins. Sorted.
#[rustfmt::skip]
const PROVIDERS: &[&str] = &[
    "adafruit", "adobe", "airbrake", "airtable", "alchemy", "algolia", "alibaba", "alienvault", "amadeus", "amplitude", "anthropic",
    "anypoint", "apify", "apollo", "appcues", "appfollow", "appveyor", "artifactory", "asana", "assemblyai", "atlassian", "auth0",
    "autodesk", "autopilot", "aws", "azure", "bitbar", "bitbucket", "bitfinex", "bitly", "bitmex", "bittrex", "blazemeter", "braintree",
    "browserstack", "bugsnag", "buildkite", "bybit", "calendly", "censys", "chatwork", "circleci", "clearbit", "clickhouse", "clickup",
    "clockify", "cloudflare", "cloudinary", "cloudsmith", "codacy", "codeclimate", "codecov", "cohere", "coinbase", "coinmarketcap",
    "confluent", "contentful", "convertkit", "coveralls", "crowdin", "dareboost", "databricks", "datadog", "deepgram", "deepl", "deepseek",
    "digitalocean", "discogs", "disqus", "docusign", "doppler", "dreamhost", "droneci", "dropbox", "dynatrace", "elevenlabs", "etherscan",
    "eventbrite", "facebook", "fastly", "figma", "finnhub", "firebase", "fixer", "flickr", "flutterwave", "foursquare", "freshbooks",
    "freshdesk", "geoapify", "geocodio", "getresponse", "giphy", "gitea", "github", "gitlab", "gitter", "grafana", "greenhouse", "groq",
    "hellosign", "helpscout", "heroku", "hetzner", "honeycomb", "hubspot", "huggingface", "imgur", "infura", "instagram", "intercom",
    "ipinfo", "ipstack", "jenkins", "jira", "jotform", "jumpcloud", "klaviyo", "kraken", "kucoin", "lastfm", "launchdarkly", "linkedin",
    "linode", "lokalise", "looker", "mailchimp", "mailgun", "mailjet", "mandrill", "mapbox", "mapquest", "marketo", "mattermost", "maxmind",
    "messagebird", "miro", "mistral", "mixpanel", "mollie", "mongodb", "mux", "netlify", "newrelic", "newsapi", "ngrok", "nicereply",
    "noticeable", "nytimes", "okta", "onelogin", "onesignal", "openai", "opencage", "openweather", "openweathermap", "opsgenie",
    "optimizely", "pagerduty", "paypal", "paystack", "pendo", "perplexity", "pexels", "pinecone", "pinterest", "pipedrive",
    "pivotaltracker", "pixabay", "plaid", "planetscale", "plivo", "posthog", "postmark", "pubnub", "pulumi", "pushbullet", "pusher",
    "quickbooks", "rapidapi", "razorpay", "recaptcha", "reddit", "replicate", "rollbar", "rubygems", "runscope", "salesforce", "saucelabs",
    "scaleway", "scrapingbee", "securitytrails", "sendbird", "sendgrid", "sendinblue", "sentry", "serpapi", "shodan", "shopify", "sidekiq",
    "signalwire", "slack", "snyk", "sonarcloud", "sonarqube", "soundcloud", "sourcegraph", "spotify", "squarespace", "stackexchange",
    "statuspage", "strava", "stripe", "sumologic", "supabase", "surveybot", "surveymonkey", "tailscale", "teamwork", "teamworkdesk",
    "teamworkspaces", "terraform", "theoddsapi", "thingspeak", "ticketmaster", "tiingo", "tmdb", "todoist", "travisci", "trello", "tumblr",
    "twelvelabs", "twilio", "twitch", "twitter", "typeform", "unsplash", "uploadcare", "uptimerobot", "urlscan", "vercel", "vimeo",
    "virustotal", "vonage", "vultr", "wandb", "weatherapi", "webex", "webflow", "wepay", "wistia", "wordpress", "workos", "xero", "yandex",
    "yelp", "youtube", "zapier", "zendesk", "zenrows", "zoho",
];

/// Whether `name`, in lower case without joins, is such a service.
pub(super) fn is_provider(name: &str) -> bool {
    PROVIDERS.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn providers_are_sorted() {
        assert!(super::PROVIDERS.is_sorted());
        assert!(super::is_provider("stripe"));
    }
}
