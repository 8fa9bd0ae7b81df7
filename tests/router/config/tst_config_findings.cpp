// SPDX-License-Identifier: MIT
#include "tests/router/config/config_support.h"

#include <QTest>

using namespace signalbox;

/// Bad input of every kind gives one located finding that says what to do (F68, F86).
class TestConfigFindings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneFinding_data();
    void oneFinding();
    void anAliasMayChooseTheProvider();
    void aBaseUrlAsUsualIsNoFinding();
    void F34_namesThatNoRequestCanCarry_data();
    void F34_namesThatNoRequestCanCarry();
    void everyErrorIsReported();
    void anUnknownKeyIsToldEveryKnownOneOnce();
    void aMisspeltProtocolIsOneFinding();
    void notesComeOnceForEachKey();
    void positionsSurviveCarriageReturns();
    void columnsAreCodePoints();
    void secretsAreNeverRepeated_data();
    void secretsAreNeverRepeated();
    void nestingWithoutEndIsRefused_data();
    void nestingWithoutEndIsRefused();
    void bracketsInAStringDoNotNest();
    void filesThatCannotBeRead();
};

namespace {

struct Row {
    const char* tag;
    const char* text;
    Severity severity;
    const char* code;
    const char* path;
    TextPosition at;
    const char* hint;  ///< part of the hint; empty where the message says it all
};

constexpr Severity kError = Severity::error;
constexpr Severity kWarning = Severity::warning;

const Row kRows[] = {
    {"duplicate key", "[server]\nthreads = 1\nthreads = 2\n", kError, "toml_syntax", "", {3, 11}, "once"},
    {"unclosed text", "[server]\nlisten = \"127\n", kError, "toml_syntax", "", {2, 14}, "line"},
    {"integer too large", "[server]\nthreads = 99999999999999999999\n", kError, "toml_syntax", "", {2, 31}, "line"},
    {"not UTF-8", "[server]\n# \xff\n", kError, "toml_syntax", "", {2, 3}, "UTF-8"},
    {"not UTF-8 at the end", "# \xc3", kError, "toml_syntax", "", {1, 3}, "UTF-8"},
    {"unknown top-level table", "[provider.x]\nmodels = []\n", kWarning, "unknown_key", "provider", {1, 2}, "\"providers\""},
    {"unknown key", "[server]\nlisten_at = \"127.0.0.1:1\"\n", kWarning, "unknown_key", "server.listen_at", {2, 1}, "\"listen\""},
    {"unknown protocol", "[providers.a]\nprotocol = \"openai\"\n", kError, "unknown_enum_value", "providers.a.protocol", {2, 12}, "\"openai_compat\""},
    {"unknown auth", "[server]\nauth = \"tokn\"\n", kError, "unknown_enum_value", "server.auth", {2, 8}, "\"token\""},
    {"no time for a request", "[server]\nrequest_budget_ms = 0\n", kError, "out_of_range", "server.request_budget_ms", {2, 21}, ""},
    {"a heartbeat of nothing", "[server]\nheartbeat_ms = 0\n", kError, "out_of_range", "server.heartbeat_ms", {2, 16}, ""},
    {"a heartbeat that commits too early", "[server]\nheartbeat_ms = 5000\n", kWarning, "heartbeat_early", "server.heartbeat_ms", {2, 16}, "15000"},
    {"a header that sounds secret", "[providers.a]\nbase_url = \"http://h:1/v1\"\nmodels = [\"m\"]\n[providers.a.static_headers]\nOcp-Apim-Subscription-Key = \"0123\"\n", kWarning, "header_may_be_secret", "providers.a.static_headers.Ocp-Apim-Subscription-Key", {5, 29}, "api_key_env"},
    {"a budget that hides hanging", "[server]\nrequest_budget_ms = 30000\n[providers.a]\nbase_url = \"http://h:1/v1\"\nmodels = [\"m\"]\n", kWarning, "budget_hides_hanging", "server.request_budget_ms", {2, 21}, "first_byte_timeout_ms"},
    {"candidate of an unknown pool", "[providers.a]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n[[models.chat.route]]\nprovider = \"a\"\nmodel = \"m\"\n[routing.groups.g]\naliases = [\"auto\"]\ncandidates = [{ pool = \"chit\" }]\n", kError, "candidate_pool_missing", "routing.groups.g.candidates[0].pool", {9, 24}, "\"chat\""},
    {"candidate of a pool and an endpoint", "[providers.a]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n[[models.chat.route]]\nprovider = \"a\"\nmodel = \"m\"\n[routing.groups.g]\naliases = [\"auto\"]\ncandidates = [{ pool = \"chat\", provider = \"a\", model = \"m\" }]\n", kError, "candidate_provider_and_pool", "routing.groups.g.candidates[0].pool", {9, 24}, "Remove pool"},
    {"pool twice in a group", "[providers.a]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n[[models.chat.route]]\nprovider = \"a\"\nmodel = \"m\"\n[routing.groups.g]\naliases = [\"auto\"]\ncandidates = [{ pool = \"chat\" }, { pool = \"chat\" }]\n", kError, "candidate_repeated", "routing.groups.g.candidates[1]", {9, 34}, "Keep one"},
    {"admin from elsewhere in clear text", "[server]\nlisten = \"0.0.0.0:80\"\n[admin]\nremote = true\n", kWarning, "admin_remote_plain", "admin.remote", {4, 10}, "TLS"},
    {"admin from elsewhere on loopback", "[admin]\nremote = true\n", kWarning, "admin_remote_unreachable", "admin.remote", {2, 10}, "ssh"},
    {"admin token in the file", "[admin]\ntoken = \"sbx\"\n", kError, "literal_secret", "admin.token", {2, 1}, "environment variable"},
    {"unknown scope", "[server]\nconcurrency_scope = \"famly\"\n", kError, "unknown_enum_value", "server.concurrency_scope", {2, 21}, "\"family\""},
    {"unknown fault", "[providers.a]\nprotocol = \"simulated\"\nsimulated.fault = \"status_50\"\n", kError, "unknown_enum_value", "providers.a.simulated.fault", {3, 19}, "\"status_500\""},
    {"text instead of table", "server = \"127.0.0.1:1\"\n", kError, "wrong_type", "server", {1, 10}, "[server] and its keys"},
    {"a wildcard among hosts", "[server]\nhosts = [\"a.corp\", \"*.corp\"]\n", kError, "host_invalid", "server.hosts[1]", {2, 20}, "in full"},
    {"a URL among hosts", "[server]\nhosts = [\"https://gateway.corp\"]\n", kError, "host_invalid", "server.hosts[0]", {2, 10}, "no https://"},
    {"a port among hosts", "[server]\nhosts = [\"gateway.corp:443\"]\n", kError, "host_invalid", "server.hosts[0]", {2, 10}, "no port"},
    {"an address among hosts", "[server]\nhosts = [\"192.0.2.7\"]\n", kError, "host_invalid", "server.hosts[0]", {2, 10}, "addresses need no entry"},
    {"an IPv6 address among hosts", "[server]\nhosts = [\"::1\"]\n", kError, "host_invalid", "server.hosts[0]", {2, 10}, "no address"},
    {"a host with other letters", "[server]\nhosts = [\"tür.corp\"]\n", kError, "host_invalid", "server.hosts[0]", {2, 10}, "xn--"},
    {"a host of nothing but a dot", "[server]\nhosts = [\".\"]\n", kError, "host_invalid", "server.hosts[0]", {2, 10}, "gateway.example"},
    {"a host with an empty label", "[server]\nhosts = [\"a..b\"]\n", kError, "host_invalid", "server.hosts[0]", {2, 10}, "gateway.example"},
    {"a host that begins with a hyphen", "[server]\nhosts = [\"-a.b\"]\n", kError, "host_invalid", "server.hosts[0]", {2, 10}, "gateway.example"},
    {"a host with a space", "[server]\nhosts = [\"a b\"]\n", kError, "host_invalid", "server.hosts[0]", {2, 10}, "gateway.example"},
    {"a blank host", "[server]\nhosts = [\" \"]\n", kError, "blank_value", "server.hosts[0]", {2, 10}, "Remove"},
    {"hosts as one text", "[server]\nhosts = \"a\"\n", kError, "wrong_type", "server.hosts", {2, 9}, "[\"one\""},
    {"hosts misspelt", "[server]\nhost = [\"a\"]\n", kWarning, "unknown_key", "server.host", {2, 1}, "\"hosts\""},
    {"hosts without a token", "[server]\nauth = \"none\"\nhosts = [\"a.corp\"]\n", kWarning, "hosts_without_token", "server.hosts", {3, 9}, "token"},
    {"number instead of text", "[providers.a]\nbase_url = 8000\n", kError, "wrong_type", "providers.a.base_url", {2, 12}, "double quotes"},
    {"text instead of list", "[providers.a]\nmodels = \"m\"\n", kError, "wrong_type", "providers.a.models", {2, 10}, "[\"one\""},
    {"number in a list of texts", "[providers.a]\nmodels = [\"m\", 2]\n", kError, "wrong_type", "providers.a.models[1]", {2, 16}, "double quotes"},
    {"value among providers", "[providers]\na = 1\n", kError, "wrong_type", "providers.a", {2, 5}, "[providers.a]"},
    {"blank model", "[providers.a]\nmodels = [\" \"]\n", kError, "blank_value", "providers.a.models[0]", {2, 11}, "Remove"},
    {"listen without port", "[server]\nlisten = \"localhost\"\n", kError, "address_invalid", "server.listen", {2, 10}, "HOST:PORT"},
    {"port too large", "[server]\nlisten = \"127.0.0.1:65536\"\n", kError, "address_invalid", "server.listen", {2, 10}, "HOST:PORT"},
    {"IPv6 without brackets", "[server]\nlisten = \"::1:80\"\n", kError, "address_invalid", "server.listen", {2, 10}, "[::1]"},
    {"listen and bind", "[server]\nlisten = \"127.0.0.1:1\"\nbind = \"127.0.0.1:2\"\n", kError, "listen_and_bind", "server.bind", {3, 8}, "one"},
    {"no token for everyone", "[server]\nlisten = \"0.0.0.0:80\"\nauth = \"none\"\n", kError, "auth_none_not_loopback", "server.auth", {3, 8}, "127.0.0.1"},
    {"no token for a name like loopback", "[server]\nlisten = \"127.0.0.1.example.com:80\"\nauth = \"none\"\n", kError, "auth_none_not_loopback", "server.auth", {3, 8}, "127.0.0.1"},
    {"limit of nothing", "[server]\nmax_concurrent_requests = 0\n", kError, "out_of_range", "server.max_concurrent_requests", {2, 27}, "1 to 100000"},
    {"fraction for an integer", "[evidence]\nretention_days = 1.5\n", kError, "wrong_type", "evidence.retention_days", {2, 18}, "whole number"},
    {"fault rate above one", "[providers.a.simulated]\nfault_rate = 1.5\n", kError, "out_of_range", "providers.a.simulated.fault_rate", {2, 14}, "0 to 1"},
    {"negative price", "[providers.a.pricing]\ninput_per_million = -1\n", kError, "pricing_range", "providers.a.pricing.input_per_million", {2, 21}, "0 to"},
    {"colon in a provider id", "[providers.\"a:b\"]\nmodels = []\n", kError, "provider_id_invalid", "providers.\"a:b\"", {1, 1}, ""},
    {"provider called like pools", "[providers.pool]\nmodels = [\"m\"]\n", kError, "provider_id_reserved", "providers.pool", {1, 1}, "Rename"},
    {"proxy without scheme", "[providers.a]\nproxy = \"proxy:3128\"\n", kError, "proxy_invalid", "providers.a.proxy", {2, 9}, "http://"},
    {"proxy that is encrypted itself", "[providers.a]\nproxy = \"https://proxy:3128\"\n", kError, "proxy_invalid", "providers.a.proxy", {2, 9}, "http://"},
    {"proxy with a path", "[providers.a]\nproxy = \"http://proxy:3128/\"\n", kError, "proxy_invalid", "providers.a.proxy", {2, 9}, "http://"},
    {"proxy without host", "[providers.a]\nproxy = \"http://:3128\"\n", kError, "proxy_invalid", "providers.a.proxy", {2, 9}, "http://"},
    {"proxy's credentials without proxy", "[providers.a]\nproxy_auth_env = \"P\"\n", kWarning, "proxy_missing", "providers.a.proxy_auth_env", {2, 18}, "proxy ="},
    {"proxy of a simulated provider", "[providers.a]\nprotocol = \"simulated\"\nproxy = \"http://p:1\"\n", kWarning, "proxy_ignored", "providers.a.proxy", {3, 9}, "Remove"},
    {"fewer stop sequences than none", "[providers.a]\nmax_stop_sequences = -1\n", kError, "out_of_range", "providers.a.max_stop_sequences", {2, 22}, "0 to 1000"},
    {"stop sequences without end", "[providers.a]\nmax_stop_sequences = 1001\n", kError, "out_of_range", "providers.a.max_stop_sequences", {2, 22}, "0 to 1000"},
    {"stop sequences as text", "[providers.a]\nmax_stop_sequences = \"4\"\n", kError, "wrong_type", "providers.a.max_stop_sequences", {2, 22}, "whole number"},
    {"stop sequences of a provider without a limit", "[providers.a]\nprotocol = \"simulated\"\nmax_stop_sequences = 8\n", kWarning, "max_stop_sequences_ignored", "providers.a.max_stop_sequences", {3, 22}, "Remove"},
    {"stop sequences misspelt", "[providers.a]\nmax_stop_sequence = 8\n", kWarning, "unknown_key", "providers.a.max_stop_sequence", {2, 1}, "\"max_stop_sequences\""},
    {"base URL without scheme", "[providers.a]\nbase_url = \"gpu-a:8000\"\n", kError, "base_url_invalid", "providers.a.base_url", {2, 12}, "http://"},
    {"base URL with query", "[providers.a]\nbase_url = \"http://gpu-a/v1?x=1\"\n", kError, "base_url_invalid", "providers.a.base_url", {2, 12}, "path"},
    {"base URL without host", "[providers.a]\nbase_url = \"http:///v1\"\n", kError, "base_url_invalid", "providers.a.base_url", {2, 12}, "HOST"},
    {"base URL with a port that is none", "[providers.a]\nbase_url = \"http://gpu-a:99101/v1\"\n", kError, "base_url_invalid", "providers.a.base_url", {2, 12}, "PORT"},
    {"base URL with port 0", "[providers.a]\nbase_url = \"https://gpu-a:0\"\n", kError, "base_url_invalid", "providers.a.base_url", {2, 12}, "PORT"},
    {"base URL of IPv6 with a port that is none", "[providers.a]\nbase_url = \"http://[::1]:8o80/v1\"\n", kError, "base_url_invalid", "providers.a.base_url", {2, 12}, "PORT"},
    {"base URL down to chat completions", "[providers.a]\nbase_url = \"https://gpu-a/v1/chat/completions\"\n", kWarning, "base_url_names_operation", "providers.a.base_url", {2, 12}, "end before /chat/completions."},
    {"base URL down to older completions", "[providers.a]\nbase_url = \"https://gpu-a/v1/completions/\"\n", kWarning, "base_url_names_operation", "providers.a.base_url", {2, 12}, "end before /completions."},
    {"base URL down to embeddings", "[providers.a]\nbase_url = \"https://[::1]:81/embeddings\"\n", kWarning, "base_url_names_operation", "providers.a.base_url", {2, 12}, "end before /embeddings."},
    {"base URL down to messages", "[providers.a]\nprotocol = \"anthropic\"\nbase_url = \"https://api.example/v1/messages\"\n", kWarning, "base_url_names_operation", "providers.a.base_url", {3, 12}, "end before /messages."},
    {"key over plain HTTP", "[providers.a]\nbase_url = \"http://gpu-a:80\"\napi_key_env = \"A_KEY\"\n", kWarning, "key_over_plain_http", "providers.a.base_url", {2, 12}, "https"},
    {"header that splits", "[providers.a.static_headers]\nX-A = \"1\\r\\nX-B: 2\"\n", kError, "header_invalid", "providers.a.static_headers.X-A", {2, 7}, "one line"},
    {"header of the gateway", "[providers.a.static_headers]\nContent-Length = \"1\"\n", kError, "header_invalid", "providers.a.static_headers.Content-Length", {2, 18}, "Remove"},
    {"undefined default provider", "default_provider = \"lab_b\"\n[providers.lab_a]\nmodels = []\n", kError, "provider_missing", "default_provider", {1, 20}, "\"lab_a\""},
    {"undefined provider in the order", "provider_order = [\"lab_a\", \"lab_c\"]\n[providers.lab_a]\nmodels = []\n", kError, "provider_missing", "provider_order[1]", {1, 28}, "\"lab_a\""},
    {"undefined resource", "[resources.gpu-slots]\n[providers.a]\nresource = \"gpu-slot\"\n", kError, "resource_missing", "providers.a.resource", {3, 12}, "\"gpu-slots\""},
    {"alias of a provider without any list", "[providers.oai]\nbase_url = \"https://o.example/v1\"\n[aliases]\nfast = \"oai:gpt-x\"\n", kError, "alias_model_not_accepted", "aliases.fast", {4, 8}, "Add models = [\"gpt-x\"] to [providers.oai]"},
    {"candidate of a provider without any list", "[providers.oai]\nbase_url = \"https://o.example/v1\"\n[routing.groups.g]\naliases = [\"auto\"]\ncandidates = [{ provider = \"oai\", model = \"gpt-x\" }]\n", kError, "candidate_model_not_accepted", "routing.groups.g.candidates[0].model", {5, 43}, "Add models = [\"gpt-x\"] to [providers.oai]"},
    {"route to a provider without any list", "[providers.oai]\nbase_url = \"https://o.example/v1\"\n[models.gpt-x]\n[[models.gpt-x.route]]\nprovider = \"oai\"\n", kError, "route_model_not_accepted", "models.gpt-x.route[0].model", {4, 1}, "Add models = [\"gpt-x\"] to [providers.oai]"},
    {"alias that hides another provider's model", "[providers.oai]\nprotocol = \"simulated\"\nmodels = [\"gpt-x\"]\n[providers.claude]\nprotocol = \"simulated\"\nmodels = [\"claude-x\"]\n[aliases]\nclaude-x = \"oai:gpt-x\"\n", kWarning, "alias_hides_model", "aliases.claude-x", {8, 12}, "\"claude:claude-x\""},
    {"alias of an unknown model", "[providers.north]\nmodels = [\"base\"]\n[aliases]\nfast = \"north:bass\"\n", kError, "alias_model_not_accepted", "aliases.fast", {4, 8}, "\"base\""},
    {"alias circle", "[aliases]\na = \"b\"\nb = \"a\"\n", kError, "alias_cycle", "aliases.a", {2, 5}, "provider:model"},
    {"alias of itself", "[aliases]\na = \"a\"\n", kError, "alias_cycle", "aliases.a", {2, 5}, "provider:model"},
    {"alias to a provider that serves nothing", "[providers.north]\nprotocol = \"simulated\"\n[aliases]\nfast = \"north:m\"\n", kError, "alias_model_not_accepted", "aliases.fast", {4, 8}, ""},
    {"default model outside the inventory", "[providers.a]\nmodels = [\"base\"]\ndefault_model = \"bass\"\n", kWarning, "default_model_not_listed", "providers.a.default_model", {3, 17}, "\"base\""},
    {"Anthropic provider without a base URL", "[providers.a]\nprotocol = \"anthropic\"\n", Severity::note, "provider_not_callable", "providers.a", {1, 1}, "base_url"},
    {"preset without provider", "[presets.\"k 1\"]\nmodel = \"m\"\n", kError, "preset_field_missing", "presets.\"k 1\"", {1, 1}, "provider"},
    {"preset of an unknown provider", "[providers.lab_a]\nmodels = []\n[presets.k]\nprovider = \"lab-a\"\n", kError, "preset_provider_missing", "presets.k.provider", {4, 12}, "\"lab_a\""},
    {"two natural presets", "[providers.a]\nmodels = []\n[presets.k]\nprovider = \"a\"\nnatural_for = [\"m\"]\n[presets.l]\nprovider = \"a\"\nnatural_for = [\"m\"]\n", kError, "natural_preset_duplicate", "presets.l.natural_for[0]", {8, 16}, "one natural"},
    {"principal hash", "[principals.p]\ntoken_sha256 = \"abc\"\n", kError, "token_hash_invalid", "principals.p.token_sha256", {2, 16}, "sha256sum"},
    {"principals sharing a token", "[principals.p]\ntoken_env = \"T\"\n[principals.q]\ntoken_env = \"T\"\n", kError, "principal_token_shared", "principals.q.token_env", {4, 13}, "own"},
    {"principal nobody can be", "[principals.p]\nteam = \"t\"\n", kWarning, "principal_without_token", "principals.p", {1, 1}, "token_env"},
    {"no requests a minute", "[principals.p]\ntoken_env = \"T\"\nrequests_per_minute = 0\n", kError, "out_of_range", "principals.p.requests_per_minute", {3, 23}, "1 to 1000000"},
    {"budget of nothing", "[principals.p]\ntoken_env = \"T\"\nmonthly_budget_hard_usd = 0\n", kError, "out_of_range", "principals.p.monthly_budget_hard_usd", {3, 27}, "0.01 to"},
    {"warning above the limit", "[principals.p]\ntoken_env = \"T\"\nmonthly_budget_soft_usd = 9\nmonthly_budget_hard_usd = 8\n", kWarning, "budget_soft_above_hard", "principals.p.monthly_budget_soft_usd", {3, 27}, "smaller"},
    {"allowed group that is none", "[providers.a]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n[routing.groups.general]\naliases = [\"auto\"]\ncandidates = [{ provider = \"a\", model = \"m\" }]\n[principals.p]\ntoken_env = \"T\"\nallowed_groups = [\"general\", \"genral\"]\n", kError, "allowed_group_unknown", "principals.p.allowed_groups[1]", {9, 30}, "\"general\""},
    {"allowed group by its alias", "[providers.a]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n[routing.groups.general]\naliases = [\"auto\"]\ncandidates = [{ provider = \"a\", model = \"m\" }]\n[principals.p]\ntoken_env = \"T\"\nallowed_groups = [\"auto\"]\n", kError, "allowed_group_unknown", "principals.p.allowed_groups[0]", {9, 19}, "alias of the group \"general\""},
    {"allowed provider that is none", "[providers.lab_a]\nmodels = []\n[principals.p]\ntoken_env = \"T\"\nallowed_providers = [\"lab-a\"]\n", kError, "allowed_provider_unknown", "principals.p.allowed_providers[0]", {5, 22}, "\"lab_a\""},
    {"blank allowed model", "[principals.p]\ntoken_env = \"T\"\nallowed_models = [\" \"]\n", kError, "blank_value", "principals.p.allowed_models[0]", {3, 19}, "Remove"},
    {"allowed list of the wrong type", "[principals.p]\ntoken_env = \"T\"\nallowed_models = \"m\"\n", kError, "wrong_type", "principals.p.allowed_models", {3, 18}, "[\"one\""},
    {"weights of the built-in policy", "[routing.policies.builtin-v1]\nlatency = { latency = 1 }\n", kError, "policy_version_read_only", "routing.policies.builtin-v1", {1, 1}, "name of its own"},
    {"blank policy name", "[routing.policies.\" \"]\nlatency = { latency = 1 }\n", kError, "policy_version_invalid", "routing.policies.\" \"", {1, 1}, ""},
    {"negative weight", "[routing.policies.v2.latency]\nlatency = -1\ncost = 2\n", kError, "weight_range", "routing.policies.v2.latency.latency", {2, 11}, "0 to"},
    {"weight without end", "[routing.policies.v2.latency]\nlatency = inf\n", kError, "weight_range", "routing.policies.v2.latency.latency", {2, 11}, "0 to"},
    {"weights of nothing", "[routing.policies.v2]\nlatency = { latency = 0, cost = 0.0 }\n", kError, "weights_all_zero", "routing.policies.v2.latency", {2, 11}, "above 0"},
    {"profile without weights", "[routing.policies.v2.quality]\n", kError, "weights_all_zero", "routing.policies.v2.quality", {1, 1}, "above 0"},
    {"unknown profile of a policy", "[routing.policies.v2]\nlatancy = { latency = 1 }\n", kWarning, "unknown_key", "routing.policies.v2.latancy", {2, 1}, "\"latency\""},
    {"policy version that nobody defines", "[routing]\npolicy_version = \"v3\"\n[routing.policies.v2.latency]\nlatency = 1\n", Severity::note, "policy_version_undefined", "routing.policy_version", {2, 18}, "\"v2\""},
    {"parallel tools without tools", "[providers.a.capabilities]\ntools = false\nparallel_tools = true\n", kWarning, "parallel_without_tools", "providers.a.capabilities.parallel_tools", {3, 18}, "tools = true"},
    {"capabilities of an unknown model", "[providers.a]\nprotocol = \"simulated\"\nmodels = [\"base\"]\n[providers.a.model_capabilities.bass]\nvision = true\n", kWarning, "capability_model_not_accepted", "providers.a.model_capabilities.bass", {4, 1}, "\"base\""},
    {"context of nothing", "[providers.a.capabilities]\ncontext_tokens = 0\n", kError, "out_of_range", "providers.a.capabilities.context_tokens", {2, 18}, "1 to"},
    {"output limit of a model as text", "[providers.a.token_counting.model_max_output_tokens]\nm = \"4k\"\n", kError, "wrong_type", "providers.a.token_counting.model_max_output_tokens.m", {2, 5}, "whole number"},
    {"unknown capability", "[providers.a.capabilities]\nvison = true\n", kWarning, "unknown_key", "providers.a.capabilities.vison", {2, 1}, "\"vision\""},
    {"unknown hint word", "[principals.p]\ntoken_env = \"T\"\nhints.expected_length = \"shrt\"\n", kError, "unknown_enum_value", "principals.p.hints.expected_length", {3, 25}, "\"short\""},
    {"key required but not named", "[providers.a]\napi_key_required = true\n", kWarning, "api_key_env_missing", "providers.a.api_key_required", {2, 20}, "api_key_env"},
    {"rates in euros", "[providers.a.model_pricing.m]\ncurrency = \"EUR\"\n", kWarning, "currency_not_usd", "providers.a.model_pricing.m.currency", {2, 12}, "dollars"},
    {"simulated settings of a real provider", "[providers.a]\nbase_url = \"http://127.0.0.1:1\"\nsimulated.seed = 1\n", kWarning, "simulated_ignored", "providers.a.simulated", {3, 1}, "simulated"},
};

}  // namespace

