// SPDX-License-Identifier: MIT
// When what the database had and what came live make one list, and how far down the newest have to be read.
#include "ui/bridge/live_tail.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;

class LiveTailTest : public QObject {
    Q_OBJECT
    using Records = std::vector<RecordPtr>;
    static constexpr Timestamp kNoon{std::chrono::sys_days(std::chrono::year(2026) / 3 / 2) + 12h};
    static constexpr std::size_t kMostKept = 5000;

    static RecordPtr decided(Timestamp at = kNoon) {
        evidence::DecisionRecord made;
        made.createdAt = at;
        return std::make_shared<const evidence::DecisionRecord>(std::move(made));
    }
    static Records decideMany(std::size_t count) {
        Records made;
        for (std::size_t i = 0; i < count; ++i) made.push_back(decided());
        return made;
    }
    /// A page with a row at its top where there is one, and `next` where it is not the last.
    static evidence::HistoryPage page(std::optional<Timestamp> top, std::optional<Timestamp> next) {
        evidence::HistoryPage made;
        if (top) made.rows.emplace_back().createdAt = *top;
        if (next) made.next = key(*next);
        return made;
    }
    static evidence::PageKey key(Timestamp at) { return {at, {}}; }
    void setEvidence(std::uint64_t recorded, std::uint64_t backlog, std::uint64_t unsettled) {
        m_status.recorded = recorded;
        m_status.backlogRecords = backlog;
        m_status.unsettled = unsettled;
    }
    /// As the bridge takes them, and tells of them.
    void arrive(const Records& records, bool isBehindGap, bool isAsking) {
        m_recent.insert(m_recent.end(), records.begin(), records.end());
        constexpr auto kLimit = static_cast<std::ptrdiff_t>(Bridge::kRecentLimit);
        if (m_recent.size() > Bridge::kRecentLimit) m_recent.erase(m_recent.begin(), m_recent.end() - kLimit);
        m_tail->arrived(records, isBehindGap, isAsking);
    }
    /// In ticks of `tick`, while a question is under way.
    void arriveInTicks(std::size_t ticks, std::size_t tick) {
        for (std::size_t i = 0; i < ticks; ++i) arrive(decideMany(tick), false, true);
    }
    /// Behind, and all of what is missing is still on its way.
    void fallFarBehind() {
        setEvidence(9000, 9000, 9000);
        QVERIFY(!m_tail->join(m_tail->ask(false)));
    }

    evidence::EvidenceStatus m_status;
    Records m_recent;
    std::unique_ptr<LiveTail> m_tail;

private Q_SLOTS:
    void init() {
        m_status = {};
        m_recent.clear();
        m_tail = std::make_unique<LiveTail>([this] { return m_status; }, m_recent, kMostKept);
    }

    // The newest so many may be in neither; of a full buffer the oldest tenth may have others behind it that are gone.
    void joinsWhatIsAtHand_data() {
        QTest::addColumn<std::size_t>("recent");
        QTest::addColumn<std::uint64_t>("unsettled");
        QTest::addColumn<bool>("joins");
        const auto row = [](const char* tag, std::size_t recent, std::uint64_t unsettled, bool joins) {
            QTest::newRow(tag) << recent << unsettled << joins;
        };
        row("nothing decided", 0, 0, true);
        row("all stored", 5, 0, true);
        row("none stored", 5, 5, true);
        row("one of an earlier process", 5, 6, false);
        row("all sure", 1999, 1800, true);
        row("one unsure", 1999, 1801, false);
        row("full and all sure", 2000, 1800, true);
        row("full and one unsure", 2000, 1801, false);
    }
    void joinsWhatIsAtHand() {
        QFETCH(std::size_t, recent);
        QFETCH(std::uint64_t, unsettled);
        QFETCH(bool, joins);
        m_recent = decideMany(recent);
        setEvidence(recent, unsettled, unsettled);
        const auto asked = m_tail->ask(false);
        QCOMPARE(m_tail->hasAllSince(asked), joins);
        QCOMPARE(m_tail->join(asked), joins);
        QCOMPARE(m_tail->isBehind(), !joins);
        QCOMPARE(m_tail->atHand(), m_recent);
    }

    void whatCameSinceCountsAsWell() {
        m_recent = decideMany(10);
        setEvidence(10, 0, 0);
        const auto asked = m_tail->ask(false);
        setEvidence(21, 11, 11);
        arrive(decideMany(8), false, true);
        QVERIFY2(m_tail->hasAllSince(asked), "11 were decided since, 18 are at hand");
        setEvidence(29, 19, 19);
        QVERIFY(!m_tail->hasAllSince(asked));
    }

