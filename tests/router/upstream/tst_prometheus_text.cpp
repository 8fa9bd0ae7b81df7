// SPDX-License-Identifier: MIT
// The text format of metrics pages: what it can hold, where it is wrong, and that no cut of it is believed.
#include "router/base/file.h"
#include "router/upstream/prometheus_text.h"

#include <QTest>
#include <cmath>
#include <filesystem>
#include <random>

using namespace signalbox;
using namespace signalbox::upstream;

namespace {

std::string page(const char* name) {
    return readFile(std::filesystem::path(SIGNALBOX_SOURCE_DIR) / "tests/data/engine_pages" / name, kMaxPrometheusBytes).value();
}

PrometheusSample one(std::string_view text) {
    const auto samples = readPrometheusText(text);
    if (!samples || samples->size() != 1) throw std::runtime_error("not one sample");
    return samples->front();
}

} // namespace

class TestPrometheusText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void samples();
    void values_data();
    void values();
    void labels();
    void commentsAndBlankLinesAreSkipped();
    void malformed_data();
    void malformed();
    void limits();
    void everyPageReads_data();
    void everyPageReads();
    void noCutIsBelieved();
    void randomDamageNeverBreaksTheReader();
};

void TestPrometheusText::samples() {
    const auto samples = readPrometheusText("a 1\n  b:c_2{x=\"y\"}\t 2.5e3 \t1395066363000 \nd{} 3\n").value();
    QCOMPARE(samples.size(), std::size_t{3});
    QVERIFY((samples[0] == PrometheusSample{"a", {}, 1, {}}));
    QVERIFY((samples[1] == PrometheusSample{"b:c_2", {{"x", "y"}}, 2500, 1'395'066'363'000}));
    QVERIFY((samples[2] == PrometheusSample{"d", {}, 3, {}}));
    QCOMPARE(readPrometheusText("").value().size(), std::size_t{0});
    QCOMPARE(one("a -1 -5\n").timestampMs.value(), std::int64_t{-5});
}

void TestPrometheusText::values_data() {
    QTest::addColumn<QByteArray>("written");
    QTest::addColumn<double>("value");
    QTest::newRow("whole") << QByteArray("12") << 12.0;
    QTest::newRow("negative") << QByteArray("-0.5") << -0.5;
    QTest::newRow("plus sign") << QByteArray("+7") << 7.0;
    QTest::newRow("exponent") << QByteArray("1.79611802117e+09") << 1796118021.17;
    QTest::newRow("infinite") << QByteArray("+Inf") << HUGE_VAL;
    QTest::newRow("infinite, lower case") << QByteArray("inf") << HUGE_VAL;
    QTest::newRow("negative infinite") << QByteArray("-Inf") << -HUGE_VAL;
}

void TestPrometheusText::values() {
    QFETCH(QByteArray, written);
    QFETCH(double, value);
    QCOMPARE(one("a " + written.toStdString() + "\n").value, value);
    QVERIFY(std::isnan(one("a NaN\n").value));
    QVERIFY(std::isnan(one("a nan\n").value));
}

void TestPrometheusText::labels() {
    const PrometheusSample sample = one("m { a = \"C:\\\\DIR\\n\" , b=\"say \\\"hi\\\"\",c=\"\", } 1\n");
    QCOMPARE(sample.labels.size(), std::size_t{3});
    QCOMPARE(std::string(sample.label("a")), std::string("C:\\DIR\n"));
    QCOMPARE(std::string(sample.label("b")), std::string("say \"hi\""));
    QCOMPARE(std::string(sample.label("c")), std::string());
    QCOMPARE(std::string(sample.label("absent")), std::string());
    QCOMPARE(std::string(one("m{x=\"a}b,c=#\"} 1\n").label("x")), std::string("a}b,c=#"));
    QCOMPARE(std::string(one("m{x=\"模型-é\"} 1\n").label("x")), std::string("模型-é"));
}

void TestPrometheusText::commentsAndBlankLinesAreSkipped() {
    const auto samples = readPrometheusText("# HELP a What {\"it\" is\n#TYPE a gauge\n\n \t\n  # no sample\na 1\n# EOF\n").value();
    QCOMPARE(samples.size(), std::size_t{1});
}