void TestConfigFindings::oneFinding_data() {
    QTest::addColumn<int>("row");
    for (int i = 0; i < static_cast<int>(std::size(kRows)); ++i) QTest::addRow("%s", kRows[i].tag) << i;
}

void TestConfigFindings::oneFinding() {
    QFETCH(int, row);
    const Row& want = kRows[row];
    const auto loaded = config::readConfig(want.text);
    const QByteArray all = test::listed(loaded.findings);
    const Finding* found = test::findCode(loaded.findings, want.code);
    QVERIFY2(found != nullptr, all.constData());
    QVERIFY2(found->severity == want.severity, all.constData());
    QCOMPARE(found->pointer, std::string(want.path));
    QVERIFY2(found->position == want.at, all.constData());
    QVERIFY2(found->hint.find(want.hint) != std::string::npos, all.constData());
    QCOMPARE(loaded.config == nullptr, want.severity == kError);
}

// Of a model that two providers list an alias may say which of them is meant.
void TestConfigFindings::anAliasMayChooseTheProvider() {
    const auto loaded = config::readConfig("[providers.a]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n[providers.b]\nprotocol = \"simulated\"\n"
                                           "models = [\"m\"]\n[aliases]\nm = \"b:m\"\nfast = \"a:m\"\n");
    QVERIFY(loaded.config);
    QVERIFY2(loaded.findings.empty(), test::listed(loaded.findings).constData());
}

