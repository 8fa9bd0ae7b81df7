// SPDX-License-Identifier: MIT
#include "router/evidence/appending.h"
#include "router/evidence/plain_text.h"
#include "router/evidence/stored_record.h"
#include "router/evidence/sum_tables.h"
#include "tests/router/evidence/group_records.h"
#include "tests/router/evidence/odd_records.h"
#include "tests/router/evidence/reference_row.h"

#include <QTest>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace signalbox;
using namespace signalbox::evidence;
using test::kStart;

namespace {

constexpr std::size_t kCallsColumn = 57;  // behind the receipt

std::string shown(const std::optional<std::string>& field) { return field ? "'" + *field + "'" : "NULL"; }

/// `calls` is compared as a document.
bool same(std::size_t column, const std::optional<std::string>& a, const std::optional<std::string>& b) {
    if (column != kCallsColumn || !a || !b) return a == b;
    return nlohmann::json::parse(*a) == nlohmann::json::parse(*b);
}

std::string stored(const DecisionRecord& record) {
    std::string out;
    encodeStored(record, out);
    return out;
}

}  // namespace

// What is made on the gateway's thread says what the receipt says.
class TestStoredRecord : public QObject {
    Q_OBJECT

    static void compare(const DecisionRecord& record) {
        const std::string receipt = encodeRecord(record);
        const std::string bytes = stored(record);
        std::string memory;
        const auto read = readStored(bytes, memory);
        QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
        QCOMPARE(QByteArray::fromStdString(std::string(read->receipt)), QByteArray::fromStdString(receipt));
        QVERIFY(read->createdAt == record.createdAt);
        const auto decoded = decodeRecord(receipt);
        QVERIFY2(decoded.has_value(), receipt.c_str());

        const auto expected = test::referenceRow(*decoded);
        const auto row = test::copyFields(read->row);
        QCOMPARE(row.size(), expected.size());
        for (std::size_t i = 0; i < row.size(); ++i)
            QVERIFY2(same(i, row[i], expected[i]),
                     ("column " + std::to_string(i) + ": " + shown(row[i]) + " instead of " + shown(expected[i]) + " of " + receipt).c_str());
        std::string fromReceipt;
        appendSums(*decoded, fromReceipt);
        QCOMPARE(QByteArray::fromStdString(std::string(read->sums)), QByteArray::fromStdString(fromReceipt));
    }

private Q_SLOTS:
    void theRowSaysWhatTheReceiptSays_data() {
        QTest::addColumn<quint64>("seed");
        for (quint64 seed = 1; seed <= 8; ++seed) QTest::addRow("seed %llu", static_cast<unsigned long long>(seed)) << seed;
    }
    void theRowSaysWhatTheReceiptSays() {
        QFETCH(quint64, seed);
        test::OddRecords records(seed);
        for (int i = 0; i < 400 && !QTest::currentTestFailed(); ++i) compare(records.next(kStart + std::chrono::microseconds(i)));
    }

    void usualRecordsDoAsWell() {
        test::GroupRecords records(3);
        for (int i = 0; i < 300 && !QTest::currentTestFailed(); ++i) compare(records.next(kStart + std::chrono::milliseconds(i)));
        compare(DecisionRecord{.id = DecisionId{}, .createdAt = kStart});
    }

    // A line must be one line, whatever a client wrote into its texts.
    void noTextEndsALineOrAColumn() {
        test::OddRecords records(99);
        for (int i = 0; i < 500; ++i) {
            const std::string bytes = stored(records.next(kStart));
            std::string memory;
            const std::string_view row = readStored(bytes, memory)->row;
            QVERIFY(row.find_first_of(std::string_view("\n\r\0", 3)) == std::string_view::npos);
            QCOMPARE(std::count(row.begin(), row.end(), '\t'), std::ptrdiff_t{58});
        }
    }