    void anotherGatewayHasNothingOfWhatWasAsked() {
        m_recent = decideMany(10);
        setEvidence(10, 1, 1);
        const auto asked = m_tail->ask(false);
        setEvidence(9, 0, 0);
        QVERIFY(!m_tail->hasAllSince(asked));
    }

    // A search that takes long outlasts what the bridge keeps.
    void whatComesDuringAQuestionStaysAtHand() {
        m_recent = decideMany(500);
        setEvidence(500, 0, 0);
        const auto asked = m_tail->ask(false);
        arriveInTicks(5, 500);
        QCOMPARE(m_recent.size(), Bridge::kRecentLimit);
        QCOMPARE(m_tail->atHand().size(), std::size_t{3000});
        setEvidence(3300, 2800, 2800);
        QVERIFY(m_tail->hasAllSince(asked));
        setEvidence(3301, 2801, 2801);
        QVERIFY2(!m_tail->hasAllSince(asked), "as many are unsure as of a full buffer");
        // Another question meanwhile keeps what is there.
        (void)m_tail->ask(true);
        QCOMPARE(m_tail->atHand().size(), std::size_t{3000});
        // They stay for the answer, and until more comes.
        arrive(decideMany(1), false, false);
        QCOMPARE(m_tail->atHand(), m_recent);
    }

    void aNewQuestionBeginsWithWhatTheBridgeHas() {
        (void)m_tail->ask(false);
        arriveInTicks(5, 500);
        QCOMPARE(m_tail->atHand().size(), std::size_t{2500});
        (void)m_tail->ask(false);
        QCOMPARE(m_tail->atHand(), m_recent);
    }

    void nothingIsAtHandAboveAGap() {
        (void)m_tail->ask(false);
        arriveInTicks(5, 500);
        arrive(decideMany(100), true, true);
        QCOMPARE(m_tail->atHand(), m_recent);
        arriveInTicks(5, 500);  // what comes behind it is kept again
        QCOMPARE(m_tail->atHand().size(), std::size_t{2600});
    }

    void noMoreIsKeptThanTheListHasRows() {
        (void)m_tail->ask(false);
        arriveInTicks(11, 500);
        QCOMPARE(m_tail->atHand().size(), kMostKept);
        QCOMPARE(m_tail->atHand().back(), m_recent.back());
    }

    void anotherGatewaysAreNotAtHand() {
        (void)m_tail->ask(false);
        arriveInTicks(5, 500);
        m_recent.clear();
        QVERIFY(m_tail->atHand().empty());
        arrive(decideMany(3), false, true);
        QCOMPARE(m_tail->atHand(), m_recent);
        arriveInTicks(5, 500);
        QCOMPARE(m_tail->atHand().size(), std::size_t{2503});
    }

    void whatTookLongBelongsBelow() {
        m_recent = {decided(kNoon - 1h), decided(kNoon), decided(kNoon - 2h)};
        QCOMPARE(m_tail->atHandBelow(key(kNoon - 30min)), Records({m_recent[0], m_recent[2]}));
        QCOMPARE(m_tail->atHandBelow(key(kNoon - 1h)), Records({m_recent[2]}));
    }

    // A row may come into the database a little later than its time.
    void theNewestAreReadDownToWhereNothingIsMissing_data() {
        QTest::addColumn<qint64>("top");  // seconds before the first page was read, as the next; -1: no rows
        QTest::addColumn<qint64>("downTo");
        QTest::newRow("no rows") << qint64{-1} << qint64{30};
        QTest::newRow("an old row") << qint64{300} << qint64{30};
        QTest::newRow("a new row") << qint64{4} << qint64{4};
    }
    void theNewestAreReadDownToWhereNothingIsMissing() {
        QFETCH(qint64, top);
        QFETCH(qint64, downTo);
        const auto below = std::optional(key(kNoon - 1h));
        m_tail->begin(page(top < 0 ? std::nullopt : std::optional(kNoon - std::chrono::seconds(top)), below->createdAt), kNoon);
        const auto bottom = kNoon - std::chrono::seconds(downTo);
        m_tail->newestCame(page(kNoon + 60s, bottom + 1us), below, kNoon + 60s);
        QVERIFY(!m_tail->reachesDown(page(kNoon + 60s, bottom + 1us)));
        QVERIFY(m_tail->reachesDown(page(kNoon + 60s, bottom)));
        QVERIFY(m_tail->reachesDown(page(kNoon + 60s, std::nullopt)));
    }

