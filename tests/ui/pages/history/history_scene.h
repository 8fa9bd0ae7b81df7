// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/page_harness.h"
#include "tests/ui/pages/history/records.h"
#include "ui/charts/time_chart.h"
#include "ui/pages/history/history_page.h"
#include "ui/theme/format.h"
#include "ui/widgets/table_view.h"

#include <QLabel>
#include <QTest>

#include <future>

namespace signalbox::test {

using namespace std::chrono_literals;
using namespace ui;

/// The History page over a gateway that has decided 900 requests, one each second up to now.
class HistoryScene {
protected:
    using Records = std::vector<evidence::DecisionRecord>;

    void begin() {
        m_random = CountingRandom();
        m_harness = std::make_unique<PageHarness>();
        m_records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        for (int i = 0; i < 900; ++i) m_records->push_back(record(format::now() - 900s + i * 1s, m_random, i % 3 == 0 ? "p2" : "p1"));
        m_harness->target->setHistory(m_records);
        m_harness->view.follow(format::now());
        m_harness->view.setLive(3600s);
        m_page = std::make_unique<HistoryPage>(m_harness->context());
        m_page->resize(1180, 800);
        m_view = m_page->findChild<TableView*>(QStringLiteral("historyTable"));
        m_chart = m_page->findChild<TimeChart*>();
    }
    void end() {
        m_page.reset();
        m_harness.reset();
    }
    /// What the gateway has recorded, its database has, and may still be on its way there; `stuck` waits without being so.
    void setEvidence(std::uint64_t recorded, std::uint64_t stored, std::uint64_t unsettled, std::uint64_t stuck = 0) {
        engine::TargetStatus status = m_harness->target->status();
        status.evidence.recorded = recorded;
        status.evidence.stored = stored;
        status.evidence.backlogRecords = recorded > stored ? recorded - stored : std::max(unsettled, stuck);
        status.evidence.unsettled = unsettled;
        m_harness->target->setStatus(status);
    }
    /// Fewer in each tick than the bridge takes. Gives them behind those that are there.
    [[nodiscard]] std::vector<evidence::DecisionRecord> decideInTicks(std::size_t count) {
        auto all = *m_records;
        for (std::size_t i = 0; i < count; ++i) {
            m_harness->target->decide(all.emplace_back(record(format::now(), m_random)));
            if (i + 1 < count && i % 500 != 499) continue;
            const auto& recent = m_harness->bridge.recent();
            if (!QTest::qWaitFor([&] { return !recent.empty() && recent.back()->id == all.back().id; })) return {};
        }
        return all;
    }
    [[nodiscard]] std::shared_ptr<FakeTarget> lookElsewhere() {
        auto theirs = std::make_shared<FakeTarget>();
        engine::TargetStatus status = theirs->status();
        status.name = "prod-a";
        status.remote = true;
        theirs->setStatus(status);
        m_harness->bridge.lookAt(theirs);
        return theirs;
    }
    void observe() {
        engine::TargetStatus status = m_harness->target->status();
        status.evidence.state = evidence::StoreState::off;
        status.evidence.lastError = "another gateway records here: pid 7";
        status.evidence.where = "journal of another process in /state/journal";
        m_harness->target->setStatus(status);
    }
    /// More than the bridge takes at a time. Gives them behind those that are there.
    [[nodiscard]] Records decideTooMany() {
        Records all = *m_records;
        for (std::size_t i = 0; i < Bridge::kRecentLimit + 500; ++i)
            m_harness->target->decide(all.emplace_back(record(format::now(), m_random)));
        return all;
    }
    [[nodiscard]] QString shownTexts() const {
        QStringList texts;
        for (auto* label : m_page->findChildren<QLabel*>()) texts << label->text();
        return texts.join(QLatin1Char('|'));
    }
    /// The first row that is not the next older of `records`; -1 where there is none.
    [[nodiscard]] int firstHole(const Records& records) const {
        for (int row = 0; row < rows(); ++row)
            if (rowId(row) != format::text(records[records.size() - 1 - static_cast<std::size_t>(row)].id.text())) return row;
        return -1;
    }
    void show() {
        m_page->show();
        QTRY_VERIFY(rows() > 0);
    }
    /// History answers nothing before `release`.
    [[nodiscard]] TicketPtr block(std::promise<void>& release) {
        return m_harness->bridge.ask<int>(
            [done = release.get_future().share()](evidence::HistoryReader&, const evidence::CancelToken&) -> Result<int> {
                done.wait();
                return 0;
            },
            [](const Result<int>&) {});
    }
    /// All that was asked before has been answered.
    [[nodiscard]] bool historyIsIdle() {
        bool idle = false;
        const auto last = m_harness->bridge.ask<int>([](evidence::HistoryReader&, const evidence::CancelToken&) -> Result<int> { return 0; }, [&idle](const Result<int>&) { idle = true; });
        return QTest::qWaitFor([&idle] { return idle; });
    }
    int rows() const { return m_view->model()->rowCount(); }
    int rowOf(const DecisionId& id) const {
        for (int row = 0; row < rows(); ++row)
            if (rowId(row) == format::text(id.text())) return row;
        return -1;
    }
    QString rowId(int row) const { return m_view->model()->index(row, 0).data(Qt::ToolTipRole).toString().section(QLatin1Char('\n'), 1); }

    CountingRandom m_random;
    std::unique_ptr<PageHarness> m_harness;
    std::shared_ptr<std::vector<evidence::DecisionRecord>> m_records;
    std::unique_ptr<HistoryPage> m_page;
    TableView* m_view = nullptr;
    TimeChart* m_chart = nullptr;
};

}  // namespace signalbox::test