    // Another version's row cannot be trusted, its receipt can.
    void anotherFormIsMadeAnewFromItsReceipt() {
        test::OddRecords records(5);
        for (int i = 0; i < 100; ++i) {
            const DecisionRecord record = records.next(kStart);
            const std::string bytes = stored(record);
            std::string other = bytes;
            other[0] = static_cast<char>(kStoredForm + 1);
            const auto rowAt = other.find(encodeRecord(record)) + encodeRecord(record).size();
            std::fill(other.begin() + static_cast<std::ptrdiff_t>(rowAt), other.end(), '?');
            std::string memory, otherMemory;
            const auto read = readStored(bytes, memory);
            const auto again = readStored(other, otherMemory);
            QVERIFY(read.has_value() && again.has_value());
            QVERIFY(again->receipt == read->receipt && again->createdAt == read->createdAt);
            // The digits of `calls` and everything else are made by the same code here.
            QVERIFY(again->row == read->row && again->sums == read->sums);
        }
    }

    void whatIsCutOrPaddedIsNoStoredRecord() {
        const std::string bytes = stored(test::sampleRecord(kStart, 1));
        std::string memory;
        for (std::size_t size = 0; size < bytes.size(); size += size < 40 ? 1 : 61) {
            QVERIFY(!readStored(std::string_view(bytes).substr(0, size), memory));
            QVERIFY(!receiptOf(std::string_view(bytes).substr(0, size)));
        }
        QVERIFY(!readStored(bytes + "x", memory));
    }

    void damagedSumsAddNothing() {
        std::string sums;
        appendSums(test::sampleRecord(kStart, 1), sums);
        SumRollups rollups;
        QVERIFY(rollups.add(kStart, sums));
        QCOMPARE(rollups.rows(Question::requests).size(), std::size_t{1});
        for (std::size_t size = 1; size < 30; ++size) QVERIFY(!rollups.add(kStart, std::string_view(sums).substr(0, sums.size() - size)));
        sums[0] = 99;
        QVERIFY(!rollups.add(kStart, sums));
        QCOMPARE(rollups.rows(Question::requests).front().sums[0], 1.0);
    }

