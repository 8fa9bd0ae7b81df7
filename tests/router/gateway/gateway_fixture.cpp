// SPDX-License-Identifier: MIT
#include "tests/router/gateway/gateway_fixture.h"

#include "router/config/read.h"
#include "router/upstream/adapters.h"
#include "router/table/read.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace signalbox::test {

namespace {

constexpr const char* kTable = R"({
 "schema_version": 1, "generated_by": "tests", "generated_at": "2025-01-01T00:00:00+00:00", "vllm_pin": null,
 "presets": [
  {"preset_key": "a-k1", "model": "org/model-a", "served_model_name": "model-a", "model_family": "fam-a", "spec_decode_K": 1,
   "max_num_seqs": 4, "role": "default", "intended_workloads": [], "default_for_family": true},
  {"preset_key": "a-k4", "model": "org/model-a", "served_model_name": "model-a", "model_family": "fam-a", "spec_decode_K": 4,
   "max_num_seqs": 4, "role": "structured", "intended_workloads": [], "default_for_family": false},
  {"preset_key": "b-k1", "model": "org/model-b", "served_model_name": "model-b", "model_family": "fam-b", "spec_decode_K": 1,
   "max_num_seqs": 4, "role": null, "intended_workloads": [], "default_for_family": false}],
 "routing_rules": [
  {"model_family": "fam-a", "when": {"workload_class": ["structured_json", "tool_call"], "expected_output_length": ["short"],
   "concurrency_mode": ["single_stream"]}, "preset_key": "a-k4", "evidence": "bench/a.json", "evidence_tag": "measured"}],
 "workload_class_detection": {"evaluation_order": ["tool_call", "structured_json", "summarization", "code_gen", "free_chat"],
  "classes": {
   "tool_call": {"trigger": "tools", "priority": 100}, "structured_json": {"trigger": "response_format", "priority": 90},
   "summarization": {"trigger": "input", "priority": 50}, "code_gen": {"trigger": "hint", "priority": 40},
   "free_chat": {"trigger": "default", "priority": 0}}},
 "concurrency_mode_detection": {"single_stream": "<= 1", "multi_conc": ">= 2", "owner": "the gateway", "fallback": "single_stream"},
 "length_detection": {"short_threshold_tokens": 256, "caller_hint_wins": true,
  "buckets": {"short": "max_tokens <= 256", "medium": "256 < max_tokens <= 512", "long": "max_tokens > 512"}},
 "fallback": {"action": "default", "default_K": 1, "reason": "tests"},
 "coverage_gaps": [{"model_family": "fam-b", "missing_cell": "workload_class=free_chat AND expected_output_length=short",
  "fallback_preset": "b-k1", "next_phase": "later"}]
})";

std::string configText(const FixtureOptions& options) {
    std::string models = "\"model-a\", \"model-a-k4\", \"model-b\"";
    for (const std::string& model : options.models)
        models += ", " + OrderedJson(model).dump();
    const auto url = [&](const char* provider) {
        const auto own = options.upstreams.find(provider);
        return own != options.upstreams.end() ? own->second : std::string("http://127.0.0.1:9/v1");
    };
    return "[server]\nlisten = \"127.0.0.1:0\"\nthreads = " + std::to_string(options.threads) + "\n" +
           options.server + "\n[providers.up]\nbase_url = \"" + url("up") + "\"\nmodels = [" + models +
           "]\n" + options.providerLines +
           "\n[providers.other]\nbase_url = \"" + url("other") + "\"\nmodels = [\"elsewhere\"]\n"
           "\n[presets.\"a-k1\"]\nprovider = \"up\"\nmodel = \"model-a\"\n"
           "\n[presets.\"a-k4\"]\nprovider = \"up\"\nmodel = \"model-a-k4\"\n"
           "\n[presets.\"b-k1\"]\nprovider = \"up\"\nmodel = \"model-b\"\n" +
           options.more;
}

std::string textOf(const Findings& findings) {
    std::string text;
    for (const Finding& finding : findings)
        text += finding.text("fixture") + "\n";
    return text;
}

} // namespace

std::shared_ptr<const policy::PolicySnapshot> fixtureSnapshot(const FixtureOptions& options) {
    const auto table = table::readTable(kTable, SystemClock().now());
    if (!table.table)
        throw std::runtime_error(textOf(table.findings));
    const auto config = config::readConfig(configText(options));
    if (!config.config)
        throw std::runtime_error(textOf(config.findings));
    return policy::makeSnapshot(table.table, table.sha256, config.config);
}

