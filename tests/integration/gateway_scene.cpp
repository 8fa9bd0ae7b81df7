// SPDX-License-Identifier: MIT
#include "tests/integration/gateway_scene.h"

#include "router/base/file.h"
#include "router/policy/workspace.h"

#include <stdexcept>

namespace signalbox::test {

namespace {

constexpr const char* kAnswer =
    R"({"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}})";

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
  {"model_family": "fam-a", "when": {"workload_class": ["structured_json", "tool_call"], "expected_output_length": ["short"]},
   "preset_key": "a-k4", "evidence": "bench/a.json", "evidence_tag": "measured"}],
 "workload_class_detection": {"evaluation_order": ["tool_call", "structured_json", "summarization", "code_gen", "free_chat"],
  "classes": {
   "tool_call": {"trigger": "tools", "priority": 100}, "structured_json": {"trigger": "response_format", "priority": 90},
   "summarization": {"trigger": "input", "priority": 50}, "code_gen": {"trigger": "hint", "priority": 40},
   "free_chat": {"trigger": "default", "priority": 0}}},
 "concurrency_mode_detection": {"single_stream": "<= 1", "multi_conc": ">= 2", "owner": "the gateway", "fallback": "single_stream"},
 "length_detection": {"short_threshold_tokens": 256, "caller_hint_wins": true,
  "buckets": {"short": "max_tokens <= 256", "medium": "256 < max_tokens <= 512", "long": "max_tokens > 512"}},
 "fallback": {"action": "default", "default_K": 1, "reason": "tests"},
 "coverage_gaps": []
})";

std::string configText(const std::string& baseUrl, bool evidence) {
    return "[server]\nlisten = \"127.0.0.1:0\"\nthreads = 2\nmax_concurrent_requests = "
           "256\n\n[auth]\ntoken_env = \"SCENE_TOKEN\"\n\n[evidence]\n" +
           std::string(evidence ? "dsn_env = \"SCENE_DSN\"\n" : "enabled = false\n") +
           "\n[providers.up]\nbase_url = \"" + baseUrl +
           "\"\nmodels = [\"model-a\", \"model-a-k4\", \"model-b\"]\n"
           "\n[presets.\"a-k1\"]\nprovider = \"up\"\nmodel = \"model-a\"\n"
           "\n[presets.\"a-k4\"]\nprovider = \"up\"\nmodel = \"model-a-k4\"\n"
           "\n[presets.\"b-k1\"]\nprovider = \"up\"\nmodel = \"model-b\"\n";
}

void write(const std::filesystem::path& file, const std::string& text) {
    if (const auto written = writeFileAtomic(file, text); !written)
        throw std::runtime_error(written.error().text());
}

} // namespace

GatewayScene::GatewayScene(std::string dsn)
    : m_workspace(m_folder.path() / "workspace"), m_dsn(std::move(dsn)) {
    std::filesystem::create_directories(m_workspace);
    write(m_workspace / "routing-table.json", kTable);
    write(m_workspace / "gateway.toml", configText(m_upstream.baseUrl(), !m_dsn.empty()));
    m_upstream.setStandingReply(Reply::json(kAnswer));
}

void GatewayScene::setMore(const std::string& toml) {
    write(m_workspace / "gateway.toml", configText(m_upstream.baseUrl(), !m_dsn.empty()) + toml);
}

std::vector<std::pair<std::string, std::string>> GatewayScene::variables() const {
    std::vector<std::pair<std::string, std::string>> out{
        {"SCENE_TOKEN", token()},
        {"SCENE_DSN", m_dsn},
        {"SIGNALBOX_DATA_DIR", dataFolder().string()},
        {"XDG_CONFIG_HOME", (m_folder.path() / "config").string()}};
    out.insert(out.end(), m_more.begin(), m_more.end());
    return out;
}

config::Environment GatewayScene::environment() const {
    return [variables = variables()](const std::string& name) -> std::optional<std::string> {
        for (const auto& [key, value] : variables) {
            if (key == name)
                return value;
        }
        return std::nullopt;
    };
}

engine::Policy GatewayScene::policy() const {
    const auto loaded = policy::loadWorkspace(
        m_workspace / "routing-table.json", m_workspace / "gateway.toml", environment(), SystemClock().now());
    if (!loaded)
        throw std::runtime_error(loaded.error().text());
    if (!loaded->snapshot)
        throw std::runtime_error("the scene's workspace does not load");
    return {loaded->snapshot, {}};
}

std::unique_ptr<engine::Target> GatewayScene::makeTarget() const {
    engine::EmbeddedOptions options;
    options.evidenceEnabled = !m_dsn.empty();
    options.evidence.journalFolder = dataFolder() / "journal";
    options.evidence.dsn = m_dsn;
    options.evidence.dsnName = "$SCENE_DSN";
    options.evidence.workspaceId = "scene";
    options.stateFolder = dataFolder() / "state";
    options.environment = environment();
    auto target = engine::makeEmbeddedTarget(std::move(options));
    if (!target)
        throw std::runtime_error(target.error().text());
    return std::move(*target);
}

RequestLines GatewayScene::request(int number) const {
    const char* models[] = {"model-a", "model-b", "a-k1"};
    std::string body = std::string("{\"model\":\"") + models[number % 3] +
                       "\",\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]";
    if (number % 2 == 0)
        body += ",\"max_tokens\":50,\"response_format\":{\"type\":\"json_object\"}";
    return {"POST",
            "/v1/chat/completions",
            {"x-api-key: " + token(), "x-request-id: n-" + std::to_string(number)},
            body + "}"};
}

std::uint16_t portOf(const engine::Target& target) {
    const std::string address = target.status().address;
    return static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
}

} // namespace signalbox::test
