// SPDX-License-Identifier: MIT
// What the page asks of history and of what comes live, and how the two become one list.
#include "ui/pages/history/history_page.h"

#include "ui/bridge/event_question.h"
#include "ui/bridge/status_words.h"
#include "ui/charts/time_chart.h"
#include "ui/pages/history/history_model.h"
#include "ui/pages/history/history_words.h"
#include "ui/pages/whose_records.h"
#include "ui/theme/format.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/table_view.h"

#include <QPushButton>

#include <algorithm>

namespace signalbox::ui {

using namespace std::chrono_literals;
using evidence::CancelToken;
using evidence::HistoryReader;

// A live range moves every few seconds. The table then keeps its rows, selection and place: new decisions come by
// themselves. Any other change asks for everything.
void HistoryPage::rangeMoved() {
    const auto range = m_context.view->range();
    const bool onlyMoved = m_context.view->isLive() && range.to - range.from == m_shown.range.to - m_shown.range.from && !m_query.slice;
    if (!isVisible()) {
        m_stale = true;
    } else if (onlyMoved && m_readable) {
        m_shown.range = range;
        // What another process decides does not come live.
        if (onlyObserves(m_context.bridge->ownStatus().evidence)) askNewest();
        askChart();
        askSummary();
    } else {
        if (!m_readable && !onlyMoved) showSession();
        askAll();
    }
}

void HistoryPage::askAll() {
    m_stale = false;
    m_retry.stop();
    askFirstPage();
    askChart();
    askSummary();
}

void HistoryPage::askChart() {
    if (!isVisible()) return;
    m_chart->setLoading();
    m_chartTicket = m_context.bridge->ask<evidence::PresetSeries>(
        [filter = m_query.chartFilter(m_context.view->range()), points = m_chart->usefulPoints()](HistoryReader& reader, const CancelToken& cancel) {
            return reader.presetsOverTime(filter, points, cancel);
        },
        [this](const Result<evidence::PresetSeries>& answer) { takeChart(answer); });
    m_eventsTicket = askEvents(*m_context.bridge, m_context.view->range(), [this](auto events) { m_chart->setEvents(std::move(events)); });
}

void HistoryPage::takeChart(const Result<evidence::PresetSeries>& answer) {
    if (!answer) {
        const HistoryMessage why = explain(answer.error());
        return m_chart->setMessage(why.title, why.explanation);
    }
    const HistoryMessage nothing = whyNothing();
    if (answer->total == 0) m_chart->setMessage(nothing.title, nothing.explanation);
    else m_chart->setSeries(toTimeSeries(*answer));
    showCount();
}

void HistoryPage::askSummary() {
    if (!isVisible()) return;
    m_summaryTicket = m_context.bridge->ask<evidence::HistorySummary>(
        [range = m_context.view->range()](HistoryReader& reader, const CancelToken& cancel) { return reader.summary(range, cancel); },
        [this](const Result<evidence::HistorySummary>& answer) {
            if (!answer) {
                Q_EMIT answerChanged(explain(answer.error()).title + QStringLiteral(". ") + tr("The table shows the decisions of this session only."));
                return;
            }
            const auto range = m_context.view->range();
            const QString when = m_context.view->isLive() ? tr("the last %1").arg(format::seconds(m_context.view->span())) : rangeText(range);
            Q_EMIT answerChanged(summarySentence(*answer, when));
        });
}

void HistoryPage::askFirstPage() {
    m_shown = m_query.tableFilter(m_context.view->range());
    // What happens until the answer comes belongs to the range, too.
    auto filter = m_shown;
    if (m_context.view->isLive() && !m_query.slice) filter.range.to = format::now() + 1s;
    m_moreTicket.reset();
    m_newestTicket.reset();
    m_searchStopped = false;
    m_found = 0;
    m_pageTicket = m_context.bridge->ask<evidence::HistoryPage>(
        [filter](HistoryReader& reader, const CancelToken& cancel) { return reader.page(filter, std::nullopt, kPageRows, cancel); },
        [this, asked = m_tail.ask(isAsking())](Result<evidence::HistoryPage> answer) {
            m_pageTicket.reset();
            takeFirstPage(std::move(answer), asked);
        });
}

void HistoryPage::takeFirstPage(Result<evidence::HistoryPage> answer, const LiveTail::Mark& asked) {
    if (!answer) {
        m_nothing->setTexts(explain(answer.error()).title, tr("This session has decided nothing that matches."));
        if (std::exchange(m_readable, false)) showSession();
        return;
    }
    m_readable = true;
    m_tail.begin(*answer, format::now());
    const HistoryMessage nothing = whyNothing();
    m_nothing->setTexts(nothing.title, nothing.explanation);
    const auto to = answer->searchedTo;
    const std::size_t found = answer->rows.size();
    m_model->setFirst(std::move(*answer));
    joinLive(asked);
    searched(to, found);
    reselect();
}

// What another process recorded, or what is missing: it takes its places among what is being read, unless so much came that a
// page does not reach down to where nothing is missing. A search that ended early goes on until it does.
void HistoryPage::askNewest() { askNewestBehind(std::nullopt, m_tail.ask(isAsking())); }

void HistoryPage::askNewestBehind(const std::optional<evidence::PageKey>& after, const LiveTail::Mark& asked) {
    auto filter = m_shown;
    if (m_context.view->isLive() && !m_query.slice) filter.range.to = format::now() + 1s;
    m_newestTicket = m_context.bridge->ask<evidence::HistoryPage>(
        [filter, after](HistoryReader& reader, const CancelToken& cancel) { return reader.page(filter, after, kPageRows, cancel); },
        [this, isFirst = !after, asked](Result<evidence::HistoryPage> answer) {
            m_newestTicket.reset();
            takeNewest(std::move(answer), isFirst, asked);
        });
}

void HistoryPage::takeNewest(Result<evidence::HistoryPage> answer, bool isFirst, const LiveTail::Mark& asked) {
    if (answer && isFirst) m_tail.newestCame(*answer, m_model->next(), format::now());
    const bool isDown = answer && m_tail.reachesDown(*answer);
    if (!answer || (isFirst && !isDown && !answer->searchedTo)) {
        if (answer && m_tail.isBehind() && isReadBelow()) return m_catchUp.start();  // who has scrolled down since keeps the rows
        // What was still to come belongs to the rows that go now.
        m_moreTicket.reset();
        m_searchStopped = false;
        m_found = 0;
        return takeFirstPage(std::move(answer), asked);
    }
    std::vector<RecordPtr> records;
    for (auto& record : answer->rows) records.push_back(std::make_shared<const evidence::DecisionRecord>(std::move(record)));
    if (!isDown) askNewestBehind(answer->next, asked);
    addLive(records);
    if (!isDown) return showCount();
    m_tail.newestRead();
    if (m_tail.isBehind()) joinLive(asked);
    showCount();
}

void HistoryPage::searched(const std::optional<Timestamp>& to, std::size_t found) {
    m_searchedTo = to;
    m_found = to ? m_found + found : 0;
    const bool goesOn = to && m_found < kPageRows && !m_searchStopped;
    m_search->setVisible(to.has_value());
    m_search->setText(goesOn ? tr("Stop searching") : tr("Search further back"));
    showCount();
    if (goesOn) m_model->fetchMore({});
}

void HistoryPage::stopOrGoOn() {
    const bool stops = m_moreTicket != nullptr && !m_searchStopped && m_found < kPageRows;
    m_searchStopped = stops;
    if (stops) {
        m_moreTicket.reset();  // its question is called off
        m_model->appendFailed();
    } else {
        m_found = 0;
    }
    searched(m_searchedTo, 0);
}

void HistoryPage::askMore(const evidence::PageKey& after) {
    m_moreTicket = m_context.bridge->ask<evidence::HistoryPage>(
        [filter = m_shown, after](HistoryReader& reader, const CancelToken& cancel) { return reader.page(filter, after, kPageRows, cancel); },
        [this, after, asked = m_tail.ask(isAsking())](Result<evidence::HistoryPage> answer) {
            m_moreTicket.reset();
            takeMore(std::move(answer), after, asked);
        });
}

void HistoryPage::takeMore(Result<evidence::HistoryPage> answer, const evidence::PageKey& after, const LiveTail::Mark& asked) {
    if (!answer) {
        m_model->appendFailed();
        return m_context.complain(answer.error());
    }
    const auto to = answer->searchedTo;
    const std::size_t found = answer->rows.size();
    const bool hasAll = m_tail.hasAllSince(asked);
    const auto late = m_tail.atHandBelow(after);
    m_model->append(std::move(*answer));
    addLive(late);
    if (!hasAll) fallBehind();
    searched(to, found);
}

// Asks again soon: nothing is lost while the database is away.
HistoryMessage HistoryPage::explain(const Error& error) {
    if (isVisible()) m_retry.start();
    else m_stale = true;
    return unreadable(m_context.bridge->ownStatus().evidence, error);
}

HistoryMessage HistoryPage::whyNothing() const {
    return nothingFound(m_context.bridge->ownStatus(), !m_query.isUnfiltered(), m_context.bridge->looksElsewhere());
}

void HistoryPage::follow(const std::vector<RecordPtr>& records, quint64 skipped) {
    m_tail.arrived(records, skipped > 0, isAsking());
    if (!m_context.view->isLive()) return;
    if (skipped > 0 && m_readable) fallBehind();
    if (!m_tail.isBehind()) addLive(records);
    if (m_readable && !m_settle.isActive()) m_settle.start();
}

void HistoryPage::joinLive(const LiveTail::Mark& asked) {
    if (m_tail.join(asked)) addLive(m_tail.atHand());
    else m_catchUp.start();
}

void HistoryPage::fallBehind() {
    m_tail.fallBehind(m_model->next());
    if (!m_catchUp.isActive()) m_catchUp.start();
    showCount();
}

// Whoever has scrolled down is reading, and what is in view stays until they are back at the top.
void HistoryPage::catchUp() {
    if (!m_tail.isBehind()) return;
    if (!isVisible()) {
        m_stale = true;
        return;
    }
    if (m_tail.look(m_searchedTo.has_value()) && !isReadBelow() && !isReading()) return askNewest();
    showCount();
    m_catchUp.start();
}

static RecordPtr recordAmong(const std::vector<RecordPtr>& records, const DecisionId& id) {
    const auto found = std::find_if(records.begin(), records.end(), [&id](const RecordPtr& record) { return record->id == id; });
    return found == records.end() ? nullptr : *found;
}

void HistoryPage::askDecision(const DecisionId& id) {
    m_findTicket.reset();
    if (const RecordPtr known = recordAmong(m_context.bridge->ownRecent(), id)) return inspect(known);
    // A live one of another gateway, as its pages lead here with: its receipt can be shown, a place in this table it has not.
    if (const RecordPtr live = recordAmong(m_context.bridge->recent(), id)) {
        const QString whose = tr("This is a live decision of %1").arg(format::text(m_context.bridge->status().name));
        // It may be the one that records what is read here; then the row follows.
        m_context.say(onlyObserves(m_context.bridge->ownStatus().evidence) ? whose : tr("%1; it is not among those on this page").arg(whose));
        return inspect(live, liveReceiptTitle(*m_context.bridge));
    }
    m_findTicket = m_context.bridge->ask<std::optional<evidence::DecisionRecord>>(
        [id](HistoryReader& reader, const CancelToken& cancel) { return reader.find(id, cancel); },
        [this, id](Result<std::optional<evidence::DecisionRecord>> answer) {
            if (!answer) return m_context.complain(answer.error());
            if (!*answer) return m_context.say(notInHistory(id));
            inspect(std::make_shared<const evidence::DecisionRecord>(std::move(**answer)));
        });
}

QString HistoryPage::notInHistory(const DecisionId& id) const {
    const QString words = tr("%1 is not in the history").arg(format::text(id.text()));
    if (!m_context.bridge->looksElsewhere()) return words;
    return words + QStringLiteral("; ") + tr("one that %1 keeps elsewhere is not read here").arg(format::text(m_context.bridge->status().name));
}

}  // namespace signalbox::ui