struct GatewayFixture::Log {
    std::mutex mutex;
    std::vector<evidence::DecisionRecord> records;

    class Sink final : public evidence::RecordSink {
    public:
        explicit Sink(std::shared_ptr<Log> log) : m_log(std::move(log)) {}
        bool append(const evidence::DecisionRecord& record) noexcept override {
            const std::scoped_lock lock(m_log->mutex);
            m_log->records.push_back(record);
            return true;
        }
        void gather(const evidence::DecisionRecord& record) noexcept override { m_gathered.push_back(record); }
        void commit() noexcept override {
            for (const evidence::DecisionRecord& record : std::exchange(m_gathered, {}))
                append(record);
        }

    private:
        std::shared_ptr<Log> m_log;
        std::vector<evidence::DecisionRecord> m_gathered; // not kept yet
    };
};

GatewayFixture::GatewayFixture(FixtureOptions options)
    : GatewayFixture(std::move(options), std::make_shared<SystemClock>()) {}

GatewayFixture::GatewayFixture(FixtureOptions options, std::shared_ptr<Clock> clock)
    : m_options(std::move(options)), m_clock(std::move(clock)),
      m_process(std::make_shared<capacity::ProcessState>(*m_clock)), m_snapshot(fixtureSnapshot(m_options)),
      m_upstream(std::make_shared<FakeAdapter>("up")), m_other(std::make_shared<FakeAdapter>("other")),
      m_log(std::make_shared<Log>()) {
    gateway::ServerOptions serverOptions;
    serverOptions.makeSink = [log = m_log]() -> Result<std::unique_ptr<evidence::RecordSink>> {
        return std::make_unique<Log::Sink>(log);
    };
    serverOptions.maxConnections = m_options.maxConnections;
    auto server = gateway::Server::start(*m_clock, std::move(serverOptions), makeServing());
    if (!server)
        throw std::runtime_error(server.error().text());
    m_server = std::move(*server);
}

GatewayFixture::~GatewayFixture() = default;

std::shared_ptr<const gateway::Serving> GatewayFixture::makeServing() const {
    return makeServing(m_snapshot);
}

std::shared_ptr<const gateway::Serving>
GatewayFixture::makeServing(std::shared_ptr<const policy::PolicySnapshot> snapshot) const {
    const auto environment = [](const std::string& name) -> std::optional<std::string> {
        if (name == "BATCH_TOKEN")
            return "batch-token-0123456789";
        return std::nullopt;
    };
    auto access = gateway::AccessPolicy::make(*snapshot->config, environment, m_options.token, kAdminToken);
    if (!access)
        throw std::runtime_error(access.error().text());
    auto serving = gateway::makeServing({std::move(snapshot), std::move(*access), m_process, adapters(), {}}, *m_clock);
    if (!serving)
        throw std::runtime_error(serving.error().text());
    return *serving;
}

strategy::AdapterMap GatewayFixture::adapters() const {
    strategy::AdapterMap out{{"up", m_upstream}, {"other", m_other}};
    for (const auto& [provider, url] : m_options.upstreams) {
        auto adapter = upstream::makeAdapter(*m_snapshot->config->findProvider(provider), {});
        if (!adapter)
            throw std::runtime_error(adapter.error().text());
        out[provider] = std::move(*adapter);
    }
    return out;
}

std::optional<RawResponse> GatewayFixture::getAsAdmin(const std::string& target) const {
    return fetch(port(), {"GET", target, {"Authorization: Bearer " + kAdminToken}, {}});
}

std::optional<RawResponse> GatewayFixture::post(const std::string& body, std::vector<std::string> headers,
                                                const std::string& target) const {
    headers.push_back(kAuth);
    return fetch(port(), {"POST", target, std::move(headers), body});
}

std::optional<RawResponse> GatewayFixture::get(const std::string& target) const {
    return fetch(port(), {"GET", target, {kAuth}, {}});
}

std::vector<evidence::DecisionRecord> GatewayFixture::records() const {
    const std::scoped_lock lock(m_log->mutex);
    return m_log->records;
}

std::uint64_t GatewayFixture::refusals(const std::string& code) const {
    std::uint64_t count = 0;
    for (const gateway::Refusal& refusal : m_server->refusals())
        count += refusal.code == code ? refusal.count : 0;
    return count;
}

} // namespace signalbox::test
