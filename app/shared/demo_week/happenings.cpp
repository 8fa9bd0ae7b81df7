// SPDX-License-Identifier: MIT
#include "app/shared/demo_week/happenings.h"

#include "router/engine/event_words.h"

#include <algorithm>

namespace signalbox::app {
namespace {

using evidence::Event;
using evidence::EventKind;
using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::uint64_t kHappeningsSeed = 0x6576'656e'74ULL;
constexpr const char* kProds[] = {"prod-a", "prod-b"};
constexpr std::string_view kPercentVariable = "SIGNALBOX_SMART_ROUTING_ACTIVATION_PERCENT";

class Teller {
public:
    explicit Teller(std::vector<Event>& out) : m_out(out) {}

    void tell(Timestamp at, EventKind kind, const char* target, std::string subject, std::string words, std::string_view actor,
              const policy::PolicySnapshot& running) {
        Event event;
        event.id = evidence::EventId::make(at, m_random);
        event.createdAt = at;
        event.kind = kind;
        event.target = target;
        event.environment = "production";
        event.subject = std::move(subject);
        event.words = std::move(words);
        event.actor = actor;
        event.policyHash = running.hash;
        m_out.push_back(std::move(event));
    }
    void apply(Timestamp at, const char* target, const DemoPolicies::Release& release) {
        const auto& routing = release.now->config->routing;
        tell(at, EventKind::apply, target, release.now->hash, engine::applyWords(release.now->hash, release.before->hash, release.signedBy),
             evidence::kByOperator, *release.now);
        tell(at + std::chrono::microseconds(1), EventKind::mode, target, std::string(config::toString(routing.mode)),
             engine::modeWords(release.before->config->routing, routing), evidence::kByOperator, *release.now);
    }
    void restart(Timestamp at, const char* target, const policy::PolicySnapshot& policy) {
        tell(at - seconds(4), EventKind::stop, target, policy.hash, "The gateway stopped.", evidence::kByOperator, policy);
        tell(at, EventKind::start, target, policy.hash, engine::startWords(policy.hash, {}, policy.config->routing), evidence::kByOperator, policy);
    }

private:
    std::vector<Event>& m_out;
    FastRandom m_random{kHappeningsSeed};
};

}  // namespace

std::vector<Event> demoHappenings(const DemoPolicies& policies, Timestamp now) {
    std::vector<Event> events;
    Teller teller(events);
    const Timestamp sunday(std::chrono::floor<days>(now));
    for (const DemoPolicies::Release& release : policies.releases())
        for (const char* prod : kProds) teller.apply(release.at + (prod == kProds[0] ? seconds(0) : seconds(40)), prod, release);
    // The upgrade that lost the session header, as the script that rolled it out said.
    const Timestamp wednesday = sunday - days(4);
    teller.tell(wednesday + hours(14), EventKind::note, kProds[0], {}, "coding-agents: client 3.2 is being rolled out.", "coding-agents", policies.own());
    teller.tell(wednesday + hours(16) + minutes(30), EventKind::note, kProds[0], {}, "coding-agents: back to client 3.1.", "coding-agents", policies.own());
    // Friday 16:40 to 16:46: an override on one gateway, and its undoing.
    const Timestamp friday = sunday - days(2);
    const std::string assignment = std::string(kPercentVariable) + "=50";
    teller.restart(friday + hours(16) + minutes(40), kProds[1], policies.own());
    teller.tell(friday + hours(16) + minutes(40) + std::chrono::microseconds(1), EventKind::environmentOverride, kProds[1], std::string(kPercentVariable),
                engine::overrideWords(assignment), evidence::kByGateway, policies.own());
    teller.restart(friday + hours(16) + minutes(46), kProds[1], policies.own());
    std::erase_if(events, [&](const Event& event) { return event.createdAt > now; });
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.createdAt < b.createdAt; });
    return events;
}

std::optional<Event> demoCircuit(const capacity::CircuitChange& change, Timestamp at, const std::string& policyHash, Random& random) {
    std::string words = engine::circuitWords(change, at);
    if (words.empty()) return std::nullopt;
    Event event;
    event.id = evidence::EventId::make(at, random);
    event.createdAt = at;
    event.kind = change.opened ? EventKind::circuitOpened : EventKind::circuitClosed;
    event.target = kProds[0];
    event.environment = "production";
    event.subject = change.endpointId;
    event.words = std::move(words);
    event.actor = evidence::kByGateway;
    event.policyHash = policyHash;
    return event;
}

}  // namespace signalbox::app
