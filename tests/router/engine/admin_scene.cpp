// SPDX-License-Identifier: MIT
#include "tests/router/engine/admin_scene.h"

#include "router/base/file.h"
#include "router/engine/admin_wire.h"
#include "router/evidence/segment_cursor.h"
#include "router/policy/workspace.h"

#include <algorithm>
#include <stdexcept>

namespace signalbox::test {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSceneTable = R"({
 "schema_version": 1, "generated_by": "tests", "generated_at": "2025-01-01T00:00:00+00:00", "vllm_pin": null,
 "presets": [
  {"preset_key": "a-k1", "model": "m", "served_model_name": "m", "model_family": "fam-a", "spec_decode_K": 1,
   "max_num_seqs": 4, "role": "default", "intended_workloads": [], "default_for_family": true}],
 "routing_rules": [],
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

std::string simulatedProvider(const std::string& id, const std::string& delay) {
    return "[providers." + id + "]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n[providers." + id + ".simulated]\nfirst_token_ms = " + delay +
           "\noutput_tokens = 3\ntokens_per_second = 100000.0\n";
}

RawResponse orThrow(std::optional<RawResponse> response) {
    if (!response)
        throw std::runtime_error("the gateway did not answer");
    return std::move(*response);
}

} // namespace

AdminScene::AdminScene(Options options) : m_options(std::move(options)) {
    const config::Environment environment = [variables = m_options.variables](const std::string& name) -> std::optional<std::string> {
        const auto it = variables.find(name);
        return it == variables.end() ? std::nullopt : std::optional(it->second);
    };
    const fs::path folder = m_folder.path().toStdString();
    if (!writeFileAtomic(folder / "gateway.toml", configText(m_options.mode, m_options.percent)) ||
        !writeFileAtomic(folder / "routing-table.json", tableText()))
        throw std::runtime_error("the scene's workspace cannot be written");
    const auto loaded = policy::loadWorkspace(folder / "routing-table.json", folder / "gateway.toml", environment, SystemClock().now());
    if (!loaded || !loaded->snapshot)
        throw std::runtime_error("the scene's workspace does not load");
    engine::EmbeddedOptions embedded;
    embedded.evidence.journalFolder = folder / "journal";
    embedded.evidence.dsn = "host=/nonexistent";
    embedded.evidence.dsnName = "$NOWHERE";
    embedded.stateFolder = folder / "state";
    embedded.environment = environment;
    embedded.applyRules = m_options.rules;
    m_target = std::move(engine::makeEmbeddedTarget(std::move(embedded)).value());
    if (auto started = m_target->start({loaded->snapshot, {}}); !started)
        throw std::runtime_error(started.error().text());
}

std::uint16_t AdminScene::port() const {
    const std::string address = m_target->status().address;
    return static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
}

std::string AdminScene::adminToken() const {
    const auto named = m_options.variables.find("ADMIN_TOKEN");
    if (named != m_options.variables.end())
        return named->second;
    std::string token = readFile(fs::path(m_folder.path().toStdString()) / "state" / "admin-token", 4096).value();
    token.erase(token.find_last_not_of('\n') + 1);
    return token;
}

RawResponse AdminScene::bare(const std::string& method, const std::string& path, std::vector<std::string> headers, const std::string& body) const {
    return orThrow(fetch(port(), {method, path, std::move(headers), body}));
}

RawResponse AdminScene::get(const std::string& path, std::vector<std::string> headers) const {
    headers.push_back("Authorization: Bearer " + adminToken());
    return bare("GET", path, std::move(headers));
}

RawResponse AdminScene::post(const std::string& path, const std::string& body, std::vector<std::string> headers) const {
    headers.push_back("Authorization: Bearer " + adminToken());
    return bare("POST", path, std::move(headers), body);
}

nlohmann::json AdminScene::status() const {
    return nlohmann::json::parse(get("/admin/status").body);
}

RawResponse AdminScene::ask(const std::string& session) const {
    std::vector<std::string> headers{"Authorization: Bearer " + m_target->clientToken()};
    if (!session.empty())
        headers.push_back("X-Signalbox-Session-Id: " + session);
    return bare("POST", "/v1/chat/completions", std::move(headers), R"({"model":"auto","messages":[{"role":"user","content":"hi"}]})");
}

std::string AdminScene::configText(const std::string& mode, int percent, const std::string& more) const {
    return "[server]\nlisten = \"" + m_options.listen + "\"\nthreads = 2\n[evidence]\ntarget = \"prod-a\"\nenvironment = \"test\"\n" +
           simulatedProvider("slow", "0") + simulatedProvider("fast", "0") +
           "[presets.\"a-k1\"]\nprovider = \"slow\"\nmodel = \"m\"\n[routing]\nmode = \"" + mode + "\"\nactivation_percent = " + std::to_string(percent) +
           "\n[routing.groups.g]\naliases = [\"auto\"]\n"
           "[[routing.groups.g.candidates]]\nprovider = \"slow\"\nmodel = \"m\"\nlatency_hint_ms = 9000\n"
           "[[routing.groups.g.candidates]]\nprovider = \"fast\"\nmodel = \"m\"\nlatency_hint_ms = 10\n" +
           m_options.more + more;
}

std::string AdminScene::tableText() const {
    return kSceneTable;
}

std::string AdminScene::applyBody(const std::string& config) const {
    return engine::wire::encodeApply({{{"routing-table.json", tableText(), {}}, {"gateway.toml", config, {}}}});
}

std::vector<evidence::Event> AdminScene::eventsAfter() {
    m_target.reset();
    std::vector<evidence::Event> events;
    for (const auto& entry : fs::directory_iterator(fs::path(m_folder.path().toStdString()) / "journal")) {
        if (entry.path().extension() != evidence::Segment::kSuffix)
            continue;
        evidence::SegmentCursor cursor(evidence::Segment::openLeftOver(entry.path()).value());
        while (const auto payload = cursor.next()) {
            if (cursor.kind() == evidence::FrameKind::event)
                events.push_back(evidence::decodeEvent(*payload).value());
        }
    }
    std::sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.createdAt < b.createdAt; });
    return events;
}

std::string errorCode(const RawResponse& response) {
    const auto json = nlohmann::json::parse(response.body, nullptr, false);
    return json.is_object() && json.contains("error") ? json["error"].value("code", "") : std::string();
}

std::string errorMessage(const RawResponse& response) {
    const auto json = nlohmann::json::parse(response.body, nullptr, false);
    return json.is_object() && json.contains("error") ? json["error"].value("message", "") : std::string();
}

} // namespace signalbox::test
