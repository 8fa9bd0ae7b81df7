// SPDX-License-Identifier: MIT
// `signalboxctl history` on decisions of smart groups, in a database that the test filled.
#include "router/evidence/evidence.h"
#include "tests/app/ctl_process.h"
#include "tests/router/evidence/group_records.h"
#include "tests/support/fake_history.h"
#include "tests/support/fakes.h"
#include "tests/support/postgres.h"

using namespace signalbox;
using namespace signalbox::test;
using evidence::HistoryFilter;

Q_DECLARE_METATYPE(signalbox::evidence::HistoryFilter)

class TestCtlHistoryGroup : public QObject {
    Q_OBJECT
    CtlHome m_home;
    Postgres m_postgres;
    std::shared_ptr<std::vector<evidence::DecisionRecord>> m_records = std::make_shared<std::vector<evidence::DecisionRecord>>();

    [[nodiscard]] CtlHome::Run run(QStringList more) const {
        return m_home.run(QStringList{QStringLiteral("history"), QStringLiteral("ws"), QStringLiteral("--dsn-env"), QStringLiteral("DSN"),
                                      QStringLiteral("--since"), QStringLiteral("2025-11-29"), QStringLiteral("--until"),
                                      QStringLiteral("2025-12-05"), QStringLiteral("--limit"), QStringLiteral("500")} + more);
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(m_postgres.problem().empty(), m_postgres.problem().c_str());
        m_home.writeGoodWorkspace();
        m_home.write("ws/gateway.toml", goodConfig() + "[principals.helper]\nteam = \"support\"\ntoken_env = \"HELPER_TOKEN\"\n");
        m_home.set("DSN", QString::fromStdString(m_postgres.dsn()));
        OpenTemporaryFolder folder;
        ManualClock clock(kStart + std::chrono::hours(10));
        evidence::EvidenceOptions options;
        options.dsn = m_postgres.dsn();
        options.dsnName = "$DSN";
        options.journalFolder = folder.path();
        const auto store = evidence::openEvidence(options, clock).value();
        const auto sink = store->makeSink().value();
        GroupRecords source(11);
        for (int n = 0; n < 200; ++n) {
            m_records->push_back(source.next(kStart + std::chrono::seconds(n)));
            QVERIFY(sink->append(m_records->back()));
        }
        QVERIFY2(store->flush(std::chrono::seconds(20)), store->status().lastError.c_str());
    }

