// SPDX-License-Identifier: MIT
#include "router/upstream/sse_reader.h"

#include <QTest>
#include <vector>

using namespace signalbox::upstream;
using namespace std::string_literals;

namespace {

std::vector<SseEvent> drain(SseReader& reader) {
    std::vector<SseEvent> events;
    while (auto event = reader.next()) events.push_back(std::move(*event));
    return events;
}

/// A stream with everything that servers do: three line ends, no space, two data lines, comments, CJK, an emoji.
std::string fixture() {
    return "\xEF\xBB\xBF"
           "data: {\"a\":\"h\xC3\xA9llo\"}\n\n"
           "data:{\"b\":\"\xE4\xBF\xA1\xE5\x8F\xB7\"}\r\n\r\n"
           ": heartbeat\n\n"
           "event: note\rdata: one\rdata: two\r\r"
           "id: 7\nretry: 10\nunknown: x\ndata:  \xF0\x9F\x9A\x82 two spaces\n\n"
           "\n\n"
           "data\n\n"
           "data: [DONE]\r\n\r\n"s;
}

std::vector<SseEvent> expected() {
    return {{"", "{\"a\":\"h\xC3\xA9llo\"}", ""},
            {"", "{\"b\":\"\xE4\xBF\xA1\xE5\x8F\xB7\"}", ""},
            {"", "", "heartbeat"},
            {"note", "one\ntwo", ""},
            {"", " \xF0\x9F\x9A\x82 two spaces", ""},
            {"", "[DONE]", ""}};
}

}  // namespace

class TestSseReader : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsWhole();
    void F14_F15_everySplitPoint();
    void F14_everyPairOfSplitPoints();
    void F14_byteByByte();
    void F14_deliversAtOnceAfterCarriageReturn();
    void F14_boundsOneEvent_data();
    void F14_boundsOneEvent();
    void eventsOfAnyNumberMayPass();
    void unterminatedEventIsTheRest();
    void framesForAClient_data();
    void framesForAClient();
};

void TestSseReader::readsWhole() {
    SseReader reader;
    QVERIFY(reader.feed(fixture()));
    QVERIFY(drain(reader) == expected());
}

void TestSseReader::F14_F15_everySplitPoint() {
    const std::string all = fixture();
    for (std::size_t at = 0; at <= all.size(); ++at) {
        SseReader reader;
        QVERIFY(reader.feed(all.substr(0, at)));
        QVERIFY(reader.feed(all.substr(at)));
        QVERIFY2(drain(reader) == expected(), qPrintable(QString::number(at)));
    }
}

void TestSseReader::F14_everyPairOfSplitPoints() {
    const std::string all = fixture();
    for (std::size_t a = 0; a <= all.size(); ++a)
        for (std::size_t b = a; b <= all.size(); ++b) {
            SseReader reader;
            QVERIFY(reader.feed(all.substr(0, a)));
            QVERIFY(reader.feed(all.substr(a, b - a)));
            QVERIFY(reader.feed(all.substr(b)));
            if (drain(reader) != expected()) QFAIL(qPrintable(QStringLiteral("%1 %2").arg(a).arg(b)));
        }
}

void TestSseReader::F14_byteByByte() {
    SseReader reader;
    std::vector<SseEvent> events;
    for (const char byte : fixture()) {
        QVERIFY(reader.feed({&byte, 1}));
        while (auto event = reader.next()) events.push_back(std::move(*event));
    }
    QVERIFY(events == expected());
}

void TestSseReader::F14_deliversAtOnceAfterCarriageReturn() {
    // The LF may come late or never; the event must not wait for it.
    SseReader reader;
    QVERIFY(reader.feed("data: x\r\n\r"));
    QCOMPARE(drain(reader).size(), std::size_t{1});
    QVERIFY(reader.feed("\ndata: y\r\n\r\n"));
    const std::vector<SseEvent> rest = drain(reader);
    QCOMPARE(rest.size(), std::size_t{1});
    QCOMPARE(rest[0].data, "y"s);
}

void TestSseReader::F14_boundsOneEvent_data() {
    QTest::addColumn<QByteArray>("piece");
    QTest::newRow("one endless line") << QByteArray("x");
    QTest::newRow("endless data lines") << QByteArray("data: x\n");
    QTest::newRow("endless comment") << QByteArray(": x\n");
}

void TestSseReader::F14_boundsOneEvent() {
    QFETCH(QByteArray, piece);
    SseReader reader(1000);
    bool open = true;
    for (int i = 0; i < 2000 && open; ++i) open = reader.feed(piece.toStdString());
    QVERIFY(!open);
}

void TestSseReader::eventsOfAnyNumberMayPass() {
    SseReader reader(100);
    for (int i = 0; i < 1000; ++i) {
        QVERIFY(reader.feed("data: twenty bytes of it\n\n"));
        QCOMPARE(drain(reader).size(), std::size_t{1});
    }
}

void TestSseReader::unterminatedEventIsTheRest() {
    SseReader reader;
    QVERIFY(reader.feed("data: a\n\ndata: [DONE]"));
    QCOMPARE(drain(reader).size(), std::size_t{1});
    const auto rest = reader.rest();
    QVERIFY(rest);
    QCOMPARE(rest->data, "[DONE]"s);
    QVERIFY(!reader.rest());
}

void TestSseReader::framesForAClient_data() {
    QTest::addColumn<QByteArray>("sent");
    QTest::addColumn<QByteArray>("framed");
    QTest::newRow("plain") << QByteArray("data:x\r\n\r\n") << QByteArray("data: x\n\n");
    QTest::newRow("named, two lines") << QByteArray("event:n\ndata:1\ndata:2\n\n")
                                      << QByteArray("event: n\ndata: 1\ndata: 2\n\n");
    QTest::newRow("comment") << QByteArray(":ping\n\n") << QByteArray(": ping\n\n");
}

void TestSseReader::framesForAClient() {
    QFETCH(QByteArray, sent);
    QFETCH(QByteArray, framed);
    SseReader reader;
    QVERIFY(reader.feed(sent.toStdString()));
    const auto event = reader.next();
    QVERIFY(event);
    QCOMPARE(QByteArray::fromStdString(event->framed()), framed);
}

QTEST_APPLESS_MAIN(TestSseReader)
#include "tst_sse_reader.moc"
