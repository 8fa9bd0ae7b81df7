// SPDX-License-Identifier: MIT
#include "router/evidence/record.h"

#include "tests/router/evidence/sample_records.h"

#include <QTest>
#include <limits>
#include <nlohmann/json.hpp>

using namespace signalbox;
using namespace signalbox::evidence;

namespace {

RecordedGroup fullGroup() {
    RecordedGroup group;
    group.groupId = "auto";
    group.profile = "economy";
    group.selected = "local:qwen";
    group.recommended = "cloud:a \"quoted\" model";
    group.candidateCount = 2;
    group.selectedScore = 0.7123;
    group.recommendedScore = 0.7456;
    group.reasons = {"profile_economy", "shadow_no_route_change", ""};
    group.sessionAffinity = group.shadowDisagreement = true;
    group.affinity = "not_selected";
    group.affinityFavourite = group.recommended;
    group.decidingTerm = "latency";
    group.bucket = 37;
    group.activationPercent = 20;
    group.weights = {0.25, 0.5, 0.125, 1.0 / 8};
    group.minLatencyMs = 600.5;
    group.maxLatencyMs = 1200;
    group.minCostUsd = 1e-9;
    group.maxCostUsd = 0.02;
    group.inputTokens = 950;
    group.outputTokens = 4096;
    group.candidatesTotal = 40;
    group.candidates = {{"local:qwen", "", 0.72, 1200, 1e-9, 0.98, 0.004, 0.71234567},
                        {group.recommended, "", 0.88, 600.5, 0.02, 1.0 / 3, 0.013, 0.7456},
                        {"cloud:off", "provider_cooldown", 0, 0, 0, 0, 0.001, 0}};
    return group;
}

DecisionRecord fullRecord() {
    DecisionRecord record = test::sampleRecord(test::kStart + std::chrono::microseconds(123456), 7);
    record.origin = Origin::demo;
    record.edge = Edge::anthropic;
    record.tableSha256 = std::string(64, 'b');
    record.policyVersion = "2026.11";
    record.mode = "shadow";
    auto& features = record.features;
    features.stream = features.includeUsage = features.parallelTools = features.structuredOutput = features.vision = true;
    features.peculiarities.add(classify::Peculiarity::topK);
    features.peculiarities.add(classify::Peculiarity::legacyCompletion);
    features.workloadFoundBy = classify::FoundBy::header;
    features.lengthFoundBy = classify::FoundBy::metadata;
    features.inputTokensFoundBy = classify::FoundBy::principal;
    features.outputCap = 4096;
    features.outputCapField = classify::OutputCapField::maxCompletionTokens;
    features.inFlight = 5;
    features.toolsOffered = 3;
    features.functionsOffered = 2;
    record.nullCause = "ambiguous_family";
    record.naturalBy = "gap_fallback";
    record.gapIndex = 2;
    record.rules = {{0, "a", "shadowed"}, {1, "b \"quoted\"", "matched"}};
    record.attempts.push_back({"o:m", AttemptRole::hedge, AttemptOutcome::cancelled, 0, "client_gone", 1.5, std::nullopt, 3.25});
    record.attempts.back().leftOut = "strict";
    record.outcome = Outcome::failed;
    record.status = 502;
    record.errorCode = "upstream_failed";
    record.queueMs = 0.25;
    record.decideUs = 1.0 / 3.0;
    record.cachedTokens = std::numeric_limits<std::uint64_t>::max();
    record.costUsd = 1e-7;
    record.toolsCalled = 7;
    record.toolsValidJson = 5;
    record.toolsFitSchema = 3;
    record.toolsUnchecked = 1;
    record.simulated = true;
    record.group = fullGroup();
    record.whyNoFallback = "after_content";
    return record;
}

}  // namespace

