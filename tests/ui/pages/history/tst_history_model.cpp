// SPDX-License-Identifier: MIT
#include "tests/ui/pages/history/records.h"
#include "ui/pages/history/history_model.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QSignalSpy>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class HistoryModelTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_random = test::CountingRandom();
        m_model = std::make_unique<HistoryModel>();
        m_tester = std::make_unique<QAbstractItemModelTester>(m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    }
    void cleanup() {
        m_tester.reset();
        m_model.reset();
    }

    void asksOncePerPageAndStopsAtTheEnd() {
        m_tester.reset();  // it fetches by itself
        QSignalSpy wanted(m_model.get(), &HistoryModel::moreWanted);
        m_model->setFirst(page({9, 8, 7}, true));
        QVERIFY(m_model->canFetchMore({}));
        m_model->fetchMore({});
        m_model->fetchMore({});
        QCOMPARE(wanted.count(), 1);
        m_model->appendFailed();
        QVERIFY(m_model->canFetchMore({}));
        m_model->fetchMore({});
        m_model->append(page({6, 5}, false));
        QCOMPARE(seconds(), QList<int>({9, 8, 7, 6, 5}));
        QVERIFY(!m_model->canFetchMore({}));
    }

    void liveRowsFindTheirPlaceOnce() {
        m_model->setFirst(page({9, 7, 5}, true));
        QSignalSpy inserted(m_model.get(), &HistoryModel::rowsInserted);
        const QPersistentModelIndex kept = m_model->index(1, 0);
        std::vector<HistoryModel::RecordPtr> live{at(11), at(10), at(8), m_model->at(1), at(2)};
        m_model->addLive(live);
        QCOMPARE(seconds(), QList<int>({11, 10, 9, 8, 7, 5}));  // 2 is beyond what was read: its page will bring it
        QCOMPARE(inserted.count(), 2);
        QCOMPARE(kept.row(), 4);
        m_model->addLive(live);
        QCOMPARE(m_model->rows(), 6);
    }

    // A search that has found nothing yet has looked down to its next page all the same.
    void liveRowsComeIntoATableThatIsStillEmpty() {
        evidence::HistoryPage searched;
        searched.next = evidence::PageKey{at(5)->createdAt, at(5)->id};
        m_model->setFirst(std::move(searched));
        m_tester.reset();
        m_model->addLive({at(9), at(8), at(3)});
        QCOMPARE(seconds(), QList<int>({9, 8}));
        m_model->addLive({at(7), at(4)});
        QCOMPARE(seconds(), QList<int>({9, 8, 7}));
    }

    void staysBoundedAndReadsTheRestAgain() {
        std::vector<HistoryModel::RecordPtr> many;
        for (int i = 0; i < static_cast<int>(HistoryModel::kMostRows) + 10; ++i) many.push_back(at(i));
        m_model->addLive(std::move(many));
        QCOMPARE(m_model->rows(), static_cast<int>(HistoryModel::kMostRows));
        QVERIFY(m_model->next() && m_model->next()->id == m_model->at(m_model->rows() - 1)->id);
    }

    void aPageThatWasAskedForBehindRowsThatWentIsLeftOut() {
        m_tester.reset();  // it fetches by itself
        m_model->setFirst(page({9, 8}, true));
        m_model->fetchMore({});
        std::vector<HistoryModel::RecordPtr> many;
        for (int i = 0; i < static_cast<int>(HistoryModel::kMostRows); ++i) many.push_back(at(10 + i));
        m_model->addLive(std::move(many));
        m_model->append(page({7, 6}, false));
        QCOMPARE(m_model->at(m_model->rows() - 1)->createdAt, at(10)->createdAt);
        QVERIFY(m_model->canFetchMore({}));
        m_model->fetchMore({});
        m_model->append(page({9, 8, 7}, false));
        QCOMPARE(m_model->at(m_model->rows() - 1)->createdAt, at(7)->createdAt);
    }

    // What somebody has scrolled down to stays until something new comes.
    void knownRowsPushNoneOut() {
        std::vector<HistoryModel::RecordPtr> many;
        for (int i = 0; i < static_cast<int>(HistoryModel::kMostRows); ++i) many.push_back(at(10 + i));
        m_model->addLive(many);
        m_model->append(page({7, 5}, true));
        m_model->addLive({many.back()});
        QCOMPARE(m_model->rows(), static_cast<int>(HistoryModel::kMostRows) + 2);
        m_model->addLive({at(1'000'000)});
        QCOMPARE(m_model->rows(), static_cast<int>(HistoryModel::kMostRows));
    }

    void cellsSayTheRecord() {
        m_model->addLive({at(1)});
        const auto shown = [this](int column) { return m_model->index(0, column).data().toString(); };
        QCOMPARE(shown(HistoryModel::Preset), QStringLiteral("p1"));
        QCOMPARE(shown(HistoryModel::Rule), QStringLiteral("1"));
        QCOMPARE(shown(HistoryModel::FirstContent), QStringLiteral("420"));
        QCOMPARE(shown(HistoryModel::Total), QStringLiteral("2,400"));
        QCOMPARE(shown(HistoryModel::Tokens), QStringLiteral("577 / 500"));
        QCOMPARE(shown(HistoryModel::Cost), QStringLiteral("–"));
        QCOMPARE(m_model->index(0, HistoryModel::Total).data(SortRole).toDouble(), 2400.0);
        QVERIFY(m_model->headerData(HistoryModel::Total, Qt::Horizontal).toString().contains(QStringLiteral("ms")));
    }

    void theCostStandsInTheRow() {
        auto priced = test::record(Timestamp(std::chrono::seconds(1)), m_random);
        priced.costUsd = 0.0004128;
        m_model->addLive({std::make_shared<const evidence::DecisionRecord>(priced)});
        const auto cost = m_model->index(0, HistoryModel::Cost);
        QCOMPARE(cost.data().toString(), QStringLiteral("0.000413"));
        QCOMPARE(cost.data(SortRole).toDouble(), 0.0004128);
        QCOMPARE(cost.data(Qt::ToolTipRole).toString(), QStringLiteral("0.000413 USD, an estimate"));
        QVERIFY(cost.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
        QCOMPARE(m_model->headerData(HistoryModel::Cost, Qt::Horizontal).toString(), QStringLiteral("Cost, USD"));
    }

    void aRequestThatFailedShowsWhereItWasTried() {
        auto failed = test::record(Timestamp(std::chrono::seconds(1)), m_random);
        failed.endpointId.clear();
        failed.outcome = evidence::Outcome::failed;
        failed.status = 500;
        failed.errorCode = "status_500";
        failed.attempts.resize(2);
        failed.attempts[0].endpointId = "lab_a:gemma-4-26b";
        failed.attempts[0].reason = "timeout_first_byte";
        failed.attempts[1].endpointId = "lab_b:gemma-4-26b";
        failed.attempts[1].status = 500;
        failed.attempts[1].startedMs = 5;
        m_model->addLive({std::make_shared<const evidence::DecisionRecord>(failed)});
        const auto endpoint = m_model->index(0, HistoryModel::Endpoint);
        QCOMPARE(endpoint.data().toString(), QStringLiteral("lab_b:gemma-4-26b"));
        QCOMPARE(endpoint.data(Qt::ToolTipRole).toString(), QStringLiteral("Nobody answered: lab_a:gemma-4-26b timeout_first_byte, lab_b:gemma-4-26b 500"));
        QCOMPARE(m_model->index(0, HistoryModel::OutcomeColumn).data(Qt::ToolTipRole).toString(), QStringLiteral("status_500"));
        failed.attempts.clear();
        failed.id = DecisionId::make(failed.createdAt, m_random);
        m_model->setFirst({});
        m_model->addLive({std::make_shared<const evidence::DecisionRecord>(failed)});
        QVERIFY(!m_model->index(0, HistoryModel::Endpoint).data().toString().contains(QLatin1Char(':')));
    }

private:
    HistoryModel::RecordPtr at(int second) {
        return std::make_shared<const evidence::DecisionRecord>(test::record(Timestamp(std::chrono::seconds(second)), m_random));
    }
    evidence::HistoryPage page(std::initializer_list<int> list, bool more) {
        evidence::HistoryPage page;
        for (const int second : list) page.rows.push_back(*at(second));
        if (more) page.next = evidence::PageKey{page.rows.back().createdAt, page.rows.back().id};
        return page;
    }
    QList<int> seconds() const {
        QList<int> list;
        for (int row = 0; row < m_model->rows(); ++row)
            list << static_cast<int>(std::chrono::floor<std::chrono::seconds>(m_model->at(row)->createdAt).time_since_epoch().count());
        return list;
    }
    test::CountingRandom m_random;
    std::unique_ptr<HistoryModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

QTEST_GUILESS_MAIN(HistoryModelTest)
#include "tst_history_model.moc"
