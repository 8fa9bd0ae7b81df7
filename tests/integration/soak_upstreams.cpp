// SPDX-License-Identifier: MIT
#include "tests/integration/soak_upstreams.h"

#include "router/base/random.h"
#include "tests/router/gateway/faults.h"
#include "tests/support/speaking_upstream.h"

#include <array>

namespace signalbox::test {

namespace {

constexpr std::uint64_t kOneIn = 10;        // answers that break
constexpr std::uint64_t kStallsOneIn = 20;  // of these, where a stall was drawn: each holds a client for a second
constexpr std::uint64_t kSwiftStallsOneIn = 25;
constexpr std::array kSpoken{"500", "429", "529", "400", "frame", "early", "stall", "late", "latestall", "lateframe"};

/// As it is played when nobody releases what waits.
Reply withoutWaiting(const Reply& reply) {
    Reply out = Reply::nothing();
    for (const Reply::Step& step : reply.steps()) {
        switch (step.kind) {
        case Reply::Step::Kind::send: out.bytes(step.bytes, step.pieceBytes); break;
        case Reply::Step::Kind::stall: out.stall(); break;
        case Reply::Step::Kind::close: out.close(); break;
        case Reply::Step::Kind::reset: out.reset(); break;
        case Reply::Step::Kind::gather: out.gather(); break;
        case Reply::Step::Kind::awaitRelease: break;
        }
    }
    return out;
}

std::vector<Reply> brokenReplies(bool stream) {
    std::vector<Reply> out;
    for (const Fault& fault : faultsOf(stream))
        if (!fault.dead && !fault.passes() && !fault.stalls) out.push_back(withoutWaiting(fault.reply));
    return out;
}

/// An upstream of the OpenAI protocol to which no request is wrong: every step at which an answer can break. It never
/// stalls, since its provider has the usual limits.
class PlainBreaking {
public:
    explicit PlainBreaking(std::uint64_t seed) : m_random(seed), m_streams(brokenReplies(true)), m_wholes(brokenReplies(false)) {}

    Reply operator()(const ReceivedRequest& request) {
        const bool stream = wantsStream(request);
        if (m_random.next() % kOneIn != 0) return goodReply(stream);
        const std::vector<Reply>& broken = stream ? m_streams : m_wholes;
        return broken[m_random.next() % broken.size()];
    }

private:
    FastRandom m_random;
    std::vector<Reply> m_streams, m_wholes;
};

/// The two that speak are told their fault by the model's name.
class SpeakingBreaking {
public:
    explicit SpeakingBreaking(std::uint64_t seed) : m_random(seed) {}

    Reply operator()(ReceivedRequest request) {
        // A backup is only sent where it nearly always helps: these two must be reliable, and one of them at times slow.
        const bool swift = request.body.find("\"model\":\"swift") != std::string::npos;
        if (swift && m_random.next() % kSwiftStallsOneIn == 0) return Reply::nothing().stall();
        if (swift || request.body.find("\"model\":\"sure") != std::string::npos) return speak(request);
        if (m_random.next() % kOneIn == 0) name(request, kSpoken[m_random.next() % kSpoken.size()]);
        return speak(request);
    }

private:
    void name(ReceivedRequest& request, std::string_view fault) {
        constexpr std::string_view kModel = "\"model\":\"";
        if (fault.ends_with("stall") && m_random.next() % kStallsOneIn != 0) fault = "late";
        const std::size_t at = request.body.find(kModel);
        if (at != std::string::npos) request.body.insert(at + kModel.size(), "fault-" + std::string(fault) + "-");
    }