class TestRecord : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void comesBackAsItWas_data() {
        QTest::addColumn<bool>("full");
        QTest::newRow("every field set") << true;
        QTest::newRow("nothing set") << false;
    }
    void comesBackAsItWas() {
        QFETCH(bool, full);
        const DecisionRecord record = full ? fullRecord() : DecisionRecord{};
        const std::string line = encodeRecord(record);
        QVERIFY(line.find('\n') == std::string::npos);
        const auto back = decodeRecord(line);
        QVERIFY2(back.has_value(), back ? "" : back.error().text().c_str());
        QCOMPARE(encodeRecord(*back), line);
        QCOMPARE(back->id, record.id);
        QCOMPARE(back->createdAt.time_since_epoch().count(), record.createdAt.time_since_epoch().count());
        QVERIFY(back->attempts == record.attempts);
        QVERIFY(back->rules == record.rules);
        QVERIFY(back->group == record.group);
        QCOMPARE(back->whyNoFallback, record.whyNoFallback);
        QVERIFY(back->features.cell == record.features.cell);
        QCOMPARE(back->features.toolsOffered, record.features.toolsOffered);
        QCOMPARE(back->features.functionsOffered, record.features.functionsOffered);
        QCOMPARE(back->decideUs, record.decideUs);
        QVERIFY(back->cachedTokens == record.cachedTokens);
        QCOMPARE(back->toolsValidJson, record.toolsValidJson);
        QCOMPARE(back->toolsFitSchema, record.toolsFitSchema);
        QCOMPARE(back->toolsUnchecked, record.toolsUnchecked);
    }

    void functionsAreSaidWhereThereAreSome() {
        DecisionRecord record = test::sampleRecord(test::kStart, 1);
        QVERIFY(encodeRecord(record).find("functions_offered") == std::string::npos);
        record.features.functionsOffered = 2;
        QVERIFY(encodeRecord(record).find(R"("functions_offered":2)") != std::string::npos);
    }

    // A record of a version that counted calls without looking at them must not read as if all had been wrong.
    void callsThatNobodyJudgedAreUnchecked() {
        DecisionRecord record = test::sampleRecord(test::kStart, 1);
        record.toolsCalled = 3;
        std::string line = encodeRecord(record);
        QCOMPARE(decodeRecord(line)->toolsUnchecked, 0U);
        const std::string judged = ",\"tools_valid_json\":0";
        const auto at = line.find(judged);
        QVERIFY(at != std::string::npos);
        line.erase(at, judged.size());
        QCOMPARE(decodeRecord(line)->toolsUnchecked, 3U);
    }

    void everyWordIsRead() {
        for (const auto value : {Origin::traffic, Origin::probe, Origin::simulation, Origin::demo})
            QVERIFY(parseOrigin(toString(value)) == value);
        for (const auto value : {Edge::openai, Edge::anthropic}) QVERIFY(parseEdge(toString(value)) == value);
        for (const auto value : {Outcome::served, Outcome::failed, Outcome::refused, Outcome::cancelled})
            QVERIFY(parseOutcome(toString(value)) == value);
        for (const auto value : {AttemptRole::primary, AttemptRole::retry, AttemptRole::hedge, AttemptRole::probe})
            QVERIFY(parseAttemptRole(toString(value)) == value);
        for (const auto value : {AttemptOutcome::served, AttemptOutcome::failed, AttemptOutcome::refused, AttemptOutcome::cancelled})
            QVERIFY(parseAttemptOutcome(toString(value)) == value);
        QVERIFY(!parseOutcome("Served"));
    }

    void keysComeInOneOrderAndDefaultsAreLeftOut() {
        const auto keysOf = [](const DecisionRecord& record) {
            QStringList keys;
            const auto json = nlohmann::ordered_json::parse(encodeRecord(record));
            for (const auto& [key, value] : json.items())
                keys << QString::fromStdString(key);
            return keys;
        };
        const QStringList least = keysOf({});
        QCOMPARE(least, QString(QLatin1String("id created_at workload_class expected_output_length concurrency_mode outcome status total_ms"))
                            .split(QLatin1Char(' ')));
        const QStringList all = keysOf(fullRecord());
        QStringList shared;
        for (const QString& key : all)
            if (least.contains(key)) shared << key;
        QCOMPARE(shared, least);
        for (const char* key : {"rules", "attempts", "origin", "edge", "simulated", "cost_usd", "group", "why_no_fallback"})
            QVERIFY(all.contains(QLatin1String(key)));
    }

    // The journal writes one for every request: design.md wants it near half a kilobyte.
    void anOrdinaryRecordIsSmall() {
        const auto size = encodeRecord(test::sampleRecord(test::kStart, 1)).size();
        QVERIFY2(size < 800, std::to_string(size).c_str());
    }

    // F34: model ids and request ids hold anything.
    void anyTextSurvives_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("CJK and emoji") << QByteArray("通义千问/🚂:@ %2F") << QByteArray("通义千问/🚂:@ %2F");
        QTest::newRow("quotes and backslashes") << QByteArray("a\"b\\c\\") << QByteArray("a\"b\\c\\");
        QTest::newRow("control characters") << QByteArray("a\n\t\x01\x1f", 5) << QByteArray("a\n\t\x01\x1f", 5);
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << QByteArray("a\0b", 3);
        QTest::newRow("not UTF-8") << QByteArray("a\xff é") << QByteArray("a\xEF\xBF\xBD é");
        QTest::newRow("cut UTF-8") << QByteArray("x\xe9\x80") << QByteArray("x\xEF\xBF\xBD\xEF\xBF\xBD");
    }
    void anyTextSurvives() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        DecisionRecord record = test::sampleRecord(test::kStart, 1);
        record.requestedModel = text.toStdString();
        const auto back = decodeRecord(encodeRecord(record));
        QVERIFY2(back.has_value(), back ? "" : back.error().text().c_str());
        QCOMPARE(QByteArray::fromStdString(back->requestedModel), expected);
    }

    void numbersThatJsonLacksBecomeNull() {
        DecisionRecord record = test::sampleRecord(test::kStart, 1);
        record.firstContentMs = std::numeric_limits<double>::infinity();
        record.totalMs = std::numeric_limits<double>::quiet_NaN();
        const auto back = decodeRecord(encodeRecord(record));
        QVERIFY(back.has_value());
        QVERIFY(!back->firstContentMs);
        QCOMPARE(back->totalMs, 0.0);
    }

    void badLinesAreRefusedWithTheirField_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("says");
        const QByteArray id = R"("id":"rtd_00000000000000000000000000000001","created_at":"2025-11-29T08:00:00Z")";
        QTest::newRow("empty") << QByteArray() << QByteArray("not one JSON object");
        QTest::newRow("array") << QByteArray("[]") << QByteArray("not one JSON object");
        QTest::newRow("cut") << QByteArray("{\"id\":") << QByteArray("not one JSON object");
        QTest::newRow("no id") << QByteArray("{}") << QByteArray("\"id\"");
        QTest::newRow("bad id") << QByteArray(R"({"id":"rtd_x"})") << QByteArray("\"id\"");
        QTest::newRow("bad time") << QByteArray(R"({"id":"rtd_00000000000000000000000000000001","created_at":"soon"})")
                                  << QByteArray("\"created_at\"");
        QTest::newRow("unknown word") << "{" + id + R"(,"outcome":"lost"})" << QByteArray("\"outcome\"");
        QTest::newRow("negative count") << "{" + id + R"(,"output_tokens":-1})" << QByteArray("\"output_tokens\"");
        QTest::newRow("attempt that is no object") << "{" + id + R"(,"attempts":[1]})" << QByteArray("\"attempts\"");
        QTest::newRow("group that is no object") << "{" + id + R"(,"group":[]})" << QByteArray("\"group\"");
        QTest::newRow("reason that is no text") << "{" + id + R"(,"group":{"reasons":[1]}})" << QByteArray("\"reasons\"");
        QTest::newRow("three weights") << "{" + id + R"(,"group":{"weights":[1,0,0]}})" << QByteArray("\"weights\"");
        QTest::newRow("candidate without a number") << "{" + id + R"(,"group":{"candidates":[{"ms":"1"}]}})" << QByteArray("\"ms\"");
        QTest::newRow("bad word in an attempt") << "{" + id + R"(,"attempts":[{"role":"boss"}]})" << QByteArray("\"role\"");
    }
    void badLinesAreRefusedWithTheirField() {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, says);
        const auto back = decodeRecord(line.toStdString());
        QVERIFY(!back.has_value());
        QCOMPARE(back.error().kind, ErrorKind::badInput);
        QVERIFY2(QByteArray::fromStdString(back.error().text()).contains(says), back.error().text().c_str());
    }

    void olderRecordsLackFields() {
        const auto back = decodeRecord(R"({"id":"rtd_00000000000000000000000000000001","created_at":"2025-11-29T08:00:00Z"})");
        QVERIFY(back.has_value());
        QCOMPARE(back->status, 200);
        QVERIFY(!back->group && back->whyNoFallback.empty());
    }

    // A later version may say more about a group; what it says beside that is still read.
    void unknownMembersOfAGroupArePassedOver() {
        const auto back = decodeRecord(R"({"id":"rtd_00000000000000000000000000000001","created_at":"2025-11-29T08:00:00Z",)"
                                       R"("group":{"id":"auto","mood":"good","candidates":[{"endpoint":"a:b","colour":1}],"total":1}})");
        QVERIFY2(back.has_value(), back ? "" : back.error().text().c_str());
        QVERIFY(back->group && back->group->groupId == "auto" && back->group->candidates.size() == 1);
    }

    void aGroupThatRefusedSaysOnlyWhatItKnows() {
        DecisionRecord record = test::sampleRecord(test::kStart, 1);
        record.group.emplace();
        const std::string line = encodeRecord(record);
        QVERIFY2(line.find(R"("group":{})") != std::string::npos, line.c_str());
        QVERIFY(decodeRecord(line)->group == record.group);
    }
};

QTEST_APPLESS_MAIN(TestRecord)
#include "tst_record.moc"
