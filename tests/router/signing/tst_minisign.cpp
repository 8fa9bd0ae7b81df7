// SPDX-License-Identifier: MIT
#include "router/signing/minisign.h"

#include <QTest>
#include <algorithm>

using namespace signalbox;
using namespace signalbox::signing;

namespace {

const std::string kContent = "{\"schema_version\": 1}\n";
const std::string kTrusted = "signer=Ada policy=builtin-v1";

QByteArray bytes(const std::string& text) { return QByteArray::fromStdString(text); }

/// Where each part of a signature file begins.
struct Parts {
    std::size_t untrusted, signature, trusted, global;
};
Parts partsOf(const std::string& file) {
    Parts parts{};
    parts.untrusted = std::string("untrusted comment: ").size();
    parts.signature = file.find('\n') + 1;
    parts.trusted = file.find("trusted comment: ", parts.signature);
    parts.global = file.find('\n', parts.trusted) + 1;
    return parts;
}

}  // namespace

class TestMinisign : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void filesRoundTrip();
    void publicKeyAsPastedLine();
    void secretKeyUnderPassword_data();
    void secretKeyUnderPassword();
    void wrongPassword();
    void commentsStayOneLine();
    void everyFlippedBitOfTheContentIsNoticed();
    void everyFlippedBitOfTheSignatureFileIsNoticed();
    void everyFlippedBitOfThePublicKeyIsNoticed();
    void everyFlippedBitOfTheSecretKeyIsNoticed();
    void truncatedAnywhereIsRefused();
    void anotherKeyIsNamed();
    void badFiles_data();
    void badFiles();
    void trustedFactsRoundTrip();
    void trustedFactsOfStockMinisign();
};

void TestMinisign::filesRoundTrip() {
    const auto key = SecretKey::generate();
    const auto pub = parsePublicKey(key.publicKey().fileText());
    QVERIFY(pub);
    QCOMPARE(pub->key, key.publicKey().key);
    QCOMPARE(bytes(pub->fileText()), bytes(key.publicKey().fileText()));
    QVERIFY(pub->base64().starts_with("RW"));
    QCOMPARE(pub->idText().size(), std::size_t{16});

    const auto made = sign(key, kContent, kTrusted, "from a test");
    const auto read = parseSignature(made.fileText());
    QVERIFY(read);
    QCOMPARE(bytes(read->fileText()), bytes(made.fileText()));
    QVERIFY(verify(*pub, kContent, *read));
}

void TestMinisign::publicKeyAsPastedLine() {
    const auto pub = SecretKey::generate().publicKey();
    const auto read = parsePublicKey(pub.base64());
    QVERIFY(read);
    QCOMPARE(bytes(read->idText()), bytes(pub.idText()));
    const auto crlf = parsePublicKey("untrusted comment: x\r\n" + pub.base64() + "\r\n\r\n");
    QVERIFY(crlf);
    QCOMPARE(bytes(crlf->untrustedComment), QByteArray("x"));
}

void TestMinisign::secretKeyUnderPassword_data() {
    QTest::addColumn<QByteArray>("password");
    QTest::newRow("plain") << QByteArray("correct horse");
    QTest::newRow("not ASCII") << QByteArray("p\xc3\xa4ssw\xc3\xb6rd \xe2\x82\xac");
    QTest::newRow("none, as minisign -W") << QByteArray();
}

void TestMinisign::secretKeyUnderPassword() {
    QFETCH(QByteArray, password);
    const auto key = SecretKey::generate();
    const auto file = encryptSecretKey(key, password.toStdString(), KdfEffort::interactive, "");
    QVERIFY(file);
    QCOMPARE(isSecretKeyEncrypted(*file).value(), !password.isEmpty());
    const auto read = decryptSecretKey(*file, password.toStdString());
    QVERIFY(read);
    QCOMPARE(read->secret, key.secret);
    QCOMPARE(read->keyId, key.keyId);
}

void TestMinisign::wrongPassword() {
    const auto file = encryptSecretKey(SecretKey::generate(), "right", KdfEffort::interactive, "");
    const auto read = decryptSecretKey(*file, "wrong");
    QVERIFY(!read);
    QCOMPARE(read.error().kind, ErrorKind::denied);
    QVERIFY(bytes(read.error().message).contains("password"));
    QVERIFY(!bytes(read.error().text()).contains("wrong"));
}

void TestMinisign::commentsStayOneLine() {
    const auto key = SecretKey::generate();
    const auto made = sign(key, kContent, "a\nuntrusted comment: b\r\nc", std::string(5000, 'x') + "\n");
    QCOMPARE(bytes(made.trustedComment), QByteArray("a untrusted comment: b  c"));
    QVERIFY(made.untrustedComment.size() <= 1000);
    const auto read = parseSignature(made.fileText());
    QVERIFY(read);
    QVERIFY(verify(key.publicKey(), kContent, *read));
}

