// SPDX-License-Identifier: MIT
// Keys, signatures and verification at the command line, with the stock minisign command where it is there.
#include "tests/app/ctl_process.h"

#include <nlohmann/json.hpp>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <functional>
#include <pty.h>
#include <sys/wait.h>
#include <vector>

using namespace signalbox::test;

namespace {
QStringList words(const char* text) { return QString::fromUtf8(text).split(QLatin1Char(' ')); }

std::vector<char*> pointersTo(QByteArrayList& texts) {
    std::vector<char*> out;
    for (QByteArray& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

/// Runs signalboxctl at a terminal of its own and answers its question with `line` once `meanwhile` is done.
CtlHome::Run runAtTerminal(const CtlHome& home, const QStringList& arguments, const QByteArray& line, const std::function<void()>& meanwhile) {
    QByteArrayList texts{CtlHome::binary().toUtf8()}, variables;
    for (const QString& argument : arguments) texts.append(argument.toUtf8());
    for (const QString& variable : home.environment().toStringList()) variables.append(variable.toUtf8());
    const std::vector<char*> argv = pointersTo(texts), environment = pointersTo(variables);
    const QByteArray folder = home.path(".").toUtf8();
    int terminal = -1;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
        if (::chdir(folder.constData()) == 0) ::execve(argv[0], argv.data(), environment.data());
        ::_exit(127);
    }
    CtlHome::Run run;
    if (child < 0) return run;
    bool answered = false;
    char bytes[512];
    for (ssize_t n = 0; (n = ::read(terminal, bytes, sizeof bytes)) > 0;) {  // it fails when the program has ended
        run.out.append(bytes, static_cast<qsizetype>(n));
        if (answered || !run.out.endsWith(": ")) continue;
        answered = true;
        meanwhile();
        if (::write(terminal, line.constData(), static_cast<std::size_t>(line.size())) != line.size()) break;
    }
    ::close(terminal);
    int status = 0;
    if (::waitpid(child, &status, 0) == child && WIFEXITED(status)) run.code = WEXITSTATUS(status);
    return run;
}
}  // namespace

class TestCtlKeys : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_home = std::make_unique<CtlHome>();
        m_home->writeGoodWorkspace();
        m_home->set("SIGNALBOX_KEY_PASSWORD", QStringLiteral("correct horse"));
    }
    void createShowAndList();
    void secretKeyIsPrivateAndEncrypted();
    void nothingIsOverwritten();
    void signAndVerify();
    void stockMinisignVerifiesAndIsVerified();
    void oneChangedByteIsRefused_data();
    void oneChangedByteIsRefused();
    void passwordChange();
    void importSecretAndPublic();
    void badInput_data();
    void badInput();
    void unreadableKey();
    void noTerminalForThePassword();
    void failedSigningLeavesNoSignature();
    void whatChangesWhileThePasswordIsAskedForIsNotSigned();
    void severalFilesEachGetTheirVerdict();

private:
    [[nodiscard]] CtlHome::Run run(const char* arguments) const { return m_home->run(words(arguments)); }
    void makeKey() {
        const auto made = run("keys create --out k");
        QVERIFY2(made.code == 0, made.err.constData());
    }
    std::unique_ptr<CtlHome> m_home;
};

void TestCtlKeys::createShowAndList() {
    QVERIFY2(run("keys list").err.contains("keys create"), "an empty list teaches");
    const auto made = m_home->run({QStringLiteral("keys"), QStringLiteral("create"), QStringLiteral("--comment"), QStringLiteral("Ada's key")});
    QVERIFY2(made.code == 0, made.err.constData());
    const auto list = run("keys list --json");
    QCOMPARE(list.code, 0);
    const auto key = QJsonDocument::fromJson(list.out).array()[0].toObject();
    QCOMPARE(key[QStringLiteral("comment")].toString(), QStringLiteral("Ada's key"));
    QCOMPARE(key[QStringLiteral("id")].toString().size(), 16);
    QVERIFY(key[QStringLiteral("secret_key_file")].toString().endsWith(QStringLiteral("signalbox/keys/default")));
    const auto shown = run("keys show default");
    QVERIFY2(shown.code == 0, shown.err.constData());
    QVERIFY(shown.out.contains(key[QStringLiteral("public_key")].toString().toUtf8()));
    QVERIFY(QFile::permissions(m_home->path(".config/signalbox/keys")) ==
            (QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadUser | QFile::WriteUser | QFile::ExeUser));
}