    FastRandom m_random;
};

std::string provider(const std::string& id, const std::string& protocol, const std::string& baseUrl, const std::string& price) {
    return "\n[providers." + id + "]\nprotocol = \"" + protocol + "\"\nbase_url = \"" + baseUrl +
           "\"\nmodels = [\"fine\", \"swift\", \"sure\"]\napi_key_env = \"SOAK_KEY\"\nresource = \"slots-" + id +
           "\"\nconnect_timeout_ms = 300\nfirst_byte_timeout_ms = 1500\nstream_idle_timeout_ms = 1500\n" +
           (protocol == "openai_compat" ? "max_tokens_field = \"max_completion_tokens\"\n" : "") + "[providers." + id +
           ".pricing]\ninput_per_million = " + price + "\noutput_per_million = " + price + "\n";
}

std::string group(const std::string& alias, const std::vector<std::string>& providers) {
    std::string out = "\n[routing.groups." + alias + "]\naliases = [\"" + alias + "\"]\n";
    for (const std::string& id : providers)
        out += "[[routing.groups." + alias + ".candidates]]\nprovider = \"" + id + "\"\nmodel = \"" +
               (id == "up" ? "model-b" : "fine") + "\"\n";
    return out;
}

std::string pool(const std::string& id, const std::string& router, const std::vector<std::string>& providers, bool composed = false) {
    std::string out = "\n[models." + id + "]\n" + router;
    for (const std::string& each : providers) {
        const char* model = router.find("latency_hedge_mode") == std::string::npos ? "fine" : each == "oa" ? "swift" : "sure";
        out += "[[models." + id + ".route]]\nprovider = \"" + each + "\"\nmodel = \"" + model + "\"\n";
        if (composed) out += std::string("kind = \"") + (each == "oa" ? "local" : "cloud") + "\"\n";
    }
    return out;
}

} // namespace

SoakUpstreams::SoakUpstreams(GatewayScene& scene, std::uint64_t seed) : m_plain(scene.upstream()) {
    for (ScriptedUpstream* upstream : {&m_plain, &m_openAi, &m_anthropic}) upstream->forgetRequests();
    m_plain.setResponder(PlainBreaking(seed));
    m_openAi.setResponder(SpeakingBreaking(seed + 1));
    m_anthropic.setResponder(SpeakingBreaking(seed + 2));
}

std::string SoakUpstreams::sections(const std::string& mode, int percent) const {
    std::string out = "\n[circuits]\ncool_for_ms = 50\nmax_retry_after_s = 1\n";
    for (const char* id : {"oa", "an", "gone", "deaf"}) out += "\n[resources.slots-" + std::string(id) + "]\nlimit = 12\n";
    out += provider("oa", "openai_compat", m_openAi.baseUrl(), "1.0") + provider("an", "anthropic", m_anthropic.baseUrl(), "2.0") +
           provider("gone", "openai_compat", m_gone.baseUrl(), "0.5") + provider("deaf", "anthropic", m_deaf.baseUrl(), "0.5");
    out += "\n[routing]\nmode = \"" + mode + "\"\nactivation_percent = " + std::to_string(percent) + "\n" +
           group("auto", {"oa", "an", "up"}) + group("deep", {"gone", "an", "oa"});
    out += "\n[aliases]\n\"plain-oa\" = \"oa:fine\"\n\"plain-an\" = \"an:fine\"\n";
    out += pool("pool-fixed", "router = \"fixed\"\n", {"oa", "an", "gone", "deaf"});
    out += pool("pool-wise", "router = \"routewise\"\n", {"gone", "oa", "an"});
    out += pool("pool-hedging",
                "router = \"routewise\"\nrouter_params = { budget_alpha = 0.5, latency_hedge_mode = \"probability_target\", "
                "latency_slo_sec = 1, hedge_spend_cap_usd_per_hour = 1000 }\n",
                {"oa", "an"});
    out += pool("pool-greedy",
                "router = \"greedy\"\nrouter_params = { prefill_tokens_per_s = 100000, decode_tokens_per_s = 1000, "
                "max_running_requests = 4, max_reserved_tokens = 20000, max_work_s = 100, ttft_deadline_s = 5, "
                "cloud = { budget_alpha = 0 } }\n",
                {"oa", "an"}, true);
    return out + pool("pool-hybrid", "router = \"fixed\"\nrouter_params = { hybrid_composition = true }\n", {"oa", "an"}, true);
}

std::size_t SoakUpstreams::requestCount() const {
    return m_plain.requestCount() + m_openAi.requestCount() + m_anthropic.requestCount();
}

std::size_t SoakUpstreams::openConnections() const {
    return m_plain.openConnections() + m_openAi.openConnections() + m_anthropic.openConnections();
}

} // namespace signalbox::test