void TestConfigFindings::aBaseUrlAsUsualIsNoFinding() {
    for (const char* url : {"https://[::1]/v1", "https://[::1]:65535", "https://gpu-a:1/v1/", "https://completions", "https://gpu-a/messages/v1"}) {
        const auto loaded = config::readConfig(std::string("[providers.a]\nbase_url = \"") + url + "\"\n");
        QVERIFY2(loaded.config && loaded.findings.empty(), test::listed(loaded.findings).constData());
    }
}

void TestConfigFindings::F34_namesThatNoRequestCanCarry_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<int>("line");
    const QByteArray provider = "[providers.a]\nprotocol = \"simulated\"\n";
    const auto name = [](int bytes) { return "\"" + QByteArray("m").repeated(bytes) + "\""; };
    // "a:" before it is 513 bytes.
    QTest::newRow("F34 model") << provider + "models = [\"b\", " + name(511) + "]\n" << QByteArray("providers.a.models[1]") << 3;
    QTest::newRow("F34 default model") << provider + "default_model = " + name(511) + "\n" << QByteArray("providers.a.default_model") << 3;
    QTest::newRow("F34 natural_for") << provider + "models = [\"b\"]\n[presets.k]\nprovider = \"a\"\nnatural_for = [" + name(513) + "]\n"
                                     << QByteArray("presets.k.natural_for[0]") << 6;
}

