// SPDX-License-Identifier: MIT
// Which gateway the console looks at: its own to begin with, another when its user says so, with the token from where it
// is kept, and the words for what does not work.
#include "tests/support/fake_target.h"
#include "ui/bridge/bridge.h"
#include "ui/bridge/targets.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace signalbox;
using namespace signalbox::ui;

namespace {

class FakeSecrets final : public SecretStore {
public:
    void read(const QString& name, std::function<void(Result<QString>)> done) override {
        if (failure) return done(tl::unexpected(*failure));
        if (!kept.contains(name)) return done(fail(ErrorKind::notFound, "the keyring does not hold this token"));
        done(kept.at(name));
    }
    void write(const QString& name, const QString& secret, std::function<void(Result<void>)> done) override {
        if (failure) return done(tl::unexpected(*failure));
        kept[name] = secret;
        done({});
    }
    void remove(const QString& name, std::function<void(Result<void>)> done) override {
        kept.erase(name);
        done({});
    }
    std::map<QString, QString> kept;
    std::optional<Error> failure;
};

}  // namespace

class TargetsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<Settings> m_settings;
    std::shared_ptr<test::FakeTarget> m_own, m_other;
    std::unique_ptr<Bridge> m_bridge;
    FakeSecrets m_secrets;
    std::unique_ptr<Targets> m_targets;
    std::vector<engine::AdminAccess> m_reached;
    std::map<QString, QString> m_environment;

    QString file() const { return m_folder.filePath(QStringLiteral("console.ini")); }
    Targets::Reach reach() {
        Targets::Reach reach;
        reach.make = [this](engine::RemoteOptions options) -> Result<std::shared_ptr<engine::Target>> {
            m_reached.push_back(options.access);
            auto status = m_other->status();
            status.name = options.name;
            status.remote = true;
            status.state = engine::GatewayState::running;
            status.runningHash = "beef";
            m_other->setStatus(status);
            return std::shared_ptr<engine::Target>(m_other);
        };
        reach.ask = [](const engine::AdminAccess& access) -> Result<engine::TargetStatus> {
            if (access.token != "good") return fail(ErrorKind::denied, "the gateway does not accept this admin token", access.url);
            engine::TargetStatus status;
            status.name = "theirs";
            return status;
        };
        reach.environment = [this](const QString& variable) -> std::optional<QString> {
            const auto found = m_environment.find(variable);
            return found == m_environment.end() ? std::nullopt : std::optional(found->second);
        };
        return reach;
    }
    static NamedTarget named(const char* name, const char* variable = "") {
        return {QString::fromLatin1(name), QStringLiteral("https://gw.example"), QString::fromLatin1(variable), {}};
    }
    Result<void> add(const NamedTarget& target, const QString& token) {
        std::optional<Result<void>> answer;
        m_targets->add(target, token, [&](Result<void> done) { answer = std::move(done); });
        return answer.value_or(fail(ErrorKind::internal, "no answer"));
    }
    Result<void> choose(const char* name) {
        std::optional<Result<void>> answer;
        m_targets->choose(QString::fromLatin1(name), [&](Result<void> done) { answer = std::move(done); });
        return answer.value_or(fail(ErrorKind::internal, "no answer"));
    }

