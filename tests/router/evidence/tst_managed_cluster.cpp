// SPDX-License-Identifier: MIT
#include "router/base/file.h"
#include "router/evidence/evidence.h"
#include "router/evidence/managed_cluster.h"
#include "tests/router/evidence/sample_records.h"
#include "tests/support/fakes.h"
#include "tests/support/postgres.h"

#include <QTest>
#include <csignal>
#include <fstream>
#include <grp.h>
#include <libpq-fe.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace signalbox;
using namespace signalbox::evidence;
namespace fs = std::filesystem;

namespace {

bool answers(const std::string& connectionString) { return PQping(connectionString.c_str()) == PQPING_OK; }

std::string ask(const std::string& connectionString, const char* sql) {
    const std::unique_ptr<PGconn, decltype(&PQfinish)> connection(PQconnectdb(connectionString.c_str()), &PQfinish);
    const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection.get(), sql), &PQclear);
    return PQresultStatus(result.get()) == PGRES_TUPLES_OK ? PQgetvalue(result.get(), 0, 0) : PQerrorMessage(connection.get());
}

bool isRoot() { return ::geteuid() == 0; }

/// Runs `body` in a process of its own, as `nobody` when we are root; true if it returned true.
template <class Body>
bool inAnotherProcess(bool asNobody, const Body& body) {
    const pid_t child = ::fork();
    if (child == 0) {
        if (asNobody) {
            const auto account = Account::find("nobody");
            if (!account || ::setgroups(0, nullptr) != 0 || ::setgid(account->gid) != 0 || ::setuid(account->uid) != 0) ::_exit(9);
        }
        const bool good = body();
        ::_exit(good ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

class TestManagedCluster : public QObject {
    Q_OBJECT

    template <class T>
    static QString textOf(const Result<T>& result) {
        return result ? QStringLiteral("no error") : QString::fromStdString(result.error().text());
    }

private Q_SLOTS:
    void startsAndStopsAndKeepsWhatItHolds() {
        test::OpenTemporaryFolder folder;
        std::string connection;
        {
            auto cluster = ManagedCluster::attach({folder.path()});
            QVERIFY2(cluster.has_value(), qPrintable(textOf(cluster)));
            connection = (*cluster)->connectionString();
            QCOMPARE(QString::fromStdString(ask(connection, "SELECT 1 FROM (SELECT 1) AS x")), QStringLiteral("1"));
            (void)ask(connection, "CREATE TABLE kept AS SELECT 42 AS answer");
            QCOMPARE(QString::fromStdString(ask(connection, "SHOW listen_addresses")), QString());
            QCOMPARE(QString::fromStdString(ask(connection, "SHOW fsync")), QStringLiteral("on"));
        }
        QVERIFY(!answers(connection));
        auto again = ManagedCluster::attach({folder.path()});
        QVERIFY2(again.has_value(), qPrintable(textOf(again)));
        QCOMPARE(QString::fromStdString(ask(connection, "SELECT answer FROM kept")), QStringLiteral("42"));
    }

    void theFolderIsClosedToOthers() {
        test::OpenTemporaryFolder folder;
        auto cluster = ManagedCluster::attach({folder.path()});
        QVERIFY2(cluster.has_value(), qPrintable(textOf(cluster)));
        struct stat info {};
        QCOMPARE(::stat((*cluster)->folder().root.c_str(), &info), 0);
        QCOMPARE(info.st_mode & 0777u, 0700u);
        const auto postgres = Account::find("postgres");
        QCOMPARE(info.st_uid, isRoot() ? postgres->uid : ::geteuid());
        if (isRoot()) {
            const std::string connection = (*cluster)->connectionString();
            QVERIFY2(inAnotherProcess(true, [&] { return !answers(connection); }), "another user reached the socket");
        }
    }

    void anOrdinaryUserNeedsNothingSpecial() {
        test::OpenTemporaryFolder folder;
        ::chmod(folder.path().c_str(), 0777);
        const auto body = [&] {
            auto cluster = ManagedCluster::attach({folder.path() / "mine"});
            return cluster.has_value() && ask((*cluster)->connectionString(), "SELECT 7") == "7" && !(*cluster)->folder().account;
        };
        QVERIFY(inAnotherProcess(isRoot(), body));
        if (!isRoot()) return;
        // Root then works with that user's history, as that user.
        auto cluster = ManagedCluster::attach({folder.path() / "mine"});
        QVERIFY2(cluster.has_value(), qPrintable(textOf(cluster)));
        QCOMPARE(QString::fromStdString((*cluster)->folder().account->name), QStringLiteral("nobody"));
    }

    void theLastOneOutStopsIt() {
        test::OpenTemporaryFolder folder;
        auto first = ManagedCluster::attach({folder.path()});
        QVERIFY2(first.has_value(), qPrintable(textOf(first)));
        const std::string connection = (*first)->connectionString();
        QVERIFY(inAnotherProcess(false, [&] { return ManagedCluster::attach({folder.path()}).has_value(); }));
        QVERIFY2(answers(connection), "the other process stopped it although we use it");
        auto second = ManagedCluster::attach({folder.path()});
        QVERIFY(second.has_value());
        first->reset();
        QVERIFY(answers(connection));
        second->reset();
        QVERIFY(!answers(connection));
    }

    void aKilledUserDoesNotKeepItAlive() {
        test::OpenTemporaryFolder folder;
        QVERIFY(!inAnotherProcess(false, [&] {
            auto cluster = ManagedCluster::attach({folder.path()});
            ::kill(::getpid(), SIGKILL);
            return cluster.has_value();
        }));
        auto cluster = ManagedCluster::attach({folder.path()});
        QVERIFY2(cluster.has_value(), qPrintable(textOf(cluster)));
        const std::string connection = (*cluster)->connectionString();
        QVERIFY(answers(connection));
        cluster->reset();
        QVERIFY(!answers(connection));
    }

    void severalStartAtOnce() {
        test::OpenTemporaryFolder folder;
        std::vector<Result<std::unique_ptr<ManagedCluster>>> clusters(4);
        std::vector<std::thread> threads;
        for (auto& cluster : clusters) threads.emplace_back([&] { cluster = ManagedCluster::attach({folder.path()}); });
        for (auto& thread : threads) thread.join();
        for (const auto& cluster : clusters) QVERIFY2(cluster.has_value(), qPrintable(textOf(cluster)));
        QVERIFY(answers(clusters.front().value()->connectionString()));
    }

    void aStalePidFileIsNoObstacle_data() {
        QTest::addColumn<bool>("pidLives");
        QTest::newRow("the process is gone") << false;
        QTest::newRow("its number belongs to another program now") << true;
    }
    void aStalePidFileIsNoObstacle() {
        QFETCH(bool, pidLives);
        test::OpenTemporaryFolder folder;
        fs::path data;
        {
            auto cluster = ManagedCluster::attach({folder.path()});
            QVERIFY2(cluster.has_value(), qPrintable(textOf(cluster)));
            data = (*cluster)->folder().data;
        }
        {
            std::ofstream pid(data / "postmaster.pid");
            pid << (pidLives ? ::getppid() : 999999) << "\n" << data.string() << "\n0\n5432\n" << data.parent_path().string() << "\n\n 0 0\nready\n";
        }
        if (isRoot()) {
            const auto account = Account::find("postgres");
            QCOMPARE(::chown((data / "postmaster.pid").c_str(), account->uid, account->gid), 0);
        }
        auto cluster = ManagedCluster::attach({folder.path()});
        QVERIFY2(cluster.has_value(), qPrintable(textOf(cluster)));
        QVERIFY(answers((*cluster)->connectionString()));
    }

    void aServerThatStoppedIsStartedAgain() {
        test::OpenTemporaryFolder folder;
        auto cluster = ManagedCluster::attach({folder.path()});
        QVERIFY2(cluster.has_value(), qPrintable(textOf(cluster)));
        QVERIFY((*cluster)->stopNow().has_value());
        QVERIFY(!answers((*cluster)->connectionString()));
        QVERIFY((*cluster)->ensureRunning().has_value());
        QVERIFY(answers((*cluster)->connectionString()));
    }

    void longAndStrangePathsGetAShortSocket_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("too long for a socket") << QString(120, QLatin1Char('x'));
        QTest::newRow("spaces, quotes, commas") << QStringLiteral("it's, \"mine\" \\ $HOME `ls`");
        QTest::newRow("not ASCII") << QStringLiteral("历史 übrig");
    }
    void longAndStrangePathsGetAShortSocket() {
        QFETCH(QString, name);
        test::OpenTemporaryFolder folder;
        fs::path sockets;
        {
            auto cluster = ManagedCluster::attach({folder.path() / name.toStdString()});
            QVERIFY2(cluster.has_value(), qPrintable(textOf(cluster)));
            QVERIFY(answers((*cluster)->connectionString()));
            sockets = (*cluster)->folder().sockets;
        }
        QVERIFY(QString::fromStdString(sockets.string()).startsWith(QStringLiteral("/tmp/signalbox-")));
        fs::remove_all(sockets);
    }

    void brokenPlacesAreExplained_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("says");
        QTest::newRow("made by another version") << "version" << "made by PostgreSQL 9, which is not installed";
        QTest::newRow("no PG_VERSION") << "damaged" << "has no PG_VERSION";
        QTest::newRow("control file gone") << "control" << "does not start: ";
        QTest::newRow("a file in the way") << "file" << "cannot create this folder";
        QTest::newRow("no server programs") << "programs" << "Install the package postgresql-15";
    }
    void brokenPlacesAreExplained() {
        QFETCH(QString, what);
        QFETCH(QString, says);
        test::OpenTemporaryFolder folder;
        ClusterOptions options{folder.path() / "c"};
        if (what == QStringLiteral("file")) {
            std::ofstream(options.folder) << "x";
        } else if (what == QStringLiteral("programs")) {
            options.programs = folder.path() / "nothing";
        } else {
            const auto data = ManagedCluster::attach(options).value()->folder().data;
            if (what == QStringLiteral("version")) std::ofstream(data / "PG_VERSION") << "9\n";
            if (what == QStringLiteral("damaged")) fs::remove(data / "PG_VERSION");
            if (what == QStringLiteral("control")) fs::remove(data / "global/pg_control");
        }
        const auto cluster = ManagedCluster::attach(options);
        QVERIFY(!cluster.has_value());
        QVERIFY2(textOf(cluster).contains(says), qPrintable(textOf(cluster)));
        QVERIFY2(textOf(cluster).contains(QString::fromStdString(folder.path().string())), qPrintable(textOf(cluster)));
    }

    void rootsClosedHomeIsExplained() {
        if (!isRoot()) QSKIP("only root hands its server to another user");
        test::OpenTemporaryFolder folder;
        ::chmod(folder.path().c_str(), 0700);
        const auto cluster = ManagedCluster::attach({folder.path() / "data"});
        QVERIFY(!cluster.has_value());
        QCOMPARE(cluster.error().kind, ErrorKind::denied);
        QVERIFY2(textOf(cluster).contains(QStringLiteral("postgres")) && textOf(cluster).contains(QStringLiteral("SIGNALBOX_DATA_DIR")),
                 qPrintable(textOf(cluster)));
    }

    // The whole store on the private cluster, closed and opened again: the history is there.
    void aStoreLivesOnIt() {
        test::OpenTemporaryFolder folder;
        test::ManualClock clock(test::kStart);
        EvidenceOptions options;
        options.journalFolder = folder.path() / "journal";
        options.managedClusterFolder = folder.path() / "history";
        QVERIFY(!openHistory(options).has_value());
        const auto record = test::sampleRecord(test::kStart, 1);
        {
            auto opened = std::chrono::steady_clock::now();
            const auto store = openEvidence(options, clock).value();
            QVERIFY(std::chrono::steady_clock::now() - opened < std::chrono::milliseconds(300));
            const auto sink = store->makeSink().value();
            QVERIFY(sink->append(record));
            QVERIFY2(store->flush(std::chrono::seconds(30)), store->status().lastError.c_str());
            QVERIFY(store->makeReader()->find(record.id, nullptr).value().has_value());
            QVERIFY(QString::fromStdString(store->status().where).startsWith(QStringLiteral("private cluster in ")));
        }
        const auto reader = openHistory(options).value();
        const auto found = reader->find(record.id, nullptr);
        QVERIFY2(found.has_value(), qPrintable(textOf(found)));
        QVERIFY(found->has_value());
    }
};

QTEST_APPLESS_MAIN(TestManagedCluster)
#include "tst_managed_cluster.moc"