    // What is read up to goes up only once all of it has been read.
    void aQuestionThatIsNotDownYetCountsNot() {
        const auto below = std::optional(key(kNoon - 1h));
        m_tail->begin(page(kNoon, below->createdAt), kNoon);
        m_tail->newestCame(page(kNoon + 60s, kNoon + 20s), below, kNoon + 60s);
        m_tail->newestCame(page(kNoon + 90s, kNoon + 50s), below, kNoon + 90s);
        QVERIFY(!m_tail->reachesDown(page(std::nullopt, kNoon + 1s)));
        QVERIFY(m_tail->reachesDown(page(std::nullopt, kNoon)));
        m_tail->newestRead();
        m_tail->newestCame(page(kNoon + 120s, kNoon + 91s), below, kNoon + 120s);
        QVERIFY(!m_tail->reachesDown(page(std::nullopt, kNoon + 91s)));
        QVERIFY(m_tail->reachesDown(page(std::nullopt, kNoon + 90s)));
    }

    void whileBehindTheWholeListIsReadAgain() {
        m_tail->begin(page(kNoon, kNoon - 1h), kNoon);
        fallFarBehind();
        m_tail->newestCame(page(kNoon + 1s, kNoon - 10min), key(kNoon - 1h), kNoon + 1s);
        QVERIFY(!m_tail->reachesDown(page(std::nullopt, kNoon - 10min)));
        QVERIFY(m_tail->reachesDown(page(std::nullopt, kNoon - 1h)));
        // A list to the end of its range has no next page.
        m_tail->newestCame(page(kNoon + 1s, kNoon - 10min), std::nullopt, kNoon + 1s);
        QVERIFY(!m_tail->reachesDown(page(std::nullopt, kNoon - 1h)));
        QVERIFY(m_tail->reachesDown(page(std::nullopt, std::nullopt)));
    }

    void whoFallsBehindDuringAQuestionReadsFurtherDown() {
        const auto below = std::optional(key(kNoon - 1h));
        m_tail->begin(page(kNoon, below->createdAt), kNoon);
        m_tail->newestCame(page(kNoon + 60s, kNoon + 20s), below, kNoon + 60s);
        m_tail->fallBehind(below);
        QVERIFY(m_tail->isBehind());
        QVERIFY(!m_tail->reachesDown(page(std::nullopt, kNoon)));
        QVERIFY(m_tail->reachesDown(page(std::nullopt, kNoon - 1h)));
        // Once: what is read below meanwhile comes within the same time.
        m_tail->fallBehind(key(kNoon - 2h));
        QVERIFY(m_tail->reachesDown(page(std::nullopt, kNoon - 1h)));
    }

    void readingAgainHelpsOnceAllIsAtHand() {
        fallFarBehind();
        QVERIFY(!m_tail->look(false));
        setEvidence(9000, 1, 1);
        QVERIFY(!m_tail->look(false));
        m_recent = decideMany(1);
        QVERIFY(m_tail->look(false));
        QVERIFY2(m_tail->isBehind(), "until it has been read");
        QVERIFY(m_tail->join(m_tail->ask(false)));
        QVERIFY(!m_tail->isBehind());
    }

    // Load that does not end: the list goes on every four looks, where the writer does.
    void underLastingLoadReadingAgainHelpsNowAndThen() {
        fallFarBehind();
        for (int look = 1; look <= 10; ++look) QVERIFY2(!m_tail->look(false), "nothing was stored");
        setEvidence(10'000, 9999, 9999);
        QVERIFY2(!m_tail->look(true), "the search would begin anew");
        QVERIFY(m_tail->look(false));
        QVERIFY(!m_tail->join(m_tail->ask(false)));
        for (int look = 1; look <= 4; ++look) {
            setEvidence(m_status.recorded + 1000, 9999, 9999);
            QCOMPARE(m_tail->look(false), look == 4);
        }
        // To fall behind while behind is nothing new.
        m_tail->fallBehind(std::nullopt);
        QVERIFY(m_tail->look(false));
    }

    void aListThatBeginsIsNotBehind_data() {
        QTest::addColumn<bool>("readable");
        QTest::newRow("with a page") << true;
        QTest::newRow("without the database") << false;
    }
    void aListThatBeginsIsNotBehind() {
        QFETCH(bool, readable);
        m_tail->fallBehind(std::nullopt);
        QVERIFY(m_tail->isBehind());
        if (readable) m_tail->begin(page(kNoon, std::nullopt), kNoon);
        else m_tail->beginWithout();
        QVERIFY(!m_tail->isBehind());
    }
};

QTEST_APPLESS_MAIN(LiveTailTest)
#include "tst_live_tail.moc"