private Q_SLOTS:
    void init() {
        QFile::remove(file());
        m_settings = std::make_unique<Settings>(file());
        m_own = std::make_shared<test::FakeTarget>();
        m_other = std::make_shared<test::FakeTarget>();
        m_bridge = std::make_unique<Bridge>(m_own);
        m_secrets = {};
        m_reached.clear();
        m_environment.clear();
        m_targets = std::make_unique<Targets>(m_bridge.get(), m_settings.get(), &m_secrets, reach());
    }
    void cleanup() {
        m_targets.reset();
        m_bridge.reset();
        m_settings.reset();
    }

    void itBeginsAtItsOwnAndGoesWhereItIsSent() {
        QVERIFY(m_targets->current().isEmpty());
        QVERIFY(!m_bridge->looksElsewhere());
        QVERIFY(add(named("prod-a"), QStringLiteral(" good\n")).has_value());
        QSignalSpy moved(m_bridge.get(), &Bridge::targetChanged), status(m_bridge.get(), &Bridge::statusChanged);
        QVERIFY(choose("prod-a").has_value());
        QCOMPARE(moved.count(), 1);
        QVERIFY(status.count() >= 1);
        QVERIFY(m_bridge->looksElsewhere());
        QCOMPARE(m_bridge->status().name, std::string("prod-a"));
        QCOMPARE(m_bridge->runningHash(), std::string("beef"));
        QVERIFY(m_bridge->running() == nullptr);
        QCOMPARE(m_reached.size(), std::size_t{1});
        QCOMPARE(m_reached[0].token, std::string("good"));
        QVERIFY(m_reached[0].actor.find('@') != std::string::npos);
        QVERIFY(choose("").has_value());
        QVERIFY(!m_bridge->looksElsewhere());
        QVERIFY(m_bridge->status().name == "local");
    }

    void theTokenIsInTheKeyringAndInNoFile() {
        QVERIFY(add(named("prod-a"), QStringLiteral("good-and-secret")).has_value());
        m_settings.reset();
        m_targets.reset();
        QFile settings(file());
        QVERIFY(settings.open(QIODevice::ReadOnly));
        const QByteArray text = settings.readAll();
        QVERIFY(text.contains("prod-a") && !text.contains("good-and-secret"));
        m_settings = std::make_unique<Settings>(file());
        m_targets = std::make_unique<Targets>(m_bridge.get(), m_settings.get(), &m_secrets, reach());
        QCOMPARE(m_targets->all(), QList<NamedTarget>{named("prod-a")});
        QVERIFY(m_targets->current().isEmpty());  // never where the last session ended
        QVERIFY(choose("prod-a").has_value());
        QCOMPARE(m_reached[0].token, std::string("good-and-secret"));
    }

    void noLoginOfAnAddressReachesTheSettings() {
        NamedTarget target = named("prod-a");
        target.url = QStringLiteral("https://ada:planted-secret@gw.example");
        const auto refused = add(target, QStringLiteral("good"));
        QVERIFY(!refused && refused.error().kind == ErrorKind::badInput);
        QVERIFY2(refused.error().text().find("planted") == std::string::npos, refused.error().text().c_str());
        QVERIFY(m_targets->all().isEmpty() && m_secrets.kept.empty());
        m_settings.reset();
        QFile settings(file());
        QVERIFY(!settings.open(QIODevice::ReadOnly) || !settings.readAll().contains("planted"));
    }

    // What nobody can reach is said at once, and what may be a secret is kept nowhere.
    void anAddressThatIsNoneIsNotKept_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("says");
        const QString login = QStringLiteral("user name or password"), none = QStringLiteral("not the address of a gateway"), unclear = QStringLiteral("behind the host");
        QTest::newRow("query") << QStringLiteral("https://gw.example/?key=planted") << none;
        QTest::newRow("fragment") << QStringLiteral("https://gw.example/#planted") << none;
        QTest::newRow("query with an @") << QStringLiteral("https://gw.example/?key=planted@x") << none;
        QTest::newRow("no host") << QStringLiteral("https://") << none;
        QTest::newRow("scheme") << QStringLiteral("gopher://gw.example") << none;
        QTest::newRow("login") << QStringLiteral("https://ada:planted@gw.example") << login;
        QTest::newRow("login by its code") << QStringLiteral("https://ada%3Aplanted%40gw.example") << login;
        QTest::newRow("user by its code") << QStringLiteral("https://planted%40gw.example:38082") << login;
        QTest::newRow("slash in it") << QStringLiteral("https://ada:pl/planted@gw.example") << none;
        QTest::newRow("path") << QStringLiteral("https://gw.example/planted@x") << unclear;
    }
    void anAddressThatIsNoneIsNotKept() {
        QFETCH(QString, url);
        QFETCH(QString, says);
        NamedTarget target = named("prod-a");
        for (const QString& variable : {QString(), QStringLiteral("PROD_TOKEN")}) {
            target.url = url;
            target.tokenVariable = variable;
            const auto refused = add(target, QStringLiteral("good"));
            QVERIFY(!refused && refused.error().kind == ErrorKind::badInput);
            QVERIFY2(refused.error().message.find(says.toStdString()) != std::string::npos, refused.error().text().c_str());
            QVERIFY(!refused.error().hint.empty());
            QVERIFY2(refused.error().text().find("planted") == std::string::npos, refused.error().text().c_str());
        }
        QVERIFY(m_targets->all().isEmpty() && m_secrets.kept.empty() && m_settings->targets().isEmpty());
    }

    void anAtOfThePathIsKeptByItsCode() {
        NamedTarget target = named("prod-a");
        target.url = QStringLiteral("https://gw.example/team%40lab");
        QVERIFY(add(target, QStringLiteral("good")).has_value());
        QCOMPARE(m_settings->targets().size(), 1);
    }

    void aVariableHoldsTheTokenInstead() {
        QVERIFY(add(named("prod-a", "PROD_TOKEN"), {}).has_value());
        QVERIFY(m_secrets.kept.empty());
        const auto unset = choose("prod-a");
        QVERIFY(!unset && unset.error().where == "$PROD_TOKEN");
        QVERIFY(!m_bridge->looksElsewhere());
        m_environment[QStringLiteral("PROD_TOKEN")] = QStringLiteral("good");
        QVERIFY(choose("prod-a").has_value());
        QCOMPARE(m_reached[0].tokenFrom, std::string("$PROD_TOKEN"));
    }

    void noKeyringIsANormalState() {
        m_secrets.failure = Error{ErrorKind::unavailable, "there is no keyring that can be used", {}, "Let an environment variable hold the token, and name it instead."};
        const auto refused = add(named("prod-a"), QStringLiteral("good"));
        QVERIFY(!refused && refused.error().hint.find("variable") != std::string::npos);
        QVERIFY(m_targets->all().isEmpty());
        QVERIFY(add(named("prod-a", "PROD_TOKEN"), {}).has_value());
        Targets without(m_bridge.get(), m_settings.get(), nullptr, reach());
        QVERIFY(!without.hasKeyring());
        bool said = false;
        without.add(named("prod-b"), QStringLiteral("good"), [&](const Result<void>& done) { said = !done && done.error().message.find("no keyring") != std::string::npos; });
        QVERIFY(said);
    }

    void namesAreTakenOnce() {
        QVERIFY(add(named("prod-a", "X"), {}).has_value());
        const auto again = add(named("prod-a", "Y"), {});
        QVERIFY(!again && again.error().kind == ErrorKind::conflict);
        QVERIFY(!m_targets->whyNotName(QStringLiteral(" ")).isEmpty());
        QCOMPARE(m_targets->all().size(), 1);
    }

    void theConnectionIsTestedWithoutKeepingAnything() {
        std::optional<Result<engine::TargetStatus>> answer;
        const auto keep = [&](Result<engine::TargetStatus> status) { answer = std::move(status); };
        m_targets->test(named("prod-a"), QStringLiteral("bad"), keep);
        QTRY_VERIFY(answer.has_value());
        QVERIFY(!*answer && answer->error().kind == ErrorKind::denied);
        answer.reset();
        m_targets->test(named("prod-a"), QStringLiteral("good"), keep);
        QTRY_VERIFY(answer.has_value());
        QVERIFY(answer->has_value());
        QVERIFY(m_targets->all().isEmpty() && m_secrets.kept.empty() && !m_bridge->looksElsewhere());
    }

    void forgettingTheOneLookedAtComesHome() {
        QVERIFY(add(named("prod-a"), QStringLiteral("good")).has_value());
        QVERIFY(choose("prod-a").has_value());
        m_targets->remove(QStringLiteral("prod-a"));
        QVERIFY(!m_bridge->looksElsewhere());
        QVERIFY(m_targets->all().isEmpty() && m_secrets.kept.empty());
        QVERIFY(m_settings->targets().isEmpty());
    }

    void whatWasGatheredOfTheLastOneIsGone() {
        m_own->decide({});
        QTRY_COMPARE(m_bridge->recent().size(), std::size_t{1});
        const auto interest = m_bridge->fleet().follow();
        engine::EndpointHealth health;
        health.endpointId = "lab:mine";
        m_own->setEndpoints({health});
        QTRY_VERIFY(!m_bridge->fleet().state().endpoints.empty());
        health.endpointId = "lab:theirs";
        m_other->setEndpoints({health});
        QVERIFY(add(named("prod-a"), QStringLiteral("good")).has_value());
        QVERIFY(choose("prod-a").has_value());
        QVERIFY(m_bridge->recent().empty());
        QVERIFY(m_bridge->fleet().state().endpoints.empty());
        QTRY_COMPARE(m_bridge->fleet().state().endpoints.size(), std::size_t{1});
        QCOMPARE(m_bridge->fleet().state().endpoints.front().endpointId, std::string("lab:theirs"));
        m_other->decide({});
        QTRY_COMPARE(m_bridge->recent().size(), std::size_t{1});
        m_own->decide({});
        QTest::qWait(250);
        QCOMPARE(m_bridge->recent().size(), std::size_t{1});
    }

    void historyStaysThatOfTheWorkspace() {
        m_own->setHistoryFailure(Error{ErrorKind::unavailable, "mine", {}, {}});
        m_other->setHistoryFailure(Error{ErrorKind::unavailable, "theirs", {}, {}});
        QVERIFY(add(named("prod-a"), QStringLiteral("good")).has_value());
        QVERIFY(choose("prod-a").has_value());
        std::string heard;
        const TicketPtr ticket = m_bridge->ask<evidence::HistorySummary>(
            [](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) { return reader.summary({}, cancel); },
            [&](const Result<evidence::HistorySummary>& answer) { heard = answer ? "" : answer.error().message; });
        QTRY_COMPARE(heard, std::string("mine"));
    }
};

QTEST_GUILESS_MAIN(TargetsTest)
#include "tst_targets.moc"