void TestConfigFindings::F34_namesThatNoRequestCanCarry() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, path);
    QFETCH(int, line);
    const auto loaded = config::readConfig(text.toStdString());
    QVERIFY(!loaded.config);
    QCOMPARE(loaded.findings.size(), std::size_t{1});
    const Finding& finding = loaded.findings.front();
    QCOMPARE(finding.code, std::string("model_name_too_long"));
    QCOMPARE(finding.pointer, path.toStdString());
    QCOMPARE(static_cast<int>(finding.position.line), line);
    QVERIFY(finding.message.find("513 bytes") != std::string::npos && finding.message.find("512") != std::string::npos);
    QVERIFY(!finding.hint.empty() && finding.message.size() < 200);
}

void TestConfigFindings::everyErrorIsReported() {
    const auto loaded = config::readConfig("default_provider = \"x\"\n[server]\nthreads = -1\nauth = \"no\"\n"
                                           "[evidence]\nenabled = 1\n[presets.k]\n[aliases]\na = \"a\"\n");
    for (const char* code : {"provider_missing", "out_of_range", "unknown_enum_value", "wrong_type",
                             "preset_field_missing", "alias_cycle"})
        QVERIFY2(test::findCode(loaded.findings, code) != nullptr, test::listed(loaded.findings).constData());
    QVERIFY(std::is_sorted(loaded.findings.begin(), loaded.findings.end(), [](const Finding& a, const Finding& b) {
        return a.position.line < b.position.line;
    }));
}

