// SPDX-License-Identifier: MIT
#include "router/evidence/evidence.h"
#include "tests/router/evidence/sample_records.h"
#include "tests/support/fakes.h"
#include "tests/support/postgres.h"

#include <QTest>
#include <csignal>
#include <fcntl.h>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace signalbox;
using namespace signalbox::evidence;

// A gateway that is killed at any moment loses no record it acknowledged and doubles none.
class TestStoreKill : public QObject {
    Q_OBJECT
    std::unique_ptr<test::Postgres> m_postgres;

    /// Appends until killed and says the number of each record after `append` returned.
    [[noreturn]] static void recordForEver(const EvidenceOptions& options, std::uint64_t first, int acknowledge) {
        const test::ManualClock clock(test::kStart + std::chrono::milliseconds(first));
        auto store = openEvidence(options, clock);
        if (!store) ::_exit(3);
        auto sink = (*store)->makeSink().value();
        for (std::uint64_t n = first;; ++n)
            if (sink->append(test::sampleRecord(test::kStart, n)) && ::write(acknowledge, &n, sizeof n) != sizeof n) ::_exit(4);
    }

private Q_SLOTS:
    void initTestCase() {
        m_postgres = std::make_unique<test::Postgres>();
        QVERIFY2(m_postgres->problem().empty(), m_postgres->problem().c_str());
    }

    void everyAcknowledgedRecordIsStoredOnce() {
        test::OpenTemporaryFolder folder;
        EvidenceOptions options;
        options.journalFolder = folder.path() / "journal";
        options.dsn = m_postgres->dsn();
        options.dsnName = "$TEST_DSN";
        std::set<std::uint64_t> acknowledged;
        for (int round = 0; round < 4; ++round) {
            const std::uint64_t first = static_cast<std::uint64_t>(round) * 1'000'000;
            int ends[2];
            QCOMPARE(::pipe2(ends, O_CLOEXEC), 0);
            const pid_t child = ::fork();
            if (child == 0) recordForEver(options, first, ends[1]);
            ::close(ends[1]);
            // The first rounds die before, the later ones long after the writer has begun to store.
            const std::size_t enough = acknowledged.size() + static_cast<std::size_t>(500 + 2500 * round);
            bool killed = false;
            std::uint64_t n = 0;
            while (::read(ends[0], &n, sizeof n) == sizeof n) {
                acknowledged.insert(n);
                if (!killed && acknowledged.size() >= enough) killed = ::kill(child, SIGKILL) == 0;
            }
            ::close(ends[0]);
            int status = 0;
            ::waitpid(child, &status, 0);
            QVERIFY2(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, qPrintable(QString::number(status)));
        }
        const test::ManualClock clock(test::kStart + std::chrono::hours(2));
        auto store = openEvidence(options, clock).value();
        QVERIFY2(store->flush(std::chrono::seconds(60)), store->status().lastError.c_str());
        const auto count = [&](const char* sql) { return std::stoull(m_postgres->value(sql)); };
        const auto rows = count("SELECT count(*) FROM signalbox.decisions");
        QCOMPARE(count("SELECT count(DISTINCT id) FROM signalbox.decisions"), rows);
        QCOMPARE(count("SELECT sum(requests) FROM signalbox.rollup_minute"), rows);
        // A record may be stored though the process died before it could say so: one a round.
        QVERIFY(rows >= acknowledged.size() && rows <= acknowledged.size() + 4);
        std::set<std::string> stored;
        for (auto& id : m_postgres->column("SELECT receipt::json->>'client_request_id' FROM signalbox.decisions")) stored.insert(id);
        for (const std::uint64_t n : acknowledged)
            QVERIFY2(stored.contains("client-" + std::to_string(n)), qPrintable(QString::number(n)));
    }

    void cleanupTestCase() { m_postgres.reset(); }
};

QTEST_APPLESS_MAIN(TestStoreKill)
#include "tst_store_kill.moc"