void TestCtlKeys::secretKeyIsPrivateAndEncrypted() {
    makeKey();
    const auto permissions = QFile::permissions(m_home->path("k"));
    QVERIFY(!(permissions & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther)));
    QVERIFY(m_home->read("k").startsWith("untrusted comment: minisign encrypted secret key\nRWRTY0Iy"));
    QVERIFY2(run("keys create --out open --no-password").code == 0, "on purpose");
    QVERIFY(m_home->read("open").contains("\nRWQAAEIy"));
}

void TestCtlKeys::nothingIsOverwritten() {
    makeKey();
    const auto before = m_home->read("k");
    VERIFY_ONE_MESSAGE(run("keys create --out k"), 1, "k: a file of this name exists already");
    QCOMPARE(m_home->read("k"), before);
    // The public half alone is in the way too, and then no secret half is left behind.
    m_home->write("half.pub", "mine");
    VERIFY_ONE_MESSAGE(run("keys create --out half"), 1, "half.pub: a file of this name exists already");
    QVERIFY(!QFile::exists(m_home->path("half")));
}

void TestCtlKeys::signAndVerify() {
    makeKey();
    const auto made = m_home->run(words("sign --key k ws/routing-table.json ws/gateway.toml --signer") + QStringList{QStringLiteral("Ada L")});
    QVERIFY2(made.code == 0, made.err.constData());
    QCOMPARE(made.out, QByteArray("ws/routing-table.json.minisig\nws/gateway.toml.minisig\n"));

    const auto verified = run("verify --key k.pub ws/routing-table.json ws/gateway.toml --json");
    QVERIFY2(verified.code == 0, verified.err.constData());
    const auto list = QJsonDocument::fromJson(verified.out).array();
    QCOMPARE(list.size(), 2);
    for (const auto value : list) {
        const auto one = value.toObject();
        QCOMPARE(one[QStringLiteral("valid")].toBool(), true);
        QCOMPARE(one[QStringLiteral("signer")].toString(), QStringLiteral("Ada L"));
        QCOMPARE(one[QStringLiteral("policy_version")].toString(), QStringLiteral("builtin-v1"));
        QVERIFY(one[QStringLiteral("at")].toString().endsWith(QLatin1Char('Z')));
        QCOMPARE(one[QStringLiteral("table_sha256")].toString(), list[0].toObject()[QStringLiteral("sha256")].toString());
    }
    const auto text = run("verify --key k.pub ws/routing-table.json");
    QVERIFY2(text.out.contains("good signature by Ada L") && text.out.contains("builtin-v1"), text.out.constData());
}

void TestCtlKeys::stockMinisignVerifiesAndIsVerified() {
    const QString minisign = QStandardPaths::findExecutable(QStringLiteral("minisign"));
    if (minisign.isEmpty()) QSKIP("the minisign command is not installed");
    makeKey();
    QCOMPARE(run("sign --key k ws/routing-table.json").code, 0);
    const auto there = m_home->runProgram(minisign, words("-Vm ws/routing-table.json -p k.pub"));
    QVERIFY2(there.code == 0, (there.out + there.err).constData());
    QVERIFY2(there.out.contains("signer=ada policy=builtin-v1"), there.out.constData());

    const auto signedThere = m_home->runProgram(minisign, words("-S -s k -m ws/gateway.toml"), "correct horse\n");
    QVERIFY2(signedThere.code == 0, (signedThere.out + signedThere.err).constData());
    const auto here = run("verify --key k.pub ws/gateway.toml");
    QVERIFY2(here.code == 0, here.err.constData());
    QVERIFY2(here.out.contains("policy version    not said"), here.out.constData());
}

void TestCtlKeys::oneChangedByteIsRefused_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("content") << QByteArray("ws/routing-table.json") << QByteArray("amber") << QByteArray("content");
    QTest::newRow("trusted comment") << QByteArray("ws/routing-table.json.minisig") << QByteArray("builtin") << QByteArray("trusted comment");
    QTest::newRow("signature") << QByteArray("ws/routing-table.json.minisig") << QByteArray("\nRUS") << QByteArray("signature");
    QTest::newRow("public key") << QByteArray("k.pub") << QByteArray("\nRWS") << QByteArray("key");
}