void TestMinisign::everyFlippedBitOfTheContentIsNoticed() {
    const auto key = SecretKey::generate();
    const auto signature = sign(key, kContent, kTrusted, "");
    for (std::size_t i = 0; i < kContent.size(); ++i) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string changed = kContent;
            changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
            const auto result = verify(key.publicKey(), changed, signature);
            QVERIFY(!result);
            QCOMPARE(bytes(result.error().message), QByteArray("the content of the file was changed after signing"));
        }
    }
    QVERIFY(!verify(key.publicKey(), kContent + " ", signature));
    QVERIFY(!verify(key.publicKey(), "", signature));
}

// Every bit of every byte of the file, so that stray base64 bits, line ends and prefixes are covered too. Only the
// text of the untrusted comment is free, as in the format.
void TestMinisign::everyFlippedBitOfTheSignatureFileIsNoticed() {
    const auto key = SecretKey::generate();
    const std::string file = sign(key, kContent, kTrusted, "free text").fileText();
    const Parts parts = partsOf(file);
    for (std::size_t i = 0; i < file.size(); ++i) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string changed = file;
            changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
            const auto read = parseSignature(changed);
            const auto result = read ? verify(key.publicKey(), kContent, *read) : tl::unexpected(read.error());
            const bool free = i >= parts.untrusted && i + 1 < parts.signature && changed[i] != '\n';
            QVERIFY2(result.has_value() == free, qPrintable(QStringLiteral("byte %1 bit %2").arg(i).arg(bit)));
            if (free || !read) continue;
            const QByteArray said = bytes(result.error().message);
            if (i >= parts.trusted)
                QCOMPARE(said, QByteArray("the trusted comment or its signature was changed after signing"));
            else
                QVERIFY2(said.contains("signature") || said.contains("signed with key"), said.constData());
        }
    }
}

void TestMinisign::everyFlippedBitOfThePublicKeyIsNoticed() {
    const auto key = SecretKey::generate();
    const auto signature = sign(key, kContent, kTrusted, "");
    const std::string line = key.publicKey().base64();
    for (std::size_t i = 0; i < line.size(); ++i) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string changed = line;
            changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
            const auto read = parsePublicKey(changed);
            QVERIFY(!read || !verify(*read, kContent, signature));
        }
    }
}

void TestMinisign::everyFlippedBitOfTheSecretKeyIsNoticed() {
    const auto file = encryptSecretKey(SecretKey::generate(), "", KdfEffort::interactive, "");
    const std::size_t begin = file->find('\n') + 1;
    // Salt and limits are unused in an unencrypted key, so only what comes after them (byte 54 is character 72).
    for (std::size_t i = begin + 72; i + 1 < file->size(); ++i) {
        std::string changed = *file;
        changed[i] = static_cast<char>(changed[i] ^ 4);
        QVERIFY2(!decryptSecretKey(changed, ""), qPrintable(QString::number(i)));
    }
}

void TestMinisign::truncatedAnywhereIsRefused() {
    const auto key = SecretKey::generate();
    const std::string signature = sign(key, kContent, kTrusted, "").fileText();
    const std::string pub = key.publicKey().fileText();
    const std::string secret = encryptSecretKey(key, "", KdfEffort::interactive, "").value();
    // Without its last line end a file is still whole.
    for (std::size_t n = 0; n + 1 < signature.size(); ++n) QVERIFY(!parseSignature(signature.substr(0, n)));
    for (std::size_t n = 0; n + 1 < pub.size(); ++n) QVERIFY(!parsePublicKey(pub.substr(0, n)));
    for (std::size_t n = 0; n + 1 < secret.size(); ++n) QVERIFY(!decryptSecretKey(secret.substr(0, n), ""));
}

void TestMinisign::anotherKeyIsNamed() {
    const auto signer = SecretKey::generate();
    const auto other = SecretKey::generate().publicKey();
    const auto result = verify(other, kContent, sign(signer, kContent, kTrusted, ""));
    QVERIFY(!result);
    QVERIFY(bytes(result.error().message).contains(bytes(signer.publicKey().idText())));
    QVERIFY(bytes(result.error().message).contains(bytes(other.idText())));
    auto impostor = other;
    impostor.keyId = signer.keyId;
    QVERIFY(!verify(impostor, kContent, sign(signer, kContent, kTrusted, "")));
}