void TestConfigFindings::anUnknownKeyIsToldEveryKnownOneOnce() {
    const auto loaded = config::readConfig("zzzzzz = 1\n");
    const Finding* found = test::findCode(loaded.findings, "unknown_key");
    QVERIFY(found);
    for (const char* key : {"\"server\"", "\"resources\"", "\"providers\"", "\"aliases\"", "\"presets\"", "\"routing\""}) {
        const auto first = found->hint.find(key);
        QVERIFY2(first != std::string::npos, found->hint.c_str());
        QVERIFY2(found->hint.find(key, first + 1) == std::string::npos, found->hint.c_str());
    }
}

void TestConfigFindings::aMisspeltProtocolIsOneFinding() {
    const auto loaded = config::readConfig("[providers.a]\nprotocol = \"simulate\"\n");
    QVERIFY2(test::findCode(loaded.findings, "unknown_enum_value") != nullptr, test::listed(loaded.findings).constData());
    QVERIFY2(test::findCode(loaded.findings, "provider_not_callable") == nullptr, test::listed(loaded.findings).constData());
}

void TestConfigFindings::notesComeOnceForEachKey() {
    std::string text;
    for (const char* id : {"a", "b", "c"})
        text += std::string("[providers.") + id + "]\nprotocol = \"simulated\"\ntrust_upstream_cost = true\nretry.max_attempts = 2\n";
    const auto loaded = config::readConfig(text);
    QVERIFY(loaded.config);
    QCOMPARE(test::countCode(loaded.findings, "not_acted_on"), std::size_t{2});
    QVERIFY(test::findCode(loaded.findings, "not_acted_on")->severity == Severity::note);
}