void TestCtlKeys::oneChangedByteIsRefused() {
    QFETCH(QByteArray, file);
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, says);
    makeKey();
    QCOMPARE(run("sign --key k ws/routing-table.json").code, 0);
    auto bytes = m_home->read(file.constData());
    // Base64 lines start with the kind and the key's id, which is random: change a letter further on.
    const bool base64 = before.startsWith('\n');
    const auto at = base64 ? bytes.indexOf('\n') + 40 : bytes.indexOf(before);
    QVERIFY(at > 0);
    bytes[at] = bytes[at] == 'b' ? 'c' : 'b';
    m_home->write(file.constData(), bytes);
    VERIFY_ONE_MESSAGE(run("verify --key k.pub ws/routing-table.json"), 1, "ws/routing-table.json", says);
}

void TestCtlKeys::passwordChange() {
    makeKey();
    const auto before = m_home->read("k");
    m_home->set("SIGNALBOX_KEY_NEW_PASSWORD", QStringLiteral("another"));
    const auto changed = run("keys passwd k");
    QVERIFY2(changed.code == 0, changed.err.constData());
    QVERIFY(m_home->read("k") != before);
    VERIFY_ONE_MESSAGE(run("sign --key k ws/routing-table.json"), 1, "k: the password does not unlock this key");
    m_home->set("SIGNALBOX_KEY_PASSWORD", QStringLiteral("another"));
    QCOMPARE(run("sign --key k ws/routing-table.json").code, 0);
    QCOMPARE(run("verify --key k.pub ws/routing-table.json").code, 0);
    m_home->set("SIGNALBOX_KEY_NEW_PASSWORD", QStringLiteral("a third"));
    const auto told = QJsonDocument::fromJson(run("keys passwd k --json").out).object();
    QCOMPARE(told, QJsonDocument::fromJson(run("keys show k --json").out).object());
    QCOMPARE(told[QStringLiteral("secret_key_file")].toString(), QStringLiteral("k"));
}

void TestCtlKeys::importSecretAndPublic() {
    makeKey();
    const auto secret = run("keys import k");
    QVERIFY2(secret.code == 0, secret.err.constData());
    QCOMPARE(m_home->read(".config/signalbox/keys/k"), m_home->read("k"));
    const auto other = run("keys import k.pub --out theirs");
    QVERIFY2(other.code == 0, other.err.constData());
    QVERIFY(QFile::exists(m_home->path("theirs.pub")) && !QFile::exists(m_home->path("theirs")));
    // By its name alone, from the key folder.
    QFile::remove(m_home->path("k"));
    QFile::remove(m_home->path("k.pub"));
    QCOMPARE(run("sign --key k ws/routing-table.json").code, 0);
    QCOMPARE(run("verify --key k ws/routing-table.json").code, 0);
}

void TestCtlKeys::badInput_data() {
    QTest::addColumn<QByteArray>("arguments");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("sign: missing key") << QByteArray("sign --key nokey ws/gateway.toml") << QByteArray("nokey: no such file");
    QTest::newRow("sign: not a key") << QByteArray("sign --key ws/gateway.toml ws/gateway.toml") << QByteArray("ws/gateway.toml:1:1: ");
    QTest::newRow("sign: folder as key") << QByteArray("sign --key ws ws/gateway.toml") << QByteArray("ws: this is a folder");
    QTest::newRow("sign: missing file") << QByteArray("sign --key k nowhere.json") << QByteArray("nowhere.json: no such file");
    QTest::newRow("sign: folder as file") << QByteArray("sign --key k ws") << QByteArray("ws: this is a folder");
    QTest::newRow("verify: missing key") << QByteArray("verify --key no.pub ws/gateway.toml") << QByteArray("no.pub: no such file");
    QTest::newRow("verify: not a key") << QByteArray("verify --key ws/gateway.toml ws/gateway.toml") << QByteArray("ws/gateway.toml:1:1: ");
    QTest::newRow("verify: secret key") << QByteArray("verify --key k ws/gateway.toml") << QByteArray("k:2: this is a minisign secret key");
    QTest::newRow("verify: not signed") << QByteArray("verify --key k.pub ws/gateway.toml") << QByteArray("ws/gateway.toml: it is not signed");
    QTest::newRow("show: missing") << QByteArray("keys show nokey") << QByteArray("nokey.pub: no such file");
    QTest::newRow("create: missing folder") << QByteArray("keys create --out no/folder/k") << QByteArray("no/folder/k: no such file or folder");
    QTest::newRow("import: missing") << QByteArray("keys import nokey") << QByteArray("nokey: no such file");
    QTest::newRow("import: not a key") << QByteArray("keys import ws/gateway.toml") << QByteArray("ws/gateway.toml:1:1: ");
}

