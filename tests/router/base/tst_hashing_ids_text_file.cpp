// SPDX-License-Identifier: MIT
#include "router/base/file.h"
#include "router/base/finding.h"
#include "router/base/hashing.h"
#include "router/base/ids.h"
#include "router/base/text.h"
#include "tests/support/fakes.h"

#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace signalbox;
namespace fs = std::filesystem;

class BaseTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sha256OfKnownTexts();
    void hex();
    void constantTimeComparison();
    void idsNameTheirTimeAndSortByIt();
    void idTextForm();
    void randomIsUniformAndSeeded();
    void trimming();
    void nearestNames();
    void utf8_data();
    void utf8();
    void eliding();
    void noSecretOfAUrlIsShown();
    void isoTimes_data();
    void isoTimes();
    void isoRoundTrip();
    void readingFiles();
    void unreadableFile();
    void writingIsAtomic();
    void writingKeepsALink();
    void writingKeepsRights();
    void writingKeepsOwnerAndGroup();
    void writingReplacesRegularFilesOnly();
    void changedFileIsNotOverwritten();
    void writingWhereItCannot();
    void errorText();
    void findingText();
};

static QString q(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }
static fs::path pathOf(const QTemporaryDir& folder) { return folder.path().toStdString(); }

// Values of FIPS 180-4.
void BaseTest::sha256OfKnownTexts() {
    QCOMPARE(q(sha256Hex("")), QStringLiteral("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    QCOMPARE(q(sha256Hex("abc")), QStringLiteral("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    // Longer than a block, and many times on one thread, whose context is kept.
    for (int i = 0; i < 3; ++i)
        QCOMPARE(q(sha256Hex(std::string(1000000, 'a'))),
                 QStringLiteral("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
}

void BaseTest::hex() {
    const std::vector<std::uint8_t> bytes{0x00, 0x7f, 0xa0, 0xff};
    QCOMPARE(q(toHex(bytes)), QStringLiteral("007fa0ff"));
    QVERIFY(fromHex("007FA0ff") == bytes && fromHex("") == std::vector<std::uint8_t>());
    QVERIFY(!fromHex("0") && !fromHex("0g") && !fromHex(" 0"));
}

void BaseTest::constantTimeComparison() {
    const Sha256 digest = sha256("secret");
    QVERIFY(constantTimeEqual(digest, sha256("secret")));
    for (std::size_t i = 0; i < digest.size(); ++i) {
        Sha256 other = digest;
        other[i] ^= 1;
        QVERIFY2(!constantTimeEqual(digest, other), qPrintable(QString::number(i)));
    }
}

void BaseTest::idsNameTheirTimeAndSortByIt() {
    FastRandom random(7);
    test::ManualClock clock;
    std::string previous;
    for (int i = 0; i < 1000; ++i) {
        const auto id = DecisionId::make(clock.now(), random);
        QVERIFY(id.time() == std::chrono::floor<std::chrono::milliseconds>(clock.now()));
        QVERIFY(previous < id.text());
        previous = id.text();
        clock.advance(std::chrono::milliseconds(1));
    }
    QVERIFY(DecisionId::make(clock.now(), random) != DecisionId::make(clock.now(), random));
}

void BaseTest::idTextForm() {
    FastRandom random(8);
    const auto id = DecisionId::make(test::ManualClock().now(), random);
    const std::string text = id.text();
    QCOMPARE(text.size(), std::size_t{36});
    QVERIFY(text.starts_with("rtd_") && DecisionId::parse(text) == id && !id.isNull());
    QVERIFY(DecisionId().isNull());
    for (const std::string& wrong : {text.substr(1), text + "0", "RTD_" + text.substr(4), std::string("rtd_") + std::string(32, 'g'),
                                     std::string("rtd_") + std::string(32, 'A'), std::string()})
        QVERIFY2(!DecisionId::parse(wrong), wrong.c_str());
}

void BaseTest::randomIsUniformAndSeeded() {
    FastRandom one(42), same(42), other(43);
    const std::uint64_t first = one.next();
    QCOMPARE(same.next(), first);
    QVERIFY(other.next() != first);
    double sum = 0;
    for (int i = 0; i < 100'000; ++i) {
        const double unit = one.unit();
        QVERIFY(unit >= 0 && unit < 1);
        sum += unit;
    }
    QVERIFY(std::abs(sum / 100'000 - 0.5) < 0.01);
    std::array<std::byte, 13> bytes{};
    one.fill(bytes);
    QVERIFY(std::count(bytes.begin(), bytes.end(), std::byte{}) < 5);
}

void BaseTest::trimming() {
    QCOMPARE(q(trimmed(" \t a b\t ")), QStringLiteral("a b"));
    QCOMPARE(q(trimmed(" \t ")), QString());
    QCOMPARE(q(asciiLower("Short ÄB")), QStringLiteral("short Äb"));
}

void BaseTest::nearestNames() {
    const std::vector<std::string> known{"shadow", "active", "off", "qwen3.6-27b"};
    QVERIFY(nearestName("shadw", known) == "shadow");
    QVERIFY(nearestName("ACTIVE", known) == "active");
    QVERIFY(nearestName("qwen", known) == "qwen3.6-27b");
    QVERIFY(!nearestName("xyzzy", known) && !nearestName("shadow", {}));
    QCOMPARE(nearNames("offf", known, 1).size(), std::size_t{1});
}

void BaseTest::utf8_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("valid");
    const auto row = [](const char* name, QByteArray bytes, int valid) { QTest::newRow(name) << bytes << valid; };
    row("empty", "", 0);
    row("one to four bytes", "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x9a\x82", 10);
    row("lone continuation", "a\x80", 1);
    row("overlong", "\xc0\xaf", 0);
    row("surrogate", "x\xed\xa0\x80", 1);
    row("beyond U+10FFFF", "\xf4\x90\x80\x80", 0);
    row("cut sequence", "ab\xe2\x82", 2);
}

void BaseTest::utf8() {
    QFETCH(QByteArray, bytes);
    QFETCH(int, valid);
    QCOMPARE(validUtf8Prefix(bytes.toStdString()), static_cast<std::size_t>(valid));
    QCOMPARE(isValidUtf8(bytes.toStdString()), valid == bytes.size());
}

void BaseTest::eliding() {
    QCOMPARE(q(elided("abc", 3)), QStringLiteral("abc"));
    QCOMPARE(q(elided("abcd", 3)), QStringLiteral("abc…"));
    QCOMPARE(q(elided("a€€", 3)), QStringLiteral("a…"));
}

void BaseTest::noSecretOfAUrlIsShown() {
    const auto shown = [](const char* url) { return q(shownUrl(url)); };
    QCOMPARE(shown("http://gw.example:3128/v1"), QStringLiteral("http://gw.example:3128/v1"));
    QCOMPARE(shown("gw.example:38082"), QStringLiteral("gw.example:38082"));
    QCOMPARE(shown("http://ada:secret@gw.example/v1"), QStringLiteral("http://…@gw.example/v1"));
    QCOMPARE(shown("ada:secret@gw.example"), QStringLiteral("…@gw.example"));
    QCOMPARE(shown("https://gw.example/v1?key=secret#more"), QStringLiteral("https://gw.example/v1?…"));
    // Nobody can tell where such a password ends.
    QCOMPARE(shown("http://ada:sec/ret@gw.example"), QStringLiteral("http://…"));
    QCOMPARE(shown("http://ada:sec?ret@gw.example"), QStringLiteral("http://…"));
    QCOMPARE(shown(""), QString());
    // A "://" further on is not the scheme's.
    QCOMPARE(shown("ada:planted@gw.example?next=http://x"), QStringLiteral("…@gw.example?…"));
    QCOMPARE(shown("gw.example/v1?key=SECRET&u=http://x"), QStringLiteral("gw.example/v1?…"));
    QCOMPARE(shown("ada:sec://ret@gw"), QStringLiteral("…"));
    QCOMPARE(shown("://ada:planted@gw"), QStringLiteral("…"));
    QCOMPARE(shown("1a://ada:planted@gw"), QStringLiteral("…"));
    QCOMPARE(shown("HTTP+x.1-2://ada:planted@gw"), QStringLiteral("HTTP+x.1-2://…@gw"));
    // An @ that was written as its code.
    QCOMPARE(shown("https://ada:planted%40gw.example"), QStringLiteral("https://…@gw.example"));
    QCOMPARE(shown("https://ada:plan/ted%40gw.example"), QStringLiteral("https://…"));
    QCOMPARE(shown("https://ada%40corp:planted@gw.example/v1"), QStringLiteral("https://…@gw.example/v1"));
}

void BaseTest::isoTimes_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("micros");  // -1: refused
    const auto row = [](const char* text, qint64 micros) { QTest::newRow(text) << QString::fromLatin1(text) << micros; };
    row("1970-01-01T00:00:00Z", 0);
    row("2026-11-29T12:49:09+00:00", 1'795'956'549'000'000);
    row("2026-11-29T14:49:09.25+02:00", 1'795'956'549'250'000);
    row("2026-11-29T07:19:09.1234567-05:30", 1'795'956'549'123'456);
    row("2024-02-29T00:00:00Z", 1'709'164'800'000'000);
    row("2023-02-29T00:00:00Z", -1);
    row("2026-13-01T00:00:00Z", -1);
    row("2026-11-29T24:00:00Z", -1);
    row("2026-11-29T12:60:00Z", -1);
    row("2026-11-29T12:49:09", -1);
    row("2026-11-29 12:49:09Z", -1);
    row("2026-11-29T12:49:09.Z", -1);
    row("2026-11-29T12:49:09Z ", -1);
    row("2026-11-29T12:49:09+0000", -1);
    row("2026-11-29", -1);
    row("yesterday", -1);
    row("", -1);
}

void BaseTest::isoTimes() {
    QFETCH(QString, text);
    QFETCH(qint64, micros);
    const auto at = parseIso8601(text.toStdString());
    QCOMPARE(at ? static_cast<qint64>(at->time_since_epoch().count()) : qint64{-1}, micros);
}

void BaseTest::isoRoundTrip() {
    const Timestamp at(std::chrono::microseconds(1'795'956'549'000'123));
    QCOMPARE(q(toIso8601(at)), QStringLiteral("2026-11-29T12:49:09.000123Z"));
    QVERIFY(parseIso8601(toIso8601(at)) == at);
}

void BaseTest::readingFiles() {
    QTemporaryDir folder;
    const auto path = pathOf(folder) / "a.json";
    std::ofstream(path) << "twelve bytes";
    QCOMPARE(q(*readFile(path, 12)), QStringLiteral("twelve bytes"));
    const auto large = readFile(path, 11);
    QVERIFY(!large && large.error().kind == ErrorKind::badInput && large.error().where == path.string());
    const auto missing = readFile(pathOf(folder) / "none", 12);
    QVERIFY(!missing && missing.error().kind == ErrorKind::notFound);
    const auto directory = readFile(pathOf(folder), 12);
    QVERIFY(!directory && directory.error().message.find("folder") != std::string::npos);
}

void BaseTest::unreadableFile() {
    if (::geteuid() == 0) QSKIP("root may read every file");
    QTemporaryDir folder;
    const auto path = pathOf(folder) / "a.json";
    std::ofstream(path) << "x";
    fs::permissions(path, fs::perms::none);
    const auto denied = readFile(path, 12);
    QVERIFY(!denied && denied.error().kind == ErrorKind::denied && !denied.error().hint.empty());
}

void BaseTest::writingIsAtomic() {
    QTemporaryDir folder;
    const auto path = pathOf(folder) / "table.json";
    QVERIFY(writeFileAtomic(path, "one", {.mode = 0600}).has_value());
    QCOMPARE(static_cast<unsigned>(fs::status(path).permissions()), 0600U);
    QVERIFY(writeFileAtomic(path, "two").has_value());
    QCOMPARE(q(*readFile(path, 12)), QStringLiteral("two"));
    // No temporary file is left, neither after success nor after a refusal.
    QVERIFY(!writeFileAtomic(path, "three", {.expectedSha256 = sha256Hex("one")}));
    QCOMPARE(std::distance(fs::directory_iterator(pathOf(folder)), {}), std::ptrdiff_t{1});
}

void BaseTest::writingKeepsALink() {
    QTemporaryDir folder;
    const auto link = pathOf(folder) / "link.json";
    std::ofstream(pathOf(folder) / "real.json") << "one";
    fs::create_symlink("real.json", link);
    QVERIFY(writeFileAtomic(link, "two").has_value());
    QVERIFY(fs::is_symlink(link));
    QCOMPARE(q(*readFile(pathOf(folder) / "real.json", 12)), QStringLiteral("two"));
}

void BaseTest::writingKeepsRights() {
    QTemporaryDir folder;
    const auto path = pathOf(folder) / "gateway.toml";
    const auto rights = [&] { return static_cast<unsigned>(fs::status(path).permissions()); };
    QVERIFY(writeFileAtomic(path, "one").has_value());
    QCOMPARE(rights(), 0644U);
    for (const unsigned mode : {0600U, 0640U, 0664U}) {
        fs::permissions(path, static_cast<fs::perms>(mode));
        QVERIFY(writeFileAtomic(path, "two").has_value());
        QCOMPARE(rights(), mode);
    }
    QVERIFY(writeFileAtomic(path, "three", {.mode = 0600}).has_value());
    QCOMPARE(rights(), 0600U);
}

/// As root, which edits what a service reads by its group.
void BaseTest::writingKeepsOwnerAndGroup() {
    if (::geteuid() != 0) QSKIP("only root gives files away");
    QTemporaryDir folder;
    const auto path = pathOf(folder) / "gateway.toml";
    std::ofstream(path) << "one";
    fs::permissions(path, static_cast<fs::perms>(0640));
    QCOMPARE(::chown(path.c_str(), 65534, 65533), 0);
    QVERIFY(writeFileAtomic(path, "two").has_value());
    struct stat info {};
    QCOMPARE(::stat(path.c_str(), &info), 0);
    QCOMPARE(info.st_uid, uid_t{65534});
    QCOMPARE(info.st_gid, gid_t{65533});
    QCOMPARE(info.st_mode & 0777U, 0640U);
}

void BaseTest::writingReplacesRegularFilesOnly() {
    QTemporaryDir folder;
    const auto pipe = pathOf(folder) / "pipe", link = pathOf(folder) / "link";
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    fs::create_symlink("pipe", link);
    for (const auto& path : {pipe, link}) {
        const auto written = writeFileAtomic(path, "x");
        QVERIFY(!written && written.error().kind == ErrorKind::badInput && !written.error().hint.empty());
        QVERIFY(written.error().message.find("not a regular file") != std::string::npos);
        QVERIFY(fs::is_fifo(path));
    }
    QCOMPARE(std::distance(fs::directory_iterator(pathOf(folder)), {}), std::ptrdiff_t{2});
}

/// F85: what somebody else wrote is never overwritten.
void BaseTest::changedFileIsNotOverwritten() {
    QTemporaryDir folder;
    const auto path = pathOf(folder) / "table.json";
    QVERIFY(writeFileAtomic(path, "mine", {.expectedSha256 = ""}).has_value());
    const auto exists = writeFileAtomic(path, "again", {.expectedSha256 = ""});
    QVERIFY(!exists && exists.error().kind == ErrorKind::conflict);
    std::ofstream(path) << "theirs";
    const auto changed = writeFileAtomic(path, "again", {.expectedSha256 = sha256Hex("mine")});
    QVERIFY(!changed && changed.error().kind == ErrorKind::conflict && !changed.error().hint.empty());
    QCOMPARE(q(*readFile(path, 12)), QStringLiteral("theirs"));
    QVERIFY(writeFileAtomic(path, "again", {.expectedSha256 = sha256Hex("theirs")}).has_value());
    fs::remove(path);
    QVERIFY(!writeFileAtomic(path, "again", {.expectedSha256 = sha256Hex("again")}));
}

void BaseTest::writingWhereItCannot() {
    QTemporaryDir folder;
    const auto nowhere = writeFileAtomic(pathOf(folder) / "no/such/file", "x");
    QVERIFY(!nowhere && nowhere.error().kind == ErrorKind::notFound);
    const auto directory = writeFileAtomic(pathOf(folder), "x");
    QVERIFY(!directory && directory.error().kind == ErrorKind::badInput);
}

void BaseTest::errorText() {
    QCOMPARE(q((Error{ErrorKind::badInput, "it is wrong", "a.json:3:4", "Mend it."}.text())),
             QStringLiteral("a.json:3:4: it is wrong. Mend it."));
    QCOMPARE(q((Error{ErrorKind::internal, "it is wrong", {}, {}}.text())), QStringLiteral("it is wrong"));
}

void BaseTest::findingText() {
    const Finding finding{Severity::warning, "unlisted_role", "/presets/4/role", {58, 15}, "unlisted", "Use another."};
    QCOMPARE(q(finding.text("t.json")),
             QStringLiteral("t.json:58:15: warning: unlisted (/presets/4/role) [unlisted_role] Use another."));
    QVERIFY(!hasErrors({finding}));
}

QTEST_APPLESS_MAIN(BaseTest)
#include "tst_hashing_ids_text_file.moc"
