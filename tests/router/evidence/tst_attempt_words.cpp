// SPDX-License-Identifier: MIT
// Which of a request's attempts is told where there is room for one line.
#include "router/evidence/attempt_words.h"

#include <QTest>

using namespace signalbox::evidence;

namespace {

Attempt attempt(const char* endpointId, AttemptOutcome outcome, double startedMs, int status = 0, const char* reason = "",
                AttemptRole role = AttemptRole::primary) {
    Attempt out;
    out.endpointId = endpointId;
    out.role = role;
    out.outcome = outcome;
    out.status = status;
    out.reason = reason;
    out.startedMs = startedMs;
    out.endedMs = startedMs + 1;
    return out;
}

}  // namespace

class TestAttemptWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void endings_data() {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("reason");
        QTest::addColumn<QByteArray>("word");
        QTest::newRow("an error status") << 503 << QByteArray("status_503") << QByteArray("503");
        QTest::newRow("an error in a 200") << 200 << QByteArray("malformed_body") << QByteArray("malformed_body");
        QTest::newRow("no answer") << 0 << QByteArray("timeout_first_byte") << QByteArray("timeout_first_byte");
        QTest::newRow("nothing is known") << 0 << QByteArray() << QByteArray("failed");
    }
    void endings() {
        QFETCH(int, status);
        QFETCH(QByteArray, reason);
        QFETCH(QByteArray, word);
        QCOMPARE(QByteArray::fromStdString(endingOf(attempt("a:x", AttemptOutcome::failed, 0, status, reason.constData()))), word);
    }

    // What was only refused was not tried; it stands for the request where nothing else does.
    void theLastThatWasSentIsTold() {
        DecisionRecord record;
        record.outcome = Outcome::failed;
        QVERIFY(endpointConcerned(record).empty());
        record.attempts = {attempt("a:x", AttemptOutcome::refused, 1, 0, "circuit_open")};
        QCOMPARE(endpointConcerned(record), std::string("a:x"));
        record.attempts.push_back(attempt("b:y", AttemptOutcome::failed, 2, 500));
        record.attempts.push_back(attempt("c:z", AttemptOutcome::refused, 3, 0, "no_free_slot"));
        QCOMPARE(endpointConcerned(record), std::string("b:y"));
        // Passed over at first, and tried in the end: its place in the record is the old one.
        record.attempts[0] = attempt("a:x", AttemptOutcome::failed, 4, 500);
        QCOMPARE(endpointConcerned(record), std::string("a:x"));
        QCOMPARE(unansweredBy(record.attempts, true), std::string("b:y 500, c:z no_free_slot, a:x 500"));
        record.endpointId = "b:y";
        QCOMPARE(endpointConcerned(record), std::string("b:y"));
    }

    void aFallbackSaysAfterWhom() {
        DecisionRecord record;
        record.attempts = {attempt("a:x", AttemptOutcome::served, 1, 200)};
        QVERIFY(servedAfter(record).empty());
        record.attempts.push_back(attempt("b:y", AttemptOutcome::failed, 2, 500, "status_500", AttemptRole::hedge));
        QVERIFY2(servedAfter(record).empty(), "a backup leg that failed is no fallback");
        record.attempts.insert(record.attempts.begin(), attempt("c:z", AttemptOutcome::failed, 0, 500, "status_500"));
        QCOMPARE(servedAfter(record), std::string("c:z 500"));
        record.outcome = Outcome::failed;
        QVERIFY(servedAfter(record).empty());
    }

    void bounded() {
        std::vector<Attempt> attempts;
        for (int i = 0; i < 20; ++i)
            attempts.push_back(attempt(std::string(1000, static_cast<char>('a' + i)).c_str(), AttemptOutcome::failed, i, 500));
        QCOMPARE(countOfUnanswered(attempts), std::size_t{20});
        const std::string words = unansweredBy(attempts, true);
        QVERIFY(words.size() < 1100);
        QVERIFY2(words.ends_with(" and 12 more"), words.c_str());
        QCOMPARE(countOfUnanswered({attempts[0], attempts[0]}), std::size_t{1});
    }
};

QTEST_APPLESS_MAIN(TestAttemptWords)
#include "tst_attempt_words.moc"
