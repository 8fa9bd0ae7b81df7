// SPDX-License-Identifier: MIT
#include "tests/router/evidence/sample_events.h"
#include "tests/ui/charts/rate_samples.h"
#include "tests/ui/charts/series_samples.h"
#include "ui/charts/chart_hover.h"
#include "ui/charts/event_layer.h"
#include "ui/charts/rate_chart.h"
#include "ui/charts/series_table_model.h"
#include "ui/charts/stack_view.h"
#include "ui/charts/time_chart.h"
#include "ui/models/event_words.h"
#include "ui/theme/format.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QAction>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace signalbox;
using namespace signalbox::ui;
using evidence::Event;
using evidence::EventKind;
using namespace std::chrono_literals;

namespace {

Event happened(Timestamp at, EventKind kind, const char* subject = "", const char* words = "") {
    Event event = test::sampleEvent(at, static_cast<std::uint64_t>(at.time_since_epoch().count()));
    event.kind = kind;
    event.subject = subject;
    event.words = words;
    event.target = "prod-a";
    event.actor = evidence::kByGateway;
    return event;
}

}  // namespace

class EventMarksTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(); }
    void init() {
        m_chart = std::make_unique<TimeChart>(QStringLiteral("Which presets served?"));
        m_chart->resize(900, 320);
        m_chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_chart.get()));
        m_chart->setSeries(test::series(96, {QStringLiteral("a"), QStringLiteral("b")}));
        m_hover = m_chart->findChild<ChartHover*>();
        m_view = m_chart->findChild<StackView*>();
        m_layer = m_chart->findChild<EventLayer*>();
        m_start = m_view->span().from;
    }
    void cleanup() { m_chart.reset(); }

    void everyKindHasItsWordsAndTone() {
        QStringList kinds;
        for (const EventKind kind : evidence::kEventKinds) {
            kinds << words::eventKind(kind);
            QVERIFY(!kinds.last().isEmpty());
        }
        QCOMPARE(kinds.removeDuplicates(), 0);
        QCOMPARE(words::eventTitle(happened(m_start, EventKind::circuitOpened, "lab:m")), QStringLiteral("Circuit opened: lab:m"));
        QCOMPARE(words::eventTitle(happened(m_start, EventKind::killSwitch, "on")), QStringLiteral("Kill switch on"));
        QCOMPARE(words::eventTitle(happened(m_start, EventKind::killSwitch, "off")), QStringLiteral("Kill switch off"));
        QCOMPARE(words::eventTitle(happened(m_start, EventKind::note, "", "Client 3.2 is out.")), QStringLiteral("Note: Client 3.2 is out."));
        QVERIFY(words::eventTone(happened(m_start, EventKind::killSwitch, "on")) == Tone::danger);
        QVERIFY(words::eventTone(happened(m_start, EventKind::killSwitch, "off")) == Tone::clear);
        Event drain = happened(m_start, EventKind::drain, "lab:m", "No new attempts.");
        drain.actor = "anna";
        const QString line = words::eventLine(drain);
        for (const char* part : {"Endpoint drained: lab:m", "prod-a", "No new attempts.", "by anna"}) QVERIFY2(line.contains(QString::fromLatin1(part)), qPrintable(line));
    }

    // Dense ones are one mark with the most serious tone; those outside of the chart are none.
    void closeEventsShareAMark() {
        EventMarks marks;
        marks.set({happened(m_start + 5h, EventKind::circuitClosed, "a:m"), happened(m_start + 5h - 1min, EventKind::circuitOpened, "a:m"),
                   happened(m_start + 9h, EventKind::apply), happened(m_start - 1min, EventKind::note), happened(m_start + 24h, EventKind::note)});
        const auto xOf = [&](Timestamp at) { return static_cast<double>((at - m_start) / 1min); };
        const auto drawn = marks.marks({m_start, m_start + 24h}, xOf, 10);
        QCOMPARE(drawn.size(), std::size_t{2});
        QCOMPARE(drawn[0].count, std::size_t{2});
        QVERIFY(drawn[0].tone == Tone::danger);
        QCOMPARE(drawn[0].x, 299.0);
        QVERIFY(marks.events()[drawn[0].first].kind == EventKind::circuitOpened);
        QCOMPARE(drawn[1].count, std::size_t{1});
        QVERIFY(drawn[1].tone == Tone::info);
        QCOMPARE(marks.marks({m_start, m_start + 24h}, xOf, 0.5).size(), std::size_t{3});
        QVERIFY(EventMarks().marks({m_start, m_start + 24h}, xOf, 10).empty());
    }

    void marksStandWhereItHappened() {
        m_chart->setEvents({happened(m_start + 6h, EventKind::apply, "3f2a"), happened(m_start + 30h, EventKind::apply)});
        QCOMPARE(m_layer->marks().size(), std::size_t{1});
        QCOMPARE(m_layer->marks()[0].x, m_view->xOf(m_start + 6h));
        m_chart->resize(700, 320);
        QTRY_COMPARE(m_layer->size(), m_view->size());
        QCOMPARE(m_layer->marks()[0].x, m_view->xOf(m_start + 6h));
        // Other data of the same time keeps them; other times move them.
        m_chart->setSeries(test::series(48, {QStringLiteral("a")}));
        QCOMPARE(m_layer->marks()[0].x, m_view->xOf(m_start + 6h));
        m_chart->setSeries(test::series(4, {QStringLiteral("a")}));
        QVERIFY(m_layer->marks().empty());
    }

    void marksAreDrawn_alsoOnPaper() {
        const auto column = [&](const QImage& image) {
            // The glyph above the plot, in the tone's colour.
            const int x = static_cast<int>(m_view->xOf(m_start + 6h));
            int count = 0;
            for (int y = 0; y < 10; ++y)
                for (int dx = -3; dx <= 3; ++dx) count += image.pixelColor(x + dx, y) == Theme::instance().color(Tone::danger) ? 1 : 0;
            return count;
        };
        QCOMPARE(column(m_view->grab().toImage()), 0);
        m_chart->setEvents({happened(m_start + 6h, EventKind::circuitOpened, "a:m")});
        QVERIFY(column(m_view->grab().toImage()) > 8);
        QCOMPARE(m_chart->sheet().drawing, m_view);  // what is exported is this widget with its children
    }

    void hoverAndKeysReadThem() {
        m_chart->setEvents({happened(m_start + 6h, EventKind::circuitOpened, "a:m"), happened(m_start + 12h, EventKind::apply, "")});
        const std::size_t index = 6 * 4;
        QTest::mouseMove(m_hover, at(index));
        QVERIFY2(m_hover->spoken().contains(QStringLiteral("Circuit opened: a:m")), qPrintable(m_hover->spoken()));
        QTest::mouseMove(m_hover, at(index + 8));
        QVERIFY(!m_hover->spoken().contains(QStringLiteral("Circuit")));
        QTest::keyClick(m_hover, Qt::Key_Home);
        QTest::keyClick(m_hover, Qt::Key_PageDown);
        QCOMPARE(m_hover->cursor(), std::optional(index));
        QTest::keyClick(m_hover, Qt::Key_PageDown);
        QCOMPARE(m_hover->cursor(), std::optional<std::size_t>(12 * 4));
        QVERIFY2(m_hover->spoken().contains(QStringLiteral("Policy applied")), qPrintable(m_hover->spoken()));
        QTest::keyClick(m_hover, Qt::Key_PageDown);  // there is no further one
        QCOMPARE(m_hover->cursor(), std::optional<std::size_t>(12 * 4));
        QTest::keyClick(m_hover, Qt::Key_PageUp);
        QCOMPARE(m_hover->cursor(), std::optional(index));
        QVERIFY(!m_hover->grab().isNull());  // painting the reading with its events
    }

    // A bucket may be wide enough for marks that stand apart from each other.
    void everyMarkOverAWideBucketIsRead() {
        m_chart->setSeries(test::series(6, {QStringLiteral("a")}));
        m_chart->setEvents({happened(m_start + 1min, EventKind::circuitOpened, "a:m"), happened(m_start + 7min, EventKind::apply, ""), happened(m_start + 13min, EventKind::drain, "b:m")});
        QCOMPARE(m_layer->marks().size(), std::size_t{3});
        QTest::mouseMove(m_hover, at(0));
        for (const char* title : {"Circuit opened: a:m", "Policy applied", "Endpoint drained: b:m"}) QVERIFY2(m_hover->spoken().contains(QString::fromLatin1(title)), qPrintable(m_hover->spoken()));
        QTest::mouseMove(m_hover, at(1));
        QVERIFY2(!m_hover->spoken().contains(QStringLiteral("Circuit")), qPrintable(m_hover->spoken()));
    }

    void manyAtOnceAreCutShort() {
        std::vector<Event> events;
        for (int i = 0; i < 40; ++i) events.push_back(happened(m_start + 6h + i * 1s, EventKind::circuitOpened, "a:m"));
        m_chart->setEvents(events);
        QCOMPARE(m_layer->marks().size(), std::size_t{1});
        QTest::mouseMove(m_hover, at(6 * 4));
        QVERIFY2(m_hover->spoken().contains(QStringLiteral("and 35 more")), qPrintable(m_hover->spoken()));
    }

    // The text alternative: the chart's table says what happened in each stretch.
    void theTableSaysThem() {
        SeriesTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.set(m_chart->series());
        QCOMPARE(model.columnCount(), 4);
        EventMarks marks;
        marks.set({happened(m_start + 6h, EventKind::circuitOpened, "a:m", "It gets no requests."), happened(m_start + 6h + 3min, EventKind::circuitClosed, "a:m")});
        model.setEvents(marks);
        QCOMPARE(model.columnCount(), 5);
        QCOMPARE(model.headerData(4, Qt::Horizontal).toString(), QStringLiteral("Events"));
        const QModelIndex cell = model.index(95 - 6 * 4, 4);
        QCOMPARE(cell.data().toString(), QStringLiteral("Circuit opened: a:m; Circuit closed: a:m"));
        QVERIFY(cell.data(Qt::ToolTipRole).toString().contains(QStringLiteral("It gets no requests.")));
        QCOMPARE(model.index(0, 4).data().toString(), QString());
        model.setEvents({});
        QCOMPARE(model.columnCount(), 4);
    }

    void aRateChartsTableSaysThemToo() {
        RateChart chart(QStringLiteral("How often does it differ?"));
        chart.setSeries(readyToDraw(test::rates(48, {QStringLiteral("a")}), RateChart::kMostPoints, RateChart::kMostLines, QStringLiteral("%1 others")));
        const auto* table = chart.findChild<QAbstractItemView*>(QStringLiteral("chartTable"))->model();
        const int columns = table->columnCount();
        const Timestamp first = chart.series().starts.front();
        chart.setEvents({happened(first + 1min, EventKind::apply, "")});
        QCOMPARE(table->columnCount(), columns + 1);
        QStringList said;
        for (int row = 0; row < table->rowCount(); ++row)
            if (const QString text = table->index(row, columns).data().toString(); !text.isEmpty()) said << text;
        QCOMPARE(said, QStringList{QStringLiteral("Policy applied")});
        QCOMPARE(chart.events()->marks().size(), std::size_t{1});
    }

    void theyCanBeHidden() {
        QToolButton* button = nullptr;
        for (auto* candidate : m_chart->findChildren<QToolButton*>())
            if (candidate->accessibleName().contains(QStringLiteral("Events")) || candidate->toolTip().contains(QStringLiteral("Events"))) button = candidate;
        QVERIFY(button != nullptr && !button->isVisible());
        m_chart->setEvents({happened(m_start + 6h, EventKind::apply, "")});
        QVERIFY(button->isVisible() && button->isChecked());
        QTest::keyClick(m_hover, Qt::Key_E);
        QVERIFY(!button->isChecked() && m_layer->marks().empty());
        QTest::mouseMove(m_hover, at(6 * 4));
        QVERIFY(!m_hover->spoken().contains(QStringLiteral("Policy applied")));
        const auto* table = m_chart->findChild<QAbstractItemView*>(QStringLiteral("chartTable"))->model();
        QCOMPARE(table->columnCount(), 4);
        // Newer ones stay hidden until they are wanted.
        m_chart->setEvents({happened(m_start + 7h, EventKind::apply, "")});
        QVERIFY(m_layer->marks().empty());
        button->click();
        QCOMPARE(m_layer->marks().size(), std::size_t{1});
        QCOMPARE(table->columnCount(), 5);
        m_chart->setEvents({});
        QVERIFY(!button->isVisible());
    }

    // A live chart asks every few seconds: whoever reads the table keeps the place.
    void theSameEventsChangeNothing() {
        m_chart->setEvents({happened(m_start + 6h, EventKind::apply, "")});
        const auto* table = m_chart->findChild<QAbstractItemView*>(QStringLiteral("chartTable"))->model();
        QSignalSpy resets(table, &QAbstractItemModel::modelReset);
        m_chart->setEvents({happened(m_start + 6h, EventKind::apply, "")});
        QCOMPARE(resets.count(), 0);
        m_chart->setEvents({happened(m_start + 7h, EventKind::apply, "")});
        QVERIFY(resets.count() > 0);
    }

private:
    QPoint at(std::size_t index) const {
        const auto range = m_view->rangeOf(index);
        return {static_cast<int>((m_view->xOf(range.from) + m_view->xOf(range.to)) / 2), static_cast<int>(m_view->plot().center().y())};
    }

    std::unique_ptr<TimeChart> m_chart;
    ChartHover* m_hover = nullptr;
    StackView* m_view = nullptr;
    EventLayer* m_layer = nullptr;
    Timestamp m_start{};
};

QTEST_MAIN(EventMarksTest)
#include "tst_event_marks.moc"
