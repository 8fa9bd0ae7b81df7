// SPDX-License-Identifier: MIT
#include "router/evidence/frame.h"

#include <QTest>

using namespace signalbox::evidence;

// Journals outlive the version that wrote them, and the library that adds up.
class FrameTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void checkSumsAreTheStandardOnes_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<quint32>("castagnoli");
        QTest::addColumn<quint32>("gzip");
        QTest::newRow("nothing") << QByteArray() << quint32{0} << quint32{0};
        QTest::newRow("the usual nine digits") << QByteArray("123456789") << quint32{0xe3069283} << quint32{0xcbf43926};
        // Castagnoli's: RFC 3720, B.4
        QTest::newRow("32 zeros") << QByteArray(32, '\0') << quint32{0x8a9136aa} << quint32{0x190a55ad};
        QTest::newRow("32 ones") << QByteArray(32, '\xff') << quint32{0x62a8ab43} << quint32{0xff6cab0b};
    }
    void checkSumsAreTheStandardOnes() {
        QFETCH(QByteArray, bytes);
        QFETCH(quint32, castagnoli);
        QFETCH(quint32, gzip);
        const std::string_view payload(bytes.constData(), static_cast<std::size_t>(bytes.size()));
        QCOMPARE(sumOf(payload, FrameKind::stored), castagnoli);
        QCOMPARE(sumOf(payload, FrameKind::record), gzip);
        QCOMPARE(sumOf(payload, FrameKind::event), gzip);
    }

    // The library takes another way for short texts, for what begins at an odd address, and for what the processor can.
    void everyLengthAndPlaceHasItsSum() {
        std::string bytes(600, '\0');
        unsigned next = 1;
        for (char& byte : bytes) byte = static_cast<char>((next = next * 1664525 + 1013904223) >> 24);
        for (std::size_t at = 0; at < 17; ++at)
            for (std::size_t length = 0; at + length < bytes.size(); length += 7) {
                const std::string_view payload = std::string_view(bytes).substr(at, length);
                QCOMPARE(sumOf(payload, FrameKind::stored), bitByBit(payload, 0x82f63b78));
                QCOMPARE(sumOf(payload, FrameKind::record), bitByBit(payload, 0xedb88320));
            }
    }

    void aBitThatFlippedIsSeen() {
        for (const FrameKind kind : {FrameKind::record, FrameKind::event, FrameKind::stored}) {
            std::string frame;
            appendFrame(frame, "a payload that is longer than sixteen bytes", kind);
            QVERIFY(readFrame(frame).has_value());
            for (std::size_t at = kFrameHeaderBytes; at < frame.size(); ++at) {
                frame[at] ^= 4;
                QVERIFY(!readFrame(frame));
                frame[at] ^= 4;
            }
        }
    }

private:
    static quint32 sumOf(std::string_view payload, FrameKind kind) {
        std::string frame;
        appendFrame(frame, payload, kind);
        return readFrameHeader(frame).value().crc;
    }
    /// By its definition; the polynomial is reflected.
    static quint32 bitByBit(std::string_view payload, quint32 polynomial) {
        quint32 sum = 0xffffffff;
        for (const char byte : payload) {
            sum ^= static_cast<unsigned char>(byte);
            for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? polynomial : 0);
        }
        return ~sum;
    }
};

QTEST_APPLESS_MAIN(FrameTest)
#include "tst_frame.moc"