void TestCtlKeys::badInput() {
    QFETCH(QByteArray, arguments);
    QFETCH(QByteArray, says);
    makeKey();
    const auto before = m_home->files(".");
    VERIFY_ONE_MESSAGE(run(arguments.constData()), 1, says);
    QCOMPARE(m_home->files("ws").size(), 2);
    for (const QString& name : m_home->files(".")) QVERIFY2(before.contains(name) || name == QStringLiteral(".config"), qPrintable(name));
}

void TestCtlKeys::unreadableKey() {
    if (!CtlHome::canDropOverride()) QSKIP("root reads everything and setpriv is not installed");
    makeKey();
    QFile::setPermissions(m_home->path("k"), {});
    VERIFY_ONE_MESSAGE(m_home->runWithoutOverride(words("sign --key k ws/gateway.toml")), 1, "k: no permission");
}

void TestCtlKeys::noTerminalForThePassword() {
    makeKey();
    m_home->unset("SIGNALBOX_KEY_PASSWORD");
    const QString setsid = QStandardPaths::findExecutable(QStringLiteral("setsid"));
    if (setsid.isEmpty()) QSKIP("setsid is not installed");
    // In a session of its own there is no controlling terminal, as under cron.
    const auto run = m_home->runProgram(setsid, QStringList{QStringLiteral("--wait"), CtlHome::binary()} + words("sign --key k ws/gateway.toml"));
    VERIFY_ONE_MESSAGE(run, 1, "no terminal", "SIGNALBOX_KEY_PASSWORD");
}

void TestCtlKeys::failedSigningLeavesNoSignature() {
    makeKey();
    m_home->set("SIGNALBOX_KEY_PASSWORD", QStringLiteral("wrong horse"));
    const auto run = m_home->run(words("sign --key k ws/routing-table.json"));
    VERIFY_ONE_MESSAGE(run, 1, "k: the password does not unlock this key");
    QVERIFY(!run.err.contains("wrong horse"));
    QCOMPARE(m_home->files("ws").size(), 2);
}

void TestCtlKeys::whatChangesWhileThePasswordIsAskedForIsNotSigned() {
    makeKey();
    m_home->unset("SIGNALBOX_KEY_PASSWORD");
    const auto sign = [this](const std::function<void()>& meanwhile) { return runAtTerminal(*m_home, words("sign --key k ws/routing-table.json"), "correct horse\n", meanwhile); };
    const auto changed = sign([this] { m_home->write("ws/routing-table.json", goodTable().replace("amber-wide", "amber-deep")); });
    QVERIFY2(changed.code == 1, changed.out.constData());
    QVERIFY2(changed.out.contains("ws/routing-table.json: the file was changed"), changed.out.constData());
    QCOMPARE(m_home->files("ws").size(), 2);
    const auto asItWas = sign([] {});
    QVERIFY2(asItWas.code == 0, asItWas.out.constData());
    QCOMPARE(run("verify --key k.pub ws/routing-table.json").code, 0);
}

void TestCtlKeys::severalFilesEachGetTheirVerdict() {
    makeKey();
    QCOMPARE(run("sign --key k ws/routing-table.json").code, 0);
    const auto verified = run("verify --key k.pub ws/gateway.toml ws/routing-table.json --json");
    QCOMPARE(verified.code, 1);
    const auto list = QJsonDocument::fromJson(verified.out).array();
    QCOMPARE(list[0].toObject()[QStringLiteral("valid")].toBool(true), false);
    QVERIFY(list[0].toObject()[QStringLiteral("error")].toString().contains(QStringLiteral("not signed")));
    QCOMPARE(list[1].toObject()[QStringLiteral("valid")].toBool(false), true);
}

QTEST_APPLESS_MAIN(TestCtlKeys)
#include "tst_ctl_keys.moc"
