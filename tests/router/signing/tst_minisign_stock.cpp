// SPDX-License-Identifier: MIT
// Both ways with the stock `minisign` command: its files here, ours there.
#include "router/base/file.h"
#include "router/signing/trust.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace signalbox;
using namespace signalbox::signing;

namespace {

const std::string kContent = std::string("{\"schema_version\": 1}\n\0\xff", 24);

QByteArray bytes(const std::string& text) { return QByteArray::fromStdString(text); }

}  // namespace

class TestMinisignStock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void ourSignatureVerifiesThere();
    void oneChangedByteIsRefusedThere();
    void ourEncryptedKeySignsThere();
    void ourUnencryptedKeySignsThere();
    void theirEncryptedKeySignsHere();
    void theirUnencryptedKeySignsHere();
    void theirLegacySignatureVerifiesHere();

private:
    struct Run {
        int exitCode = -1;
        QByteArray output;
    };
    Run minisign(const QStringList& arguments, const QByteArray& input = {}) {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(m_command, arguments);
        process.write(input);
        process.closeWriteChannel();
        if (!process.waitForFinished(60'000)) return {-1, process.readAll()};
        return {process.exitCode(), process.readAll()};
    }
    [[nodiscard]] std::filesystem::path path(const char* name) const {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }
    void write(const char* name, std::string_view text) { QVERIFY(writeFileAtomic(path(name), text)); }
    [[nodiscard]] std::string read(const char* name) const { return readFile(path(name), 1 << 20).value_or(""); }

    QTemporaryDir m_folder;
    QString m_command;
};

void TestMinisignStock::initTestCase() {
    m_command = QStandardPaths::findExecutable(QStringLiteral("minisign"));
    if (m_command.isEmpty()) QSKIP("the minisign command is not installed");
    QVERIFY(m_folder.isValid());
    write("table.json", kContent);
}

void TestMinisignStock::ourSignatureVerifiesThere() {
    const auto key = SecretKey::generate();
    write("ours.pub", key.publicKey().fileText());
    const TrustedFacts facts{"Zo\xc3\xab", "builtin-v1", std::string(64, 'b'), "", "2026-11-29T17:10:39.000000Z"};
    const auto signature = signFile(path("table.json"), key, facts);
    QVERIFY(signature);
    const auto run = minisign({QStringLiteral("-Vm"), QStringLiteral("table.json"), QStringLiteral("-p"), QStringLiteral("ours.pub")});
    QVERIFY2(run.exitCode == 0, run.output.constData());
    QVERIFY(run.output.contains("signer=Zo%C3%AB policy=builtin-v1"));
    // -H insists on the prehashed kind, -P takes the key as text.
    const auto asText = minisign({QStringLiteral("-VHm"), QStringLiteral("table.json"), QStringLiteral("-P"),
                                  QString::fromStdString(key.publicKey().base64())});
    QVERIFY2(asText.exitCode == 0, asText.output.constData());
}

void TestMinisignStock::oneChangedByteIsRefusedThere() {
    const auto key = SecretKey::generate();
    write("changed.pub", key.publicKey().fileText());
    write("changed.json", kContent);
    QVERIFY(signFile(path("changed.json"), key, {}));
    std::string changed = kContent;
    changed[3] ^= 1;
    write("changed.json", changed);
    const auto run = minisign({QStringLiteral("-Vm"), QStringLiteral("changed.json"), QStringLiteral("-p"), QStringLiteral("changed.pub")});
    QVERIFY(run.exitCode != 0);
}

void TestMinisignStock::ourEncryptedKeySignsThere() {
    const auto key = SecretKey::generate();
    write("enc.key", encryptSecretKey(key, "pass word", KdfEffort::interactive, "").value());
    const auto run = minisign({QStringLiteral("-S"), QStringLiteral("-s"), QStringLiteral("enc.key"), QStringLiteral("-m"), QStringLiteral("table.json")}, "pass word\n");
    QVERIFY2(run.exitCode == 0, run.output.constData());
    const std::array trusted{key.publicKey()};
    const auto verified = verifyFile(path("table.json"), trusted);
    QVERIFY2(verified, verified ? "" : verified.error().text().c_str());
    QCOMPARE(bytes(verified->facts.fileName), QByteArray("table.json"));
    QVERIFY(!verified->facts.at.empty());
}

void TestMinisignStock::ourUnencryptedKeySignsThere() {
    const auto key = SecretKey::generate();
    write("clear.key", encryptSecretKey(key, "", KdfEffort::interactive, "").value());
    const auto run = minisign({QStringLiteral("-S"), QStringLiteral("-W"), QStringLiteral("-s"), QStringLiteral("clear.key"), QStringLiteral("-m"), QStringLiteral("table.json")});
    QVERIFY2(run.exitCode == 0, run.output.constData());
    const std::array trusted{key.publicKey()};
    QVERIFY(verifyFile(path("table.json"), trusted));
}

void TestMinisignStock::theirEncryptedKeySignsHere() {
    const auto made = minisign({QStringLiteral("-G"), QStringLiteral("-p"), QStringLiteral("their.pub"), QStringLiteral("-s"), QStringLiteral("their.key")}, "secret\nsecret\n");
    QVERIFY2(made.exitCode == 0, made.output.constData());
    const auto key = readSecretKey(path("their.key"), "secret");
    QVERIFY2(key, key ? "" : key.error().text().c_str());
    QCOMPARE(bytes(key->publicKey().base64()), bytes(readPublicKey(path("their.pub"))->base64()));
    QVERIFY(signFile(path("table.json"), *key, {}));
    const auto run = minisign({QStringLiteral("-Vm"), QStringLiteral("table.json"), QStringLiteral("-p"), QStringLiteral("their.pub")});
    QVERIFY2(run.exitCode == 0, run.output.constData());
}

void TestMinisignStock::theirUnencryptedKeySignsHere() {
    const auto made = minisign({QStringLiteral("-G"), QStringLiteral("-W"), QStringLiteral("-p"), QStringLiteral("theirw.pub"), QStringLiteral("-s"), QStringLiteral("theirw.key")});
    QVERIFY2(made.exitCode == 0, made.output.constData());
    QCOMPARE(isSecretKeyEncrypted(read("theirw.key")).value(), false);
    const auto key = readSecretKey(path("theirw.key"), "");
    QVERIFY2(key, key ? "" : key.error().text().c_str());
    QVERIFY(signFile(path("table.json"), *key, {}));
    const auto run = minisign({QStringLiteral("-Vm"), QStringLiteral("table.json"), QStringLiteral("-p"), QStringLiteral("theirw.pub")});
    QVERIFY2(run.exitCode == 0, run.output.constData());

    // Their checksum is zero, so damage shows in the key itself.
    std::string damaged = read("theirw.key");
    damaged[damaged.find('\n') + 1 + 90] ^= 4;
    QVERIFY(!decryptSecretKey(damaged, ""));
}

void TestMinisignStock::theirLegacySignatureVerifiesHere() {
    const auto key = SecretKey::generate();
    write("old.key", encryptSecretKey(key, "", KdfEffort::interactive, "").value());
    const auto run = minisign({QStringLiteral("-S"), QStringLiteral("-l"), QStringLiteral("-W"), QStringLiteral("-s"), QStringLiteral("old.key"), QStringLiteral("-m"), QStringLiteral("table.json")});
    QVERIFY2(run.exitCode == 0, run.output.constData());
    QCOMPARE(parseSignature(read("table.json.minisig"))->prehashed, false);
    const std::array trusted{key.publicKey()};
    const auto verified = verifyFile(path("table.json"), trusted);
    QVERIFY2(verified, verified ? "" : verified.error().text().c_str());
}

QTEST_APPLESS_MAIN(TestMinisignStock)
#include "tst_minisign_stock.moc"
