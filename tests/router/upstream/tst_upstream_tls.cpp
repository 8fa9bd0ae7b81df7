// SPDX-License-Identifier: MIT
// Whom an upstream's certificate convinces. A key is sent to nobody else: of every refusal the upstream saw no request.
#include "tests/router/upstream/adapter_harness.h"

#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <memory>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

using namespace signalbox;
using namespace signalbox::dispatch;
using namespace signalbox::test;

class TestUpstreamTls : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void certificates_data();
    void certificates();
    void caFileThatCannotBeUsed_data();
    void caFileThatCannotBeUsed();
    void wordsNameWhatIsWrong();
    void aConnectionIsKept();
    void whatComesBehindAnAnswerAnswersNothing();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

constexpr long kDay = 24 * 3600;

struct Wish {
    std::string names = "DNS:localhost,IP:127.0.0.1";
    long validFrom = -kDay, validTo = kDay;  ///< seconds from now
    bool selfSigned = false;
    bool forServers = true;
};

void addExtension(X509* certificate, int id, const std::string& value) {
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, id, value.c_str());
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

Certificate makeCertificate(EVP_PKEY* key, const std::string& subject, const Wish& wish, X509* issuer, EVP_PKEY* issuerKey) {
    Certificate made(X509_new(), X509_free);
    X509_set_version(made.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), issuer == nullptr ? 1 : 2);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), wish.validFrom);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), wish.validTo);
    X509_set_pubkey(made.get(), key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(subject.c_str()), -1, -1, 0);
    X509_set_issuer_name(made.get(), issuer == nullptr ? X509_get_subject_name(made.get()) : X509_get_subject_name(issuer));
    if (issuer == nullptr) addExtension(made.get(), NID_basic_constraints, "critical,CA:TRUE");
    if (!wish.names.empty()) addExtension(made.get(), NID_subject_alt_name, wish.names);
    if (!wish.forServers) addExtension(made.get(), NID_ext_key_usage, "clientAuth");
    X509_sign(made.get(), issuerKey, EVP_sha256());
    return made;
}

bool writePem(const std::filesystem::path& file, const std::function<int(BIO*)>& write) {
    BIO* out = BIO_new_file(file.c_str(), "w");
    const bool written = out != nullptr && write(out) == 1;
    BIO_free(out);
    return written;
}

const char* own() { return R"({"choices":[{"message":{"content":"hi"}}]})"; }

/// An authority and a server's certificate of one's wishes; a self-signed one is its own authority.
std::optional<TlsFiles> make(const std::filesystem::path& folder, const Wish& wish) {
    const Key authorityKey(EVP_EC_gen("P-256"), EVP_PKEY_free), key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const Certificate authority = makeCertificate(authorityKey.get(), "Throw-away authority", {""}, nullptr, authorityKey.get());
    const Certificate server = wish.selfSigned ? makeCertificate(key.get(), "localhost", wish, nullptr, key.get())
                                               : makeCertificate(key.get(), "localhost", wish, authority.get(), authorityKey.get());
    const TlsFiles files{folder / "server.pem", folder / "server.key", folder / "ca.pem"};
    X509* const trusted = wish.selfSigned ? server.get() : authority.get();
    const bool written = writePem(files.certificate, [&](BIO* out) { return PEM_write_bio_X509(out, server.get()); }) &&
                         writePem(files.key, [&](BIO* out) {
                             return PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
                         }) &&
                         writePem(files.authority, [&](BIO* out) { return PEM_write_bio_X509(out, trusted); });
    return written ? std::optional(files) : std::nullopt;
}

}  // namespace

void TestUpstreamTls::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void TestUpstreamTls::certificates_data() {
    QTest::addColumn<QString>("names");
    QTest::addColumn<int>("days");
    QTest::addColumn<bool>("selfSigned");
    QTest::addColumn<bool>("withCaFile");
    QTest::addColumn<QString>("host");
    QTest::addColumn<bool>("good");
    const QString both = QStringLiteral("DNS:localhost,IP:127.0.0.1");
    const auto row = [](const char* tag, const QString& names, int days, bool selfSigned, bool withCaFile, const char* host, bool good) {
        QTest::newRow(tag) << names << days << selfSigned << withCaFile << QString::fromLatin1(host) << good;
    };
    row("own authority, address", both, 1, false, true, "127.0.0.1", true);
    row("own authority, name", both, 1, false, true, "localhost", true);
    row("unknown authority", both, 1, false, false, "localhost", false);
    row("self-signed", both, 1, true, false, "localhost", false);
    row("self-signed and named as trusted", both, 1, true, true, "localhost", true);
    row("expired", both, -1, false, true, "localhost", false);
    row("not yet valid", both, 0, false, true, "localhost", false);
    row("another name", QStringLiteral("DNS:elsewhere.example"), 1, false, true, "localhost", false);
    row("name of a parent", QStringLiteral("DNS:host"), 1, false, true, "localhost", false);
    row("everything", QStringLiteral("DNS:*"), 1, false, true, "localhost", false);
    row("address in the place of a name", QStringLiteral("DNS:127.0.0.1"), 1, false, true, "127.0.0.1", false);
    row("another address", QStringLiteral("IP:127.0.0.2"), 1, false, true, "127.0.0.1", false);
    row("name alone, for an address", QStringLiteral("DNS:localhost"), 1, false, true, "127.0.0.1", false);
    row("capitals", QStringLiteral("DNS:LocalHost"), 1, false, true, "localhost", true);
}

