// SPDX-License-Identifier: MIT
#include "router/base/file.h"
#include "router/config/read.h"
#include "tests/support/vectors.h"

#include <QTest>

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace signalbox;

/// Every smart-routing configuration of the vectors gives the outcome that its index lists.
class TestSmartToml : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void outcome_data();
    void outcome();
    void valuesOfTheDocumentedShape();
    void defaultsWhereKeysAreAbsent();
};

static std::filesystem::path folder() { return test::vectorsFolder() / "smart-toml"; }

static bool hasCode(const Findings& findings, const std::string& code, Severity severity) {
    return std::any_of(findings.begin(), findings.end(),
                       [&](const Finding& f) { return f.code == code && f.severity == severity; });
}

static QByteArray listed(const Findings& findings, const std::string& file) {
    std::string out;
    for (const Finding& finding : findings) out += "\n  " + finding.text(file);
    return QByteArray::fromStdString(out);
}

void TestSmartToml::outcome_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("expect");
    QTest::addColumn<QStringList>("codes");
    QTest::addColumn<bool>("allCodes");
    const auto index = readFile(folder() / "index.json", std::size_t{16} << 20);
    QVERIFY2(index.has_value(), index ? "" : index.error().text().c_str());
    const auto document = nlohmann::json::parse(*index);
    for (const auto& entry : document.at("entries")) {
        QStringList codes;
        for (const auto& code : entry.at("codes")) codes << QString::fromStdString(code.get<std::string>());
        const auto file = entry.at("file").get<std::string>();
        // The later codes of an entry are consequences that a reader may leave out, except where the file is about
        // reporting several.
        const bool all = file.find("several") != std::string::npos;
        QTest::addRow("%s", file.c_str()) << QString::fromStdString(file)
                                          << QString::fromStdString(entry.at("expect").get<std::string>()) << codes
                                          << all;
    }
}

void TestSmartToml::outcome() {
    QFETCH(QString, file);
    QFETCH(QString, expect);
    QFETCH(QStringList, codes);
    QFETCH(bool, allCodes);
    const auto loaded = config::readConfigFile(folder() / file.toStdString());
    QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().text().c_str());
    const QByteArray findings = listed(loaded->findings, file.toStdString());
    const bool refused = loaded->config == nullptr;
    QCOMPARE(refused, hasErrors(loaded->findings));
    QVERIFY2(refused == (expect == QLatin1String("reject")), findings.constData());

    const Severity severity = refused ? Severity::error : Severity::warning;
    for (const QString& code : codes) {
        QVERIFY2(hasCode(loaded->findings, code.toStdString(), severity), (code.toUtf8() + findings).constData());
        if (!allCodes) break;
    }
    if (expect == QLatin1String("accept_with_warning"))
        QVERIFY2(std::any_of(loaded->findings.begin(), loaded->findings.end(),
                             [](const Finding& f) { return f.severity == Severity::warning; }),
                 findings.constData());
    for (const Finding& finding : loaded->findings) {
        QVERIFY2(finding.position.line > 0 && finding.position.column > 0, findings.constData());
        QVERIFY2(!finding.message.empty(), findings.constData());
    }
}

void TestSmartToml::valuesOfTheDocumentedShape() {
    const auto loaded = config::readConfigFile(folder() / "02-shadow.toml");
    QVERIFY(loaded.has_value() && loaded->config);
    const config::Routing& routing = loaded->config->routing;
    QVERIFY(routing.mode == config::RoutingMode::shadow);
    QCOMPARE(routing.groups.size(), std::size_t{1});
    const config::SmartGroup& group = routing.groups.front();
    QCOMPARE(group.aliases, std::vector<std::string>{"auto"});
    QCOMPARE(group.candidates.size(), std::size_t{2});
    QCOMPARE(group.candidates[0].quality, 0.72);
    QCOMPARE(group.candidates[1].latencyHintMs, 1800U);
    QCOMPARE(group.candidates[1].provider, std::string("south"));
    QCOMPARE(loaded->config->aliases.at("fast"), std::string("north:north-base"));
}

void TestSmartToml::defaultsWhereKeysAreAbsent() {
    const auto loaded = config::readConfigFile(folder() / "04-defaults.toml");
    QVERIFY(loaded.has_value() && loaded->config);
    const config::Routing& routing = loaded->config->routing;
    const config::Candidate& candidate = routing.groups.at(0).candidates.at(0);
    QCOMPARE(candidate.quality, 0.8);
    QCOMPARE(candidate.latencyHintMs, 1000U);
    QVERIFY(candidate.enabled);
    QCOMPARE(routing.defaultProfile, std::string("balanced"));
    QCOMPARE(routing.policyVersion, std::string("builtin-v1"));
    QCOMPARE(int{routing.activationPercent}, 0);
}

QTEST_APPLESS_MAIN(TestSmartToml)
#include "tst_smart_toml.moc"
