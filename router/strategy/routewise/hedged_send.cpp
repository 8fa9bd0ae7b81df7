// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/hedged_send.h"

#include "router/strategy/fault_of.h"

#include <boost/asio/this_coro.hpp>
#include <utility>

namespace signalbox::strategy::routewise {

namespace asio = dispatch::asio;
using capacity::HedgeLedger;
using dispatch::AnswerResult;
using dispatch::UpstreamFailure;

namespace {

constexpr std::size_t kPrimaryLeg = 0;
constexpr std::size_t kBackupLeg = 1;

Steady after(Steady start, double seconds) {
    return start + std::chrono::ceil<Steady::duration>(std::chrono::duration<double>(seconds));
}

/// The backup leg when it sent nothing; ends no race and is shown to nobody.
AnswerResult notSent() {
    UpstreamFailure failure;
    failure.kind = UpstreamFailure::Kind::refused;
    failure.code = "no_backup_sent";
    return tl::unexpected(std::move(failure));
}

/// It came to no end of its own, or to a good one too late.
bool wasOvertaken(const std::optional<AnswerResult>& leg) {
    return !leg || leg->has_value() || leg->error().kind == UpstreamFailure::Kind::cancelled;
}

/// Whether its upstream may have got the request, and charge for it.
bool hasArrived(const std::optional<AnswerResult>& leg) { return !leg || leg->has_value() || mayHaveArrived(leg->error()); }

}  // namespace

HedgedSend::HedgedSend(PoolRequest& request, Waiter& waiter, std::size_t primary)
    : m_request(request), m_pool(request.pool()), m_waiter(waiter), m_primary(primary) {}

asio::awaitable<std::unique_ptr<dispatch::RoutedAnswer>> HedgedSend::run(ReadyAttempt ready) {
    const auto executor = co_await asio::this_coro::executor;
    m_primaryEntry = ready.record.index();
    m_sentAt = m_request.now();
    m_primaryEnded.emplace(executor);
    m_pool.hedges().countRequest();
    // What the table of failures lets nobody follow is the answer; a backup's failure never ends the primary.
    auto decides = [this](std::size_t leg, const AnswerResult& result) {
        return result.has_value() || (leg == kPrimaryLeg && !kFallbackTable[static_cast<std::size_t>(classOf(result.error()))].fallsBack);
    };
    auto primary = primaryLeg(std::move(ready));
    auto backup = backupLeg();
    RaceEnd end = co_await race(std::move(primary), std::move(backup), std::move(decides));
    co_return conclude(end);
}

asio::awaitable<AnswerResult> HedgedSend::primaryLeg(ReadyAttempt ready) {
    AnswerResult answer = co_await sendAttempt(std::move(ready), m_request.run());
    if (!answer) m_primaryFailure = answer.error();
    m_primaryEnded->set();
    co_return answer;
}

asio::awaitable<AnswerResult> HedgedSend::backupLeg() {
    const std::vector<double> checkpoints = hedgeCheckpoints(objectiveOf(m_pool.parameters()).sloMs);
    for (std::size_t at = 0; at < checkpoints.size();) {
        const Steady moment = after(m_sentAt, checkpoints[at]);
        // A moment that comes after the request's budget is none: both would end at once.
        if (m_request.run().endsBy && moment >= *m_request.run().endsBy) break;
        const bool primaryEnded = co_await waitUntil(m_waiter, moment, *m_primaryEnded);
        if (primaryEnded) break;
        if (!m_request.streams()) co_return notSent();
        const std::optional<HedgeDispatch> due = planAt(at);
        if (!due) {
            ++at;
            continue;
        }
        std::optional<ReadyAttempt> ready = admit(*due);
        if (ready) {
            AnswerResult answer = co_await sendAttempt(std::move(*ready), m_request.run());
            co_return answer;
        }
        // A refused one is out of the way: another may be as good at the same moment.
        if (m_overCap) co_return notSent();
    }
    co_await m_primaryEnded->wait();
    AnswerResult answer = co_await afterFailure();
    co_return answer;
}

asio::awaitable<AnswerResult> HedgedSend::afterFailure() {
    if (!m_primaryFailure || !m_request.streams()) co_return notSent();
    const bool mayFollow = m_request.verdict().mayFollow(*m_primaryFailure);
    if (!mayFollow) say("not_acceptable");
    while (mayFollow && !m_overCap) {
        const std::optional<HedgeDispatch> due = planAfterFailure();
        if (!due) break;
        std::optional<ReadyAttempt> ready = admit(*due);
        if (!ready) continue;
        AnswerResult answer = co_await sendAttempt(std::move(*ready), m_request.run());
        co_return answer;
    }
    co_return notSent();
}

void HedgedSend::lookForBackups() { m_backups = backupsFor(m_pool, m_request.choose(0), m_primary, m_request.now()); }

std::optional<HedgeDispatch> HedgedSend::planAt(std::size_t checkpoint) {
    lookForBackups();
    const auto primary = m_pool.streamTimes(m_primary, m_request.now());
    const HedgePlan plan = planHedge(*primary, m_backups.options, objectiveOf(m_pool.parameters()), checkpoint);
    if (!plan.dispatch) {
        say(m_refused ? "refused" : m_backups.options.empty() ? "no_backup" : "not_acceptable");
        return std::nullopt;
    }
    say("answered");  // unless its moment comes
    if (plan.feasibleCheckpoints.back() != checkpoint) return std::nullopt;
    return plan.dispatch;
}

std::optional<HedgeDispatch> HedgedSend::planAfterFailure() {
    lookForBackups();
    const auto dispatch = hedgeAfterFailure(elapsedMs(), m_backups.options, objectiveOf(m_pool.parameters()));
    if (!dispatch) say(m_refused ? "refused" : m_backups.options.empty() ? "no_backup" : "not_acceptable");
    return dispatch;
}

std::optional<ReadyAttempt> HedgedSend::admit(const HedgeDispatch& dispatch) {
    HedgeLedger& ledger = m_pool.hedges();
    const std::size_t member = m_backups.members[dispatch.backup];
    const double costUsd = m_backups.options[dispatch.backup].costUsd;
    const auto booking = ledger.book(m_request.now(), costUsd, m_pool.parameters().hedgeSpendCapUsdPerHour);
    if (!booking) {
        m_overCap = true;
        say("spend_cap");
        return std::nullopt;
    }
    std::optional<ReadyAttempt> ready = m_request.admit(member, evidence::AttemptRole::hedge);
    if (!ready) {
        ledger.takeBack(*booking);
        m_refused = true;
        say("refused");
        return std::nullopt;
    }
    ledger.countSent();
    m_backup = Backup{member, ready->record.index(), *booking};
    if (m_request.run().pool != nullptr && *m_request.run().pool) (*m_request.run().pool)->hedgeAtMs = elapsedMs();
    return ready;
}

std::unique_ptr<dispatch::RoutedAnswer> HedgedSend::conclude(RaceEnd& end) {
    std::optional<AnswerResult>& primary = end.legs[kPrimaryLeg];
    std::optional<AnswerResult>& backup = end.legs[kBackupLeg];
    if (end.decidedBy == kBackupLeg) {
        say("won");
        m_pool.hedges().countEnd(HedgeLedger::End::won);
        if (wasOvertaken(primary)) {
            const bool arrived = hasArrived(primary);
            primary.reset();  // a good answer that came too late ends here
            markLost(m_primaryEntry, m_primary, arrived);
        }
        m_request.verdict().goesOn();
        return std::move(**backup);
    }
    const bool answered = primary->has_value();
    if (!answered) m_request.failed(m_primary, std::move(primary->error()));
    if (m_backup) {
        const bool overtaken = end.decidedBy && wasOvertaken(backup);
        const bool arrived = hasArrived(backup);
        if (!overtaken && !answered) m_request.failed(m_backup->member, std::move(backup->error()));
        backup.reset();
        backupLost(!overtaken, arrived);
    } else if (answered && m_word.empty()) {
        say(m_request.streams() ? "answered" : "disabled");
    }
    if (!answered) return nullptr;
    m_request.verdict().goesOn();
    return std::move(**primary);
}

void HedgedSend::backupLost(bool failed, bool arrived) {
    say(failed ? "failed" : "lost");
    m_pool.hedges().countEnd(failed ? HedgeLedger::End::failed : HedgeLedger::End::lost);
    if (!arrived) m_pool.hedges().takeBack(m_backup->booking);
    if (failed) return;
    markLost(m_backup->entry, m_backup->member, arrived);
    if (const auto& cost = (*m_request.run().attempts)[m_backup->entry].costUsd) m_pool.hedges().settle(m_backup->booking, *cost);
}

// Its record was closed when its coroutine was cancelled, which cannot tell who cancelled it.
void HedgedSend::markLost(std::size_t entry, std::size_t member, bool arrived) {
    evidence::Attempt& attempt = (*m_request.run().attempts)[entry];
    attempt.outcome = evidence::AttemptOutcome::cancelled;
    attempt.reason = kHedgeLost;
    if (attempt.costUsd || !arrived) return;
    const double input = static_cast<double>(attempt.inputTokens.value_or(m_request.run().promptTokens));
    attempt.costUsd = m_pool.priceOf(member, input, static_cast<double>(attempt.outputTokens.value_or(0)));
}

void HedgedSend::say(std::string_view word) {
    m_word = word;
    if (m_request.run().pool != nullptr && *m_request.run().pool) (*m_request.run().pool)->hedge = word;
}

double HedgedSend::elapsedMs() const {
    return std::chrono::duration<double, std::milli>(m_request.now() - m_sentAt).count();
}

}  // namespace signalbox::strategy::routewise