void TestConfigFindings::positionsSurviveCarriageReturns() {
    const auto loaded = config::readConfig("[server]\r\n# note\r\nthreads = -1\r\n");
    const Finding* found = test::findCode(loaded.findings, "out_of_range");
    QVERIFY(found);
    QVERIFY((found->position == TextPosition{3, 11}));
}

void TestConfigFindings::columnsAreCodePoints() {
    const auto loaded = config::readConfig("[providers.\"北\"]\nmodels = [\"模型🚂\", 7]\n");
    const Finding* found = test::findCode(loaded.findings, "wrong_type");
    QVERIFY(found);
    QCOMPARE(found->pointer, std::string("providers.\"北\".models[1]"));
    QVERIFY2((found->position == TextPosition{2, 18}), test::listed(loaded.findings).constData());
}

void TestConfigFindings::secretsAreNeverRepeated_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("code");
    const QByteArray provider = "[providers.a]\n";
    QTest::newRow("api_key") << provider + "api_key = \"sk-live-4711\"\n" << QByteArray("literal_secret");
    QTest::newRow("api_keys") << provider + "api_keys = [\"sk-live-4711\"]\n" << QByteArray("literal_secret");
    QTest::newRow("token of the gateway") << QByteArray("[auth]\ntoken = \"sk-live-4711\"\n") << QByteArray("literal_secret");
    QTest::newRow("token of a principal") << QByteArray("[principals.p]\ntoken = \"sk-live-4711\"\n") << QByteArray("literal_secret");
    QTest::newRow("connection string") << QByteArray("[evidence]\ndsn = \"postgres://u:sk-live-4711@h/d\"\n") << QByteArray("literal_secret");
    QTest::newRow("user in the URL") << provider + "base_url = \"http://u:sk-live-4711@h/v1\"\n" << QByteArray("literal_secret");
    QTest::newRow("user in the proxy") << provider + "proxy = \"http://u:sk-live-4711@h:3128\"\n" << QByteArray("literal_secret");
    QTest::newRow("password where its variable belongs") << provider + "proxy = \"http://h:1\"\nproxy_auth_env = \"u:sk-live-4711\"\n" << QByteArray("environment_name_invalid");
    QTest::newRow("authorization header") << provider + "static_headers = { Authorization = \"Bearer sk-live-4711\" }\n" << QByteArray("literal_secret");
    QTest::newRow("bearer in a header of another name") << provider + "static_headers = { X-Upstream = \"bearer sk-live-4711\" }\n" << QByteArray("literal_secret");
    QTest::newRow("key in a header of another name") << provider + "static_headers = { X-Upstream = \"sk-live-4711\" }\n" << QByteArray("literal_secret");
    QTest::newRow("key where its variable belongs") << provider + "api_key_env = \"sk-live-4711\"\n" << QByteArray("environment_name_invalid");
    QTest::newRow("token where its variable belongs") << QByteArray("[auth]\ntoken_env = \"sk-live-4711\"\n") << QByteArray("environment_name_invalid");
    QTest::newRow("URL where its variable belongs") << provider + "base_url_env_fallbacks = [\"http://sk-live-4711@h\"]\n" << QByteArray("environment_name_invalid");
    QTest::newRow("token where its hash belongs") << QByteArray("[principals.p]\ntoken_sha256 = \"sk-live-4711\"\n") << QByteArray("token_hash_invalid");
    QTest::newRow("unclosed") << provider + "api_key = \"sk-live-4711\n" << QByteArray("toml_syntax");
    QTest::newRow("unquoted") << provider + "api_key = sk-live-4711\n" << QByteArray("toml_syntax");
    QTest::newRow("digits") << provider + "api_key = 47114711471147114711471147114711\n" << QByteArray("toml_syntax");
    QTest::newRow("like a word") << provider + "api_key = true4711\n" << QByteArray("toml_syntax");
    QTest::newRow("like a date") << provider + "api_key = 4711-47-11T4711\n" << QByteArray("toml_syntax");
}