void TestMinisign::badFiles_data() {
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("where");
    QTest::addColumn<QByteArray>("says");
    const auto key = SecretKey::generate();
    const auto pub = bytes(key.publicKey().fileText());
    const auto secret = bytes(encryptSecretKey(key, "", KdfEffort::interactive, "").value());
    const auto signature = bytes(sign(key, kContent, kTrusted, "").fileText());
    const QByteArray comment("untrusted comment: x\n");

    QTest::newRow("public: empty") << QByteArray("pub") << QByteArray() << QByteArray("1") << QByteArray("empty");
    QTest::newRow("public: JSON") << QByteArray("pub") << QByteArray("{\n}\n") << QByteArray("1:1") << QByteArray("untrusted comment");
    QTest::newRow("public: bad base64") << QByteArray("pub") << comment + "RWTR!S6aSvWJ\n" << QByteArray("2:5") << QByteArray("base64");
    QTest::newRow("public: a secret key") << QByteArray("pub") << secret << QByteArray("2") << QByteArray("secret key");
    QTest::newRow("public: a signature") << QByteArray("pub") << signature << QByteArray("2") << QByteArray("minisign signature");
    QTest::newRow("public: two keys") << QByteArray("pub") << pub + pub << QByteArray("3") << QByteArray("more text");
    QTest::newRow("secret: empty") << QByteArray("key") << QByteArray() << QByteArray("1") << QByteArray("ends before");
    QTest::newRow("secret: comment only") << QByteArray("key") << comment << QByteArray("2") << QByteArray("ends before");
    QTest::newRow("secret: a public key") << QByteArray("key") << pub << QByteArray("2") << QByteArray("public key");
    QTest::newRow("secret: bad base64") << QByteArray("key") << comment + "RWRT*\n" << QByteArray("2:5") << QByteArray("base64");
    QTest::newRow("secret: short") << QByteArray("key") << comment + "RWRT\n" << QByteArray("2") << QByteArray("3 bytes");
    QTest::newRow("signature: a key") << QByteArray("sig") << pub << QByteArray("2") << QByteArray("public key");
    QTest::newRow("signature: no trusted comment")
        << QByteArray("sig") << signature.left(signature.indexOf("\ntrusted") + 1) << QByteArray("3") << QByteArray("trusted comment");
    QTest::newRow("signature: more text") << QByteArray("sig") << signature + "more\n" << QByteArray("5") << QByteArray("more text");
}

void TestMinisign::badFiles() {
    QFETCH(QByteArray, kind);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, where);
    QFETCH(QByteArray, says);
    Result<void> result;
    if (kind == "pub") result = parsePublicKey(text.toStdString()).map([](const auto&) {});
    else if (kind == "key") result = decryptSecretKey(text.toStdString(), "").map([](const auto&) {});
    else result = parseSignature(text.toStdString()).map([](const auto&) {});
    QVERIFY(!result);
    QCOMPARE(result.error().kind, ErrorKind::badInput);
    QCOMPARE(bytes(result.error().where), where);
    QVERIFY2(bytes(result.error().message).contains(says), result.error().message.c_str());
    QVERIFY(!result.error().hint.empty());
}

void TestMinisign::trustedFactsRoundTrip() {
    const TrustedFacts facts{"Ada Lovelace <ada@example.org>", "builtin-v1 = 100 %", std::string(64, 'a'),
                             "r\xc3\xb6uting table.json", "2026-11-29T17:10:39.000000Z"};
    const std::string text = writeTrustedFacts(facts);
    QVERIFY(std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; }));
    const auto read = parseTrustedFacts(text);
    QCOMPARE(bytes(read.signer), bytes(facts.signer));
    QCOMPARE(bytes(read.policyVersion), bytes(facts.policyVersion));
    QCOMPARE(bytes(read.tableSha256), bytes(facts.tableSha256));
    QCOMPARE(bytes(read.fileName), bytes(facts.fileName));
    QCOMPARE(bytes(read.at), bytes(facts.at));
    QCOMPARE(bytes(parseTrustedFacts("hello there").signer), QByteArray());
}

void TestMinisign::trustedFactsOfStockMinisign() {
    const auto facts = parseTrustedFacts("timestamp:1764436239\tfile:routing table.json\thashed");
    QCOMPARE(bytes(facts.fileName), QByteArray("routing table.json"));
    QVERIFY(bytes(facts.at).startsWith("2025-11-29T17:10:39"));
    QVERIFY(facts.signer.empty());
    QVERIFY(parseTrustedFacts("timestamp:99999999999999999999").at.empty());
}

QTEST_APPLESS_MAIN(TestMinisign)
#include "tst_minisign.moc"
