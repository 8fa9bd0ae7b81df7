// SPDX-License-Identifier: MIT
// Both real SDKs against upstreams of both protocols, streaming or not, with tools or without, and again while upstreams fail.
// What the SDK's objects say is asserted beside the SDK; that the rows tell the same story is asserted here.
#include "tests/clients/client_stage.h"

#include <QJsonDocument>
#include <QTest>

using namespace signalbox;
using namespace Qt::StringLiterals;

class ClientSuites : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void openai() { runSuite(u"openai_suite.mjs"_s, 40); }
    void anthropic() { runSuite(u"anthropic_suite.mjs"_s, 35); }
    void F45_openaiWhileUpstreamsFail() { runSuite(u"openai_faults.mjs"_s, 90); }
    void F45_anthropicWhileUpstreamsFail() { runSuite(u"anthropic_faults.mjs"_s, 90); }
    void F45_nobodyIsKeptWaiting();

private:
    void runSuite(const QString& suite, std::size_t atLeast);

    test::ClientStage m_stage;
};

void ClientSuites::initTestCase() {
    const QString problem = m_stage.start();
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void ClientSuites::cleanupTestCase() { QCOMPARE(m_stage.stop(), 0); }

void ClientSuites::runSuite(const QString& suite, std::size_t atLeast) {
    const auto cases = m_stage.run(suite);
    std::set<std::string> recorded;
    QStringList problems;
    for (const QJsonObject& one : cases) {
        const QString name = one[u"name"_s].toString();
        if (one.contains(u"error"_s)) problems << name + u": "_s + one[u"error"_s].toString();
        else if (one[u"row"_s].isObject()) recorded.insert(name.toStdString());
    }
    const auto rows = m_stage.rows(recorded);
    for (const QJsonObject& one : cases) {
        const QString name = one[u"name"_s].toString();
        if (!recorded.contains(name.toStdString())) continue;
        const auto row = rows.find(name.toStdString());
        const QString differs = row == rows.end() ? u"there is no row"_s : test::difference(one[u"row"_s].toObject(), row->second);
        if (!differs.isEmpty()) problems << name + u": "_s + differs;
    }
    QVERIFY2(problems.isEmpty(), qPrintable(u"\n%1 of %2 cases:\n"_s.arg(problems.size()).arg(cases.size()) + problems.join(u'\n')));
    QVERIFY2(cases.size() >= atLeast, qPrintable(QString::number(cases.size())));
}

void ClientSuites::F45_nobodyIsKeptWaiting() {
    // Clients that left (two edges, two protocols, two moments) and limits that fired: each call was ended towards the upstream, too.
    constexpr std::size_t kLeft = 8;
    QTRY_VERIFY_WITH_TIMEOUT(m_stage.upstream().abandoned() >= kLeft, 20'000);
}

QTEST_GUILESS_MAIN(ClientSuites)
#include "tst_client_suites.moc"