void TestUpstreamTls::certificates() {
    QFETCH(QString, names);
    QFETCH(int, days);
    QFETCH(bool, selfSigned);
    QFETCH(bool, withCaFile);
    QFETCH(QString, host);
    QFETCH(bool, good);
    Wish wish{names.toStdString()};
    if (days < 0) wish = {names.toStdString(), -2 * kDay, -kDay};
    if (days == 0) wish = {names.toStdString(), kDay, 2 * kDay};
    wish.selfSigned = selfSigned;
    const auto files = make(m_folder->path().toStdString(), wish);
    QVERIFY(files);
    AdapterHarness harness(files);
    if (withCaFile) harness.provider.caFile = files->authority.string();
    harness.provider.baseUrl = "https://" + host.toStdString() + ":" + std::to_string(harness.upstream.port()) + "/v1";
    const AdapterAnswer answer = harness.ask(false, Reply::json(R"({"choices":[{"message":{"content":"hi"}}]})"));
    if (good) {
        QVERIFY2(!answer.atCall, answer.atCall ? answer.atCall->message.c_str() : "");
        QCOMPARE(harness.upstream.requests().at(0).header("Authorization"), std::string("Bearer ") + AdapterHarness::kKey);
        return;
    }
    QVERIFY(answer.atCall);
    QVERIFY(answer.atCall->kind == UpstreamFailure::Kind::connect);
    QCOMPARE(answer.atCall->code, std::string("connect_tls"));
    QCOMPARE(harness.upstream.requestCount(), std::size_t{0});
}

void TestUpstreamTls::caFileThatCannotBeUsed_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("missing") << QByteArray();
    QTest::newRow("no certificate in it") << QByteArray("hello\n");
    QTest::newRow("half a certificate") << QByteArray("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n");
}

/// Never the system's certificates in its place.
void TestUpstreamTls::caFileThatCannotBeUsed() {
    QFETCH(QByteArray, content);
    const std::string file = m_folder->path().toStdString() + "/own-ca.pem";
    if (!content.isEmpty()) std::ofstream(file) << content.toStdString();
    AdapterHarness harness(make(m_folder->path().toStdString(), {}));
    harness.provider.caFile = file;
    const auto adapter = harness.make();
    QVERIFY(!adapter);
    QVERIFY2(adapter.error().text().find("own-ca.pem") != std::string::npos, adapter.error().text().c_str());
}

void TestUpstreamTls::wordsNameWhatIsWrong() {
    const auto files = make(m_folder->path().toStdString(), {"DNS:localhost,IP:127.0.0.1", -2 * kDay, -kDay});
    QVERIFY(files);
    AdapterHarness harness(files);
    harness.provider.caFile = files->authority.string();
    const AdapterAnswer answer = harness.ask(false);
    QVERIFY(answer.atCall);
    QVERIFY2(answer.atCall->message.find("certificate has expired") != std::string::npos, answer.atCall->message.c_str());
}

void TestUpstreamTls::aConnectionIsKept() {
    const auto files = make(m_folder->path().toStdString(), {});
    QVERIFY(files);
    AdapterHarness harness(files);
    harness.provider.caFile = files->authority.string();
    harness.upstream.setStandingReply(Reply::json(own()));
    for (int i = 0; i < 3; ++i) QCOMPARE(QString::fromStdString(harness.ask(false).bytes()), QString::fromLatin1(own()));
    QCOMPARE(harness.upstream.connectionsAccepted(), std::size_t{1});
}

/// A record that came in one packet with the answer's: the socket has nothing to read any more, and TLS has.
void TestUpstreamTls::whatComesBehindAnAnswerAnswersNothing() {
    const auto files = make(m_folder->path().toStdString(), {});
    QVERIFY(files);
    AdapterHarness harness(files);
    harness.provider.caFile = files->authority.string();
    const auto whole = [](const std::string& body) { return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body; };
    Reply both = Reply::nothing();
    both.gather().bytes(whole(own())).bytes(whole(R"({"choices":[{"message":{"content":"another's"}}]})"));
    QCOMPARE(QString::fromStdString(harness.ask(false, std::move(both)).bytes()), QString::fromLatin1(own()));
    QCOMPARE(QString::fromStdString(harness.ask(false, Reply::json(own())).bytes()), QString::fromLatin1(own()));
    QCOMPARE(harness.upstream.connectionsAccepted(), std::size_t{2});
}

QTEST_APPLESS_MAIN(TestUpstreamTls)
#include "tst_upstream_tls.moc"
