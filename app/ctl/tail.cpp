// SPDX-License-Identifier: MIT
#include "app/ctl/decision_line.h"
#include "app/ctl/filter_notes.h"
#include "app/ctl/target_access.h"
#include "app/ctl/verbs.h"
#include "router/engine/live_ledger.h"

#include <algorithm>
#include <ostream>
#include <thread>

namespace signalbox::ctl {
namespace {

constexpr std::chrono::milliseconds kFirstPause{500}, kLongestPause{10'000};

bool wentTo(const evidence::DecisionRecord& record, const std::string& endpointId) {
    return std::any_of(record.attempts.begin(), record.attempts.end(),
                       [&](const evidence::Attempt& attempt) { return attempt.endpointId == endpointId; });
}

bool matches(const TailOptions& options, const evidence::DecisionRecord& record) {
    const auto is = [](const std::string& wanted, const std::string& value) { return wanted.empty() || wanted == value; };
    return is(options.outcome, std::string(toString(record.outcome))) && is(options.endpoint, record.endpointId) &&
           is(options.preset, record.presetKey.value_or("")) && is(options.family, record.family.value_or("")) &&
           is(options.model, record.requestedModel) && is(options.principal, record.principal) && is(options.team, record.team) &&
           is(options.group, record.group ? record.group->groupId : "") && (options.attempted.empty() || wentTo(record, options.attempted));
}

/// Prints what comes until enough came; says on stderr what could not be shown.
class Tail {
public:
    Tail(const TailOptions& options, Context& context, engine::AdminAccess access) : m_options(options), m_context(context), m_client(std::move(access)) {}

    /// Follows until the connection ends.
    [[nodiscard]] Result<void> follow() {
        const auto status = m_client.status();
        if (!status) return tl::unexpected(status.error());
        const std::uint64_t missed = m_ledger.opens(*status);
        if (m_wasConnected || m_context.errIsTerminal) m_context.err << "signalboxctl: following " << status->name << '\n';
        // Whoever waits for a name that nobody knows waits forever.
        if (!m_wasConnected) noteFilters(m_options, m_client, m_context);
        m_wasConnected = true;
        tellMissed(missed, "while the connection was broken");
        return tl::unexpected(m_client.follow({[this] { m_opened = true; }, [this](const evidence::DecisionRecord& record) { take(record); },
                                               [this](std::uint64_t count) {
                                                   m_ledger.skipped(count);
                                                   tellMissed(count, "because they came faster than they could be sent");
                                               }}));
    }

    [[nodiscard]] bool isDone() const { return m_options.limit && m_printed >= *m_options.limit; }
    [[nodiscard]] bool wasConnected() const { return m_wasConnected; }
    /// Whether the stream itself was open since the last question.
    [[nodiscard]] bool takeOpened() { return std::exchange(m_opened, false); }

private:
    void take(const evidence::DecisionRecord& record) {
        m_ledger.came(record);
        if (isDone() || !matches(m_options, record)) return;
        if (m_options.to.json) m_context.out << evidence::encodeRecord(record) << std::endl;
        else printDecisionLine(m_context.out, record);
        m_context.out.flush();
        ++m_printed;
        if (isDone() || !m_context.out) m_client.cancel();
    }
    void tellMissed(std::uint64_t count, const char* why) {
        if (count > 0) m_context.err << "signalboxctl: " << count << (count == 1 ? " decision is" : " decisions are") << " not shown, " << why << "; see the history\n";
    }

    const TailOptions& m_options;
    Context& m_context;
    engine::AdminClient m_client;
    engine::LiveLedger m_ledger;
    std::size_t m_printed = 0;
    bool m_wasConnected = false, m_opened = false;
};

}  // namespace

int runTail(const TailOptions& options, Context& context) {
    auto access = accessOf(options.to, context);
    if (!access) return report(context, access.error());
    Tail tail(options, context, std::move(*access));
    std::chrono::milliseconds wait = kFirstPause;
    for (;;) {
        const auto ended = tail.follow();
        if (tail.isDone() || !context.out) return kOk;
        // What never answered will not come by waiting, and neither will another token.
        if (!tail.wasConnected() || ended.error().kind != ErrorKind::unavailable) return report(context, ended.error());
        if (tail.takeOpened()) wait = kFirstPause;
        static_cast<void>(report(context, ended.error()));
        std::this_thread::sleep_for(wait);
        wait = std::min(2 * wait, kLongestPause);
    }
}

}  // namespace signalbox::ctl