    void filters_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<HistoryFilter>("filter");
        const auto row = [](const char* name, const QString& arguments, HistoryFilter filter) {
            filter.range = {kStart, kStart + std::chrono::hours(1)};
            QTest::newRow(name) << arguments.split(QLatin1Char(' ')) << filter;
        };
        row("group and profile", QStringLiteral("--group auto --profile economy"), {.group = "auto", .profile = "economy"});
        row("mode", QStringLiteral("--mode canary_control"), {.mode = "canary_control"});
        row("a cell of the matrix", QStringLiteral("--selected a:x --recommended b:y"), {.selected = "a:x", .recommended = "b:y"});
        row("deciding term", QStringLiteral("--deciding-term latency"), {.decidingTerm = "latency"});
        row("disagreement", QStringLiteral("--disagreement"), {.disagreement = true});
        row("margin", QStringLiteral("--margin 0.215"), {.marginSlot = static_cast<std::uint32_t>(evidence::kMarginSlots - 1)});
        row("attempted", QStringLiteral("--attempted other:m"), {.attempted = "other:m"});
        row("team", QStringLiteral("--team blue"), {.team = "blue"});
        row("model asked for", QStringLiteral("--model auto"), {.requestedModel = "auto"});
    }
    void filters() {
        QFETCH(QStringList, arguments);
        QFETCH(HistoryFilter, filter);
        const auto wanted = FakeHistory(m_records).page(filter, std::nullopt, 500, nullptr).value().rows;
        QVERIFY(wanted.size() > 2 && wanted.size() < 150);
        QByteArray lines;
        for (const auto& record : wanted) lines += QByteArray::fromStdString(evidence::encodeRecord(record)) + '\n';
        const auto asked = run(arguments << QStringLiteral("--json"));
        QVERIFY2(asked.code == 0, asked.err.constData());
        QCOMPARE(asked.out, lines);
    }

    void aNameThatNobodyKnowsIsNoted_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("note");
        const auto row = [](const char* name, const char* arguments, const char* note) {
            QTest::newRow(name) << QString::fromUtf8(arguments).split(QLatin1Char(' ')) << QByteArray(note);
        };
        row("endpoint", "--endpoint nope:nope", "note: --endpoint nope:nope: the workspace's policy has no such endpoint");
        row("a slip", "--endpoint lab:amber-26", "Did you mean \"lab:amber-26b\"?");
        row("attempted", "--attempted nope:nope", "note: --attempted nope:nope: ");
        row("group", "--group nope", "note: --group nope: the workspace's policy has no such group");
        row("preset", "--preset amber-bas", "Did you mean \"amber-base\"?");
        row("an endpoint that only failed", "--endpoint lab:amber-26b", "--attempted finds what failed there, too");
        row("a known preset", "--preset amber-wide", "");
        row("team", "--team nobodys", "note: --team nobodys: no principal of the workspace's policy is of that team");
        row("a slip in a team", "--team suport", "Did you mean \"support\"?");
        row("a known team", "--team support", "");
        row("model", "--model nope", "note: --model nope: the workspace's policy knows no such model");
        row("a slip in a model", "--model amber-26", "Did you mean \"amber-26b\"?");
        row("a known model", "--model amber-26b", "");
        row("a known endpoint as model", "--model lab:amber-26b", "");
    }
    void aNameThatNobodyKnowsIsNoted() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, note);
        const auto asked = run(arguments);
        QVERIFY2(asked.code == 0 && asked.out.isEmpty(), (asked.out + asked.err).constData());
        QVERIFY2(asked.err.startsWith("No decision matches.\n"), asked.err.constData());
        QCOMPARE(asked.err.contains("signalboxctl: note: "), !note.isEmpty());
        QVERIFY2(asked.err.contains(note), asked.err.constData());
    }
    // Found all the same: an earlier policy knew it.
    void whatWasFoundNeedsNoNote() {
        const auto asked = run({QStringLiteral("--attempted"), QStringLiteral("other:m")});
        QVERIFY2(asked.code == 0 && !asked.out.isEmpty() && !asked.err.contains("note:"), asked.err.constData());
    }

    void aFailedLineSaysWhatFailed() {
        for (const auto& record : *m_records) {
            if (record.outcome != evidence::Outcome::failed || record.attempts.size() != 1 || record.attempts[0].outcome != evidence::AttemptOutcome::failed) continue;
            const auto asked = run({QStringLiteral("--all"), QStringLiteral("--id"), QString::fromStdString(record.id.text())});
            QVERIFY2(asked.code == 0, asked.err.constData());
            const std::string whole = asked.out.toStdString();
            const std::string line = whole.substr(0, whole.find('\n'));
            for (const std::string& says : {"  " + record.attempts[0].endpointId + "  ", "  model " + record.requestedModel})
                QVERIFY2(line.find(says) != std::string::npos, (line + "\nlacks " + says).c_str());
            const std::string attempt = "attempt      " + record.attempts[0].endpointId + ", primary, failed " + std::to_string(record.attempts[0].status);
            QVERIFY2(whole.find(attempt) != std::string::npos, (whole + "\nlacks " + attempt).c_str());
            return;
        }
        QFAIL("no such failure among the records");
    }

    void wordsThatDoNotExist_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("mode") << QStringList{QStringLiteral("--mode"), QStringLiteral("on")};
        QTest::newRow("term") << QStringList{QStringLiteral("--deciding-term"), QStringLiteral("price")};
        QTest::newRow("margin") << QStringList{QStringLiteral("--margin"), QStringLiteral("-1")};
        QTest::newRow("no team") << QStringList{QStringLiteral("--team"), QString()};
    }
    void wordsThatDoNotExist() {
        QFETCH(QStringList, arguments);
        const auto asked = run(arguments);
        QCOMPARE(asked.code, 2);
        QVERIFY2(asked.err.contains(arguments.front().toUtf8()), asked.err.constData());
    }

    // It would mean every team, where a script's variable is not set.
    void anEmptyTeamIsRefusedByTailToo() {
        const auto asked = m_home.run({QStringLiteral("tail"), QStringLiteral("--workspace"), QStringLiteral("ws"), QStringLiteral("--team"), QString()});
        QCOMPARE(asked.code, 2);
        QVERIFY2(asked.err.contains("--team: the value is empty; leave --team out"), asked.err.constData());
    }

    void aRowNamesTheGroupAndWhatItWouldRather() {
        for (const auto& record : *m_records) {
            if (!record.group || !record.group->shadowDisagreement) continue;
            const auto asked = run({QStringLiteral("--all"), QStringLiteral("--id"), QString::fromStdString(record.id.text())});
            QVERIFY2(asked.code == 0, asked.err.constData());
            const auto& group = *record.group;
            const std::string whole = asked.out.toStdString();
            for (const std::string& says : {group.groupId + ' ' + record.mode + ", rather " + group.recommended, "selected     " + group.selected,
                                            "decided by   " + group.decidingTerm, std::string("candidate    b:y, ")})
                QVERIFY2(whole.find(says) != std::string::npos, (whole + "\nlacks " + says).c_str());
            return;
        }
        QFAIL("no disagreement among the records");
    }

    // What breaks inside is no fault of whoever asked.
    void aTableOfAnotherShapeIsNoBadInput() {
        QVERIFY(m_postgres.column("ALTER TABLE signalbox.decisions RENAME COLUMN receipt TO another").empty());
        const auto asked = run({});
        QVERIFY(m_postgres.column("ALTER TABLE signalbox.decisions RENAME COLUMN another TO receipt").empty());
        QVERIFY2(asked.code == 3, (asked.out + asked.err).constData());
        QVERIFY2(asked.err.contains("the database refused a question"), asked.err.constData());
    }
};

QTEST_APPLESS_MAIN(TestCtlHistoryGroup)
#include "tst_ctl_history_group.moc"