void TestConfigFindings::secretsAreNeverRepeated() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, code);
    const auto loaded = config::readConfig(text.toStdString());
    const QByteArray all = test::listed(loaded.findings);
    QVERIFY(!loaded.config);
    QVERIFY2(test::findCode(loaded.findings, code.toStdString()) != nullptr, all.constData());
    QVERIFY2(!all.contains("4711"), all.constData());
    if (code == "literal_secret" && text.contains("api_key")) QVERIFY2(all.contains("api_key_env"), all.constData());
}

void TestConfigFindings::nestingWithoutEndIsRefused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("dotted key") << "a" + QByteArray(".a").repeated(200'000) + " = 1\n";
    QTest::newRow("table header") << "[a" + QByteArray(".a").repeated(200'000) + "]\n";
    QTest::newRow("lists") << "a = " + QByteArray("[").repeated(200'000);
    QTest::newRow("inline tables") << "a = " + QByteArray("{a=").repeated(200'000);
    // A quote may end the content of a long string: what stands behind it is no string.
    const QByteArray deep = ", {b" + QByteArray(".b").repeated(40) + " = 1}]\n";
    QTest::newRow("behind four quotes") << "a = [\"\"\"x\"\"\"\"" + deep;
    QTest::newRow("behind five quotes") << "a = [\"\"\"x\"\"\"\"\"" + deep;
    QTest::newRow("behind four apostrophes") << "a = ['''x''''" + deep;
}

void TestConfigFindings::nestingWithoutEndIsRefused() {
    QFETCH(QByteArray, text);
    const auto loaded = config::readConfig(text.toStdString());
    QVERIFY(!loaded.config);
    QCOMPARE(loaded.findings.size(), std::size_t{1});
    QVERIFY(loaded.findings[0].message.find("deeply") != std::string::npos);
}

void TestConfigFindings::bracketsInAStringDoNotNest() {
    for (const QByteArray& before : {QByteArray("\"\"\"x\"\"\"\""), QByteArray("\"\"\"x\"\"\"\"\""), QByteArray("'''x''''")})
        QVERIFY2(config::readConfig("a = [" + before.toStdString() + ", \"" + std::string(40, '[') + "\"]\n").config, before.constData());
}

void TestConfigFindings::filesThatCannotBeRead() {
    const auto missing = config::readConfigFile("/nonexistent/gateway.toml");
    QVERIFY(!missing);
    QVERIFY(missing.error().where.find("/nonexistent/gateway.toml") != std::string::npos);
    const auto folder = config::readConfigFile(SIGNALBOX_SOURCE_DIR "/tests");
    QVERIFY(!folder);
    QVERIFY(folder.error().message.find("folder") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestConfigFindings)
#include "tst_config_findings.moc"