void TestPrometheusText::malformed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("where");
    const auto row = [](const char* tag, const QByteArray& text, const char* where) {
        QTest::newRow(tag) << text << QByteArray(where);
    };
    row("no value", "a\n", "1:2");
    row("no value after labels", "ok 1\na{x=\"y\"}\n", "2:9");
    row("value is a word", "a many\n", "1:3");
    row("value with a tail", "a 1x\n", "1:3");
    row("value out of range", "a 1e999\n", "1:3");
    row("two plus signs", "a ++1\n", "1:3");
    row("payload of NaN", "a nan(0x1)\n", "1:3");
    row("name begins with a digit", "ok 1\n\n2a 1\n", "3:1");
    row("name with a dash", "a-b 1\n", "1:2");
    row("label without a name", "a{=\"y\"} 1\n", "1:3");
    row("label name with a colon", "a{x:y=\"z\"} 1\n", "1:4");
    row("label without a value", "a{x} 1\n", "1:4");
    row("label value without quotes", "a{x=y} 1\n", "1:5");
    row("label twice", "a{x=\"1\",y=\"2\",x=\"3\"} 1\n", "1:15");
    row("quotes not closed", "a{x=\"y} 1\n", "1:10");
    row("brace not closed", "a{x=\"y\" 1\n", "1:9");
    row("only a comma", "a{,} 1\n", "1:3");
    row("unknown escape", "a{x=\"\\t\"} 1\n", "1:6");
    row("escape at the end", "a{x=\"\\\n", "1:6");
    row("timestamp is no whole number", "a 1 1.5\n", "1:5");
    row("something after the timestamp", "a 1 2 3\n", "1:7");
    row("carriage return", "a 1\r\n", "1:3");
    row("no line feed at the end", "a 1\nb 12", "2:5");
    row("columns are code points", "a{x=\"é模\"} x\n", "1:11");
    row("not UTF-8", QByteArray("a 1\nb{x=\"\xff\"} 1\n"), "2:6");
    row("a zero byte", QByteArray("a\0 1\n", 5), "1:2");
    row("markup", "<html><body>404</body></html>\n", "1:1");
    row("JSON", "{\"error\": \"no\"}\n", "1:1");
}

void TestPrometheusText::malformed() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, where);
    const auto read = readPrometheusText(text.toStdString());
    QVERIFY(!read);
    QCOMPARE(QByteArray::fromStdString(read.error().where), where);
    QVERIFY(!read.error().message.empty());
    QVERIFY(read.error().kind == ErrorKind::badInput);
}

void TestPrometheusText::limits() {
    std::string atLimit = "#" + std::string(kMaxPrometheusBytes - 2, 'x') + "\n";
    QVERIFY(readPrometheusText(atLimit));
    QVERIFY(!readPrometheusText("\n" + atLimit));
    std::string many;
    for (std::size_t i = 0; i < kMaxPrometheusSamples; ++i) many += "a 1\n";
    QCOMPARE(readPrometheusText(many).value().size(), kMaxPrometheusSamples);
    const auto tooMany = readPrometheusText(many + "a 1\n");
    QVERIFY(!tooMany);
    QCOMPARE(tooMany.error().where, std::to_string(kMaxPrometheusSamples + 1) + ":1");
}

void TestPrometheusText::everyPageReads_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("samples");
    QTest::newRow("vLLM") << QByteArray("vllm-v1.prom") << 28;
    QTest::newRow("vLLM, first engine") << QByteArray("vllm-v0.prom") << 13;
    QTest::newRow("SGLang") << QByteArray("sglang.prom") << 18;
    QTest::newRow("llama.cpp") << QByteArray("llamacpp.prom") << 11;
}

void TestPrometheusText::everyPageReads() {
    QFETCH(QByteArray, name);
    QFETCH(int, samples);
    const auto read = readPrometheusText(page(name.constData()));
    QVERIFY2(read, read ? "" : read.error().text().c_str());
    QCOMPARE(static_cast<int>(read->size()), samples);
}

void TestPrometheusText::noCutIsBelieved() {
    // A page that ends early, at any byte, is refused or holds only what was whole.
    const std::string whole = page("vllm-v1.prom");
    const auto all = readPrometheusText(whole).value();
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto read = readPrometheusText(std::string_view(whole).substr(0, length));
        QCOMPARE(read.has_value(), length == 0 || whole[length - 1] == '\n');
        if (!read) continue;
        QVERIFY(read->size() <= all.size());
        QVERIFY(std::equal(read->begin(), read->end(), all.begin()));
    }
}

void TestPrometheusText::randomDamageNeverBreaksTheReader() {
    const std::string whole = page("sglang.prom");
    std::mt19937 random(20'261'130);
    std::size_t refused = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string damaged = whole;
        for (int i = 0; i < 3; ++i) {
            const std::size_t at = random() % damaged.size();
            if (random() % 2 == 0) damaged[at] = static_cast<char>(random() % 256);
            else damaged.erase(at, random() % 40);
        }
        const auto read = readPrometheusText(damaged);
        if (read) continue;
        ++refused;
        QVERIFY(read.error().where.find(':') != std::string::npos);
    }
    QVERIFY(refused > 500);
}

QTEST_APPLESS_MAIN(TestPrometheusText)
#include "tst_prometheus_text.moc"
