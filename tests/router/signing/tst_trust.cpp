// SPDX-License-Identifier: MIT
#include "router/signing/trust.h"

#include "router/base/file.h"
#include "router/base/hashing.h"

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

using namespace signalbox;
using namespace signalbox::signing;

namespace {
QByteArray bytes(const std::string& text) { return QByteArray::fromStdString(text); }
}  // namespace

class TestTrust : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = std::filesystem::path(m_folder->path().toStdString()) / "routing-table.json";
        QVERIFY(writeFileAtomic(m_file, "{}\n"));
    }
    void signedFileVerifies();
    void eachTrustedKeyCounts();
    void missingSignatureSaysHowToSign();
    void untrustedSignerIsNamed();
    void changedContentNamesTheFile();
    void damagedSignatureIsLocated();
    void badTrustedKeyIsLocated();
    void unwritableFolderLeavesNothing();
    void otherContentThanWasReadIsNotSigned();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_file;
};

void TestTrust::signedFileVerifies() {
    const auto key = SecretKey::generate();
    const auto path = signFile(m_file, key, {"Ada", "v3", {}, {}, {}});
    QVERIFY(path);
    QCOMPARE(bytes(path->filename().string()), QByteArray("routing-table.json.minisig"));
    const std::array trusted{key.publicKey()};
    const auto verified = verifyFile(m_file, trusted);
    QVERIFY(verified);
    QCOMPARE(bytes(verified->signerText()), QByteArray("Ada"));
    QCOMPARE(bytes(verified->facts.policyVersion), QByteArray("v3"));
    QCOMPARE(bytes(verified->facts.fileName), QByteArray("routing-table.json"));
    QCOMPARE(bytes(verified->sha256), bytes(sha256Hex("{}\n")));
}

void TestTrust::eachTrustedKeyCounts() {
    const auto key = SecretKey::generate();
    QVERIFY(signFile(m_file, key, {}));
    const std::array trusted{SecretKey::generate().publicKey(), key.publicKey()};
    const auto verified = verifyFile(m_file, trusted);
    QVERIFY(verified);
    QCOMPARE(bytes(verified->signerText()), bytes("key " + key.publicKey().idText()));
}

void TestTrust::missingSignatureSaysHowToSign() {
    const std::array trusted{SecretKey::generate().publicKey()};
    const auto verified = verifyFile(m_file, trusted);
    QVERIFY(!verified);
    QCOMPARE(verified.error().kind, ErrorKind::denied);
    QVERIFY(bytes(verified.error().message).contains("not signed"));
    QVERIFY(bytes(verified.error().hint).contains("signalboxctl sign"));
}

void TestTrust::untrustedSignerIsNamed() {
    const auto key = SecretKey::generate();
    QVERIFY(signFile(m_file, key, {}));
    const std::array trusted{SecretKey::generate().publicKey()};
    const auto verified = verifyFile(m_file, trusted);
    QVERIFY(!verified);
    QVERIFY(bytes(verified.error().message).contains(bytes(key.publicKey().idText())));
    QVERIFY(bytes(verified.error().message).contains(bytes(trusted[0].idText())));
}

void TestTrust::changedContentNamesTheFile() {
    const auto key = SecretKey::generate();
    QVERIFY(signFile(m_file, key, {}));
    QVERIFY(writeFileAtomic(m_file, "{ }\n"));
    const std::array trusted{key.publicKey()};
    const auto verified = verifyFile(m_file, trusted);
    QVERIFY(!verified);
    QCOMPARE(bytes(verified.error().where), bytes(m_file.string()));
    QVERIFY(bytes(verified.error().message).contains("content"));
}

void TestTrust::damagedSignatureIsLocated() {
    const auto key = SecretKey::generate();
    QVERIFY(signFile(m_file, key, {}));
    QVERIFY(writeFileAtomic(signatureFileOf(m_file), "not a signature\n"));
    const std::array trusted{key.publicKey()};
    const auto verified = verifyFile(m_file, trusted);
    QVERIFY(!verified);
    QCOMPARE(verified.error().kind, ErrorKind::badInput);
    QCOMPARE(bytes(verified.error().where), bytes(signatureFileOf(m_file).string() + ":1:1"));
}

void TestTrust::badTrustedKeyIsLocated() {
    const std::array files{m_file};
    const auto keys = readTrustedKeys(files);
    QVERIFY(!keys);
    QCOMPARE(bytes(keys.error().where), bytes(m_file.string() + ":1:1"));
    const std::array missing{std::filesystem::path("/no/such/key.pub")};
    QCOMPARE(readTrustedKeys(missing).error().kind, ErrorKind::notFound);
}

void TestTrust::unwritableFolderLeavesNothing() {
    const auto folder = std::filesystem::path(m_folder->path().toStdString()) / "routing-table.json.minisig";
    std::filesystem::create_directory(folder);
    const auto path = signFile(m_file, SecretKey::generate(), {});
    QVERIFY(!path);
    QVERIFY(std::filesystem::is_empty(folder));
}

void TestTrust::otherContentThanWasReadIsNotSigned() {
    const auto key = SecretKey::generate();
    const auto refused = signFile(m_file, key, {}, sha256Hex("{ }\n"));
    QVERIFY(!refused && refused.error().kind == ErrorKind::conflict && !refused.error().hint.empty());
    QCOMPARE(bytes(refused.error().where), bytes(m_file.string()));
    QVERIFY(!std::filesystem::exists(signatureFileOf(m_file)));
    QVERIFY(signFile(m_file, key, {}, sha256Hex("{}\n")));
}

QTEST_APPLESS_MAIN(TestTrust)
#include "tst_trust.moc"