    void rowsOfSumsAreSortedAndAddedUp() {
        SumRollups rollups;
        for (std::uint64_t n = 60; n-- > 0;) {
            std::string sums;
            appendSums(test::sampleRecord(kStart, n), sums);
            QVERIFY(rollups.add(kStart + std::chrono::minutes(n % 3), sums));
        }
        const auto rows = rollups.rows(Question::requests);
        double total = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            total += rows[i].sums[0];
            QVERIFY(i == 0 || std::pair(rows[i - 1].bucket, rows[i - 1].keys) < std::pair(rows[i].bucket, rows[i].keys));
        }
        QCOMPARE(total, 60.0);
        QCOMPARE(rollups.rows(Question::call).size(), std::size_t{3});
    }

    // The request's cost holds that of a leg which another one overtook; the endpoint that served was paid its own, and
    // nothing that is known of where its provider counts nothing.
    void anOvertakenLegIsSpentButNotPaidToTheWinner_data() {
        QTest::addColumn<double>("loser");  // 0: has none
        QTest::addColumn<double>("winner");
        QTest::addColumn<double>("request");
        QTest::addColumn<double>("paid");
        QTest::newRow("both counted") << 1.0 << 2.0 << 3.0 << 2.0;
        QTest::newRow("the winner not counted") << 1.0 << 0.0 << 1.0 << 0.0;
        QTest::newRow("an earlier receipt") << 0.0 << 0.0 << 3.0 << 3.0;
    }
    void anOvertakenLegIsSpentButNotPaidToTheWinner() {
        QFETCH(double, loser);
        QFETCH(double, winner);
        QFETCH(double, request);
        QFETCH(double, paid);
        auto record = test::sampleRecord(kStart, 1);
        record.attempts.push_back(record.attempts.front());
        record.attempts[0] = {"other:qwen", AttemptRole::primary, AttemptOutcome::cancelled, 0, "hedge_lost", 0, {}, 50};
        if (loser > 0) record.attempts[0].costUsd = loser;
        record.attempts[1].role = AttemptRole::hedge;
        if (winner > 0) record.attempts[1].costUsd = winner;
        record.costUsd = request;
        std::string bytes;
        appendSums(record, bytes);
        SumRollups sums;
        QVERIFY(sums.add(record.createdAt, bytes));
        double priced = 0, sum = 0;
        for (const auto& row : sums.rows(Question::call)) {
            priced += row.sums[1];
            sum += row.sums[2];
        }
        QCOMPARE(priced, paid > 0 ? 1.0 : 0.0);
        QCOMPARE(sum, paid);
        const auto spent = sums.rows(Question::spend);
        QCOMPARE(spent.size(), std::size_t{1});
        QCOMPARE(spent[0].sums[0], request);
    }

    // The shorter way to the digits of a number must not be another one.
    void numbersAreWrittenAsToCharsWritesThem() {
        const auto compareDigits = [](double value) {
            char expected[32];
            const std::string_view digits(expected, static_cast<std::size_t>(std::to_chars(expected, expected + 32, value).ptr - expected));
            std::string out;
            { Appending(out).digits(value); }
            QCOMPARE(QString::fromStdString(out), QString::fromUtf8(digits.data(), static_cast<qsizetype>(digits.size())));
        };
        for (const double value : {0.0, 1.0, 0.001, 0.0010001, 0.00099, 0.1, 0.25, 80.0, 4000.0, 10000.0, 99999.0, 99999.999999, 1e5, 123456.5, 1.0000005,
                                   0.1 + 0.2, 1.0 / 3, 5e-324, 1e21, -1.5, 12.345678, 2.5e-7, 9.999999, 0.999999, 65535.9999995,
                                   1e-4, 1.2e-4, 9e-5, 1.23e-5, 1e-8, 9.99e-9, 1.5e-8, 0.0009999999999})
            compareDigits(value);
        FastRandom random(11);
        for (int i = 0; i < 20'000 && !QTest::currentTestFailed(); ++i) {
            const double scale = std::pow(10.0, std::floor(random.unit() * 9) - 3);
            compareDigits(random.unit() * scale);
            compareDigits(std::round(random.unit() * scale * 1e6) / 1e6);
            compareDigits(std::round(random.unit() * scale * 1e4) / 1e4);
            compareDigits((std::round(random.unit() * 5000) * 0.15 + std::round(random.unit() * 900) * 0.6) / 1e6);  // a request's cost
            compareDigits(std::round(random.unit() * scale * 1e4) / 1e12);
            compareDigits(std::nextafter(std::round(random.unit() * scale * 1e6) / 1e6, 1e9));
        }
    }

    void piecesOfAnySizeArriveInOrder() {
        FastRandom random(12);
        std::string expected, out;
        {
            Appending appending(out);
            for (int i = 0; i < 2000; ++i) {
                const std::string piece(static_cast<std::size_t>(random.unit() * random.unit() * 2500), static_cast<char>('a' + i % 26));
                appending.put(piece);
                appending.put('.');
                appending.digits(std::uint64_t{7});
                expected += piece + ".7";
            }
        }
        QVERIFY(out == expected);
    }

    void plainTextIsFoundByteForByte() {
        const auto slowly = [](std::string_view text) {
            return std::all_of(text.begin(), text.end(), [](char c) {
                const auto byte = static_cast<unsigned char>(c);
                return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
            });
        };
        for (std::size_t length = 0; length < 20; ++length)
            for (std::size_t at = 0; at < length; ++at)
                for (int byte = 0; byte < 256; ++byte) {
                    std::string text(length, at % 2 == 0 ? ' ' : '!');
                    text[at] = static_cast<char>(byte);
                    QVERIFY2(isPlainText(text) == slowly(text), qPrintable(QStringLiteral("%1 at %2 of %3").arg(byte).arg(at).arg(length)));
                }
        QVERIFY(isPlainText(""));
    }
};

QTEST_APPLESS_MAIN(TestStoredRecord)
#include "tst_stored_record.moc"
