// SPDX-License-Identifier: MIT
#include "ui/bridge/live_tail.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace signalbox::ui {

using namespace std::chrono_literals;

static constexpr auto kLateRows = 30s;
static constexpr int kLooksForMore = 4;
// Threads tell of their decisions in an order of their own: the oldest that is kept may have others behind it that are gone.
static constexpr std::size_t kSureRecent = Bridge::kRecentLimit / 10 * 9;

// Without a row at the top, what was recorded by now is read all the same; but a row may come a little later than its time.
static Timestamp newestOf(const evidence::HistoryPage& page, Timestamp now) {
    const Timestamp settled = now - kLateRows;
    return page.rows.empty() ? settled : std::max(settled, page.rows.front().createdAt);
}

LiveTail::LiveTail(std::function<evidence::EvidenceStatus()> status, const std::vector<RecordPtr>& recent, std::size_t mostKept)
    : m_status(std::move(status)), m_recent(recent), m_mostKept(mostKept) {}

LiveTail::Mark LiveTail::mark() const {
    const evidence::EvidenceStatus now = m_status();
    return {now.recorded, now.unsettled, now.recorded - now.backlogRecords};
}

LiveTail::Mark LiveTail::ask(bool isAsking) {
    if (!isAsking) m_kept = m_recent;
    return mark();
}

// The first of another gateway, and what comes behind a gap, have nothing before them.
void LiveTail::arrived(const std::vector<RecordPtr>& records, bool isBehindGap, bool isAsking) {
    if (!isAsking || isBehindGap || records.size() == m_recent.size()) m_kept.clear();
    if (!isAsking) return;
    m_kept.insert(m_kept.end(), records.begin(), records.end());
    if (m_kept.size() > m_mostKept) m_kept.erase(m_kept.begin(), m_kept.end() - static_cast<std::ptrdiff_t>(m_mostKept));
}

// They end alike, unless the own gateway is another one by now.
const std::vector<RecordPtr>& LiveTail::atHand() const {
    return m_kept.size() > m_recent.size() && !m_recent.empty() && m_kept.back() == m_recent.back() ? m_kept : m_recent;
}

std::vector<RecordPtr> LiveTail::atHandBelow(const evidence::PageKey& after) const {
    std::vector<RecordPtr> below;
    std::copy_if(atHand().begin(), atHand().end(), std::back_inserter(below), [&after](const RecordPtr& record) {
        return std::pair(record->createdAt, record->id) < std::pair(after.createdAt, after.id);
    });
    return below;
}

bool LiveTail::hasAllSince(const Mark& asked) const {
    const std::uint64_t recorded = mark().recorded;
    if (recorded < asked.recorded) return false;  // another gateway is the own one by now
    const std::size_t count = atHand().size();
    const std::size_t sure = count < Bridge::kRecentLimit ? kSureRecent : count - (Bridge::kRecentLimit - kSureRecent);
    return recorded - asked.recorded + asked.unsettled <= std::min(count, sure);
}

void LiveTail::fallBehind(const std::optional<evidence::PageKey>& below) {
    if (std::exchange(m_isBehind, true)) return;
    waitFrom(mark().ended);
    m_newestTo = readTo(below);  // of a question that is under way, too
}

void LiveTail::waitFrom(std::uint64_t ended) {
    m_endedThen = ended;
    m_looks = 0;
}

bool LiveTail::look(bool isSearching) {
    ++m_looks;
    const Mark now = mark();
    return hasAllSince(now) || (m_looks >= kLooksForMore && now.ended != m_endedThen && !isSearching);
}

void LiveTail::begin(const evidence::HistoryPage& page, Timestamp now) {
    m_isBehind = false;
    m_readTo = newestOf(page, now);
}

void LiveTail::newestCame(const evidence::HistoryPage& page, const std::optional<evidence::PageKey>& below, Timestamp now) {
    m_newestTo = readTo(below);
    m_newestRead = newestOf(page, now);
}

bool LiveTail::reachesDown(const evidence::HistoryPage& page) const { return !page.next || page.next->createdAt <= m_newestTo; }

// While something is missing, nobody knows how far down.
Timestamp LiveTail::readTo(const std::optional<evidence::PageKey>& below) const {
    if (!m_isBehind) return m_readTo;
    return below ? below->createdAt : Timestamp::min();
}

bool LiveTail::join(const Mark& asked) {
    m_isBehind = !hasAllSince(asked);
    if (m_isBehind) waitFrom(asked.ended);
    return !m_isBehind;
}

}  // namespace signalbox::ui
