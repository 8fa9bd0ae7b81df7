// SPDX-License-Identifier: MIT
#include "router/base/random.h"
#include "router/policy/smart/rank.h"
#include "router/policy/smart/request_headers.h"
#include "router/policy/smart/sizes.h"
#include "tests/router/policy/smart_world.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::policy;

namespace {

/// Scores of `count` candidates: spread, all alike, few values, or crowded beside one that is far away.
std::vector<smart::CandidateTerms> scored(std::size_t count, const std::string& shape) {
    FastRandom random(count + shape.size());
    std::vector<smart::CandidateTerms> out(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double any = random.unit();
        out[i].score = shape == "alike"     ? 0.5
                       : shape == "few"     ? static_cast<double>(static_cast<int>(any * 4)) / 4
                       : shape == "crowded" ? (i == count / 2 ? -1e9 : 0.7 + any * 1e-3)
                       : shape == "tiny"    ? any * 1e-320
                                            : any * 1.02;
    }
    return out;
}

std::string textOf(const OrderedJson& json, const char* name) { return json.at(name).get<std::string>(); }

smart::HexDigest digestFrom(const std::string& hex) {
    smart::HexDigest out;
    std::copy_n(hex.begin(), std::min(hex.size(), out.digits.size()), out.digits.begin());
    return out;
}

std::optional<std::string> bytesOf(const OrderedJson& json) {
    if (json.is_null()) return std::nullopt;
    std::string out;
    for (const OrderedJson& byte : json) out += static_cast<char>(byte.get<int>());
    return out;
}

template <class T>
OrderedJson headerAnswer(const tl::expected<std::optional<T>, smart::HeaderProblem>& parsed) {
    if (!parsed) return {{"error", toString(parsed.error())}};
    if (!*parsed) return {{"value", nullptr}};
    if constexpr (std::is_same_v<T, smart::Profile>)
        return {{"value", toString(**parsed)}};
    else
        return {{"value", **parsed}};
}

OrderedJson explicitAnswer(const std::string& selector) {
    const auto chosen = smart::explicitSelection(selector);
    if (!chosen) return nullptr;
    OrderedJson reasons = OrderedJson::array();
    for (const smart::Reason reason : chosen->facts.reasons) reasons.push_back(toString(reason));
    return {{"mode", toString(chosen->facts.mode)},
            {"profile", chosen->facts.profile},
            {"policy_version", chosen->facts.policyVersion},
            {"candidate_count", chosen->facts.candidateCount},
            {"provider", chosen->provider},
            {"model", chosen->model},
            {"selected_score", chosen->facts.selectedScore},
            {"recommended_score", chosen->facts.recommendedScore},
            {"reason_codes", reasons},
            {"session_affinity", chosen->facts.sessionAffinity},
            {"shadow_disagreement", chosen->facts.shadowDisagreement}};
}

}  // namespace

/// The small functions of smart planning, section by section of smart-unit-cases.json.
class TestSmartUnits : public QObject {
    Q_OBJECT
    OrderedJson m_sections;

    void rowsOf(const char* section) {
        QTest::addColumn<int>("index");
        const OrderedJson& cases = m_sections.at(section);
        QVERIFY(!cases.empty());
        for (std::size_t i = 0; i < cases.size(); ++i)
            QTest::newRow(textOf(cases[i], "id").c_str()) << static_cast<int>(i);
    }
    const OrderedJson& row(const char* section) {
        QFETCH(int, index);
        return m_sections.at(section)[static_cast<std::size_t>(index)];
    }
    static void near(double got, const OrderedJson& want, double absolute) {
        QVERIFY2(std::abs(got - want.get<double>()) <= absolute, (std::to_string(got) + " is not " + want.dump()).c_str());
    }
    static void same(const OrderedJson& got, const OrderedJson& want) {
        QCOMPARE(QString::fromStdString(got.dump()), QString::fromStdString(want.dump()));
    }

private Q_SLOTS:
    void rankingIsTheOrderOfIsBetter_data() {
        QTest::addColumn<QString>("shape");
        for (const char* shape : {"spread", "alike", "few", "crowded", "tiny"}) QTest::newRow(shape) << QString::fromLatin1(shape);
    }
    void rankingIsTheOrderOfIsBetter() {
        QFETCH(const QString, shape);
        for (const std::size_t count : {1U, 2U, 47U, 48U, 256U, 1000U}) {
            const auto terms = scored(count, shape.toStdString());
            std::vector<std::uint16_t> order;
            for (std::size_t i = 0; i < count; i += 1 + i % 2) order.push_back(static_cast<std::uint16_t>(i));
            auto expected = order;
            std::sort(expected.begin(), expected.end(),
                      [&](std::uint16_t a, std::uint16_t b) { return smart::isBetter(terms, a, b); });
            rankByScore(terms, order);
            QVERIFY2(order == expected, std::to_string(count).c_str());
        }
    }

    void initTestCase() {
        m_sections = test::smartVectors("smart-unit-cases.json");
        QVERIFY2(!m_sections.is_null(), "smart-unit-cases.json cannot be read");
    }

    void digest_data() { rowsOf("digest"); }
    void digest() {
        const OrderedJson& one = row("digest");
        const smart::HexDigest got = smart::principalDigest(textOf(one, "principal"), textOf(one, "session"));
        same({{"digest", got.view()}, {"bucket", smart::activationBucket(got.view())}}, one.at("expect"));
    }

    void bucket_data() { rowsOf("bucket"); }
    void bucket() {
        const OrderedJson& one = row("bucket");
        same(smart::activationBucket(textOf(one, "key")), one.at("expect"));
    }

    void affinity_data() { rowsOf("affinity"); }
    void affinity() {
        const OrderedJson& one = row("affinity");
        const smart::Affinity affinity(digestFrom(textOf(one, "session_hash")));
        near(affinity.of(smart::affinitySuffix(textOf(one, "provider"), textOf(one, "model"))), one.at("expect"), 1e-12);
    }

    void blendedLatency_data() { rowsOf("blended_latency"); }
    void blendedLatency() {
        const OrderedJson& one = row("blended_latency");
        near(smart::blendedLatencyMs(one.at("hint_ms"), one.at("attempts"), one.at("latency_ewma_ms")), one.at("expect"), 1e-9);
    }

    void reliability_data() { rowsOf("reliability"); }
    void reliability() {
        const OrderedJson& one = row("reliability");
        near(smart::reliability(one.at("attempts"), one.at("successes")), one.at("expect"), 1e-12);
    }

    void inverseNormalised_data() { rowsOf("inverse_normalised"); }
    void inverseNormalised() {
        const OrderedJson& one = row("inverse_normalised");
        near(smart::inverseNormalised(one.at("value"), one.at("min"), one.at("max")), one.at("expect"), 1e-12);
    }

    void fourDecimals_data() { rowsOf("four_decimals"); }
    void fourDecimals() {
        const OrderedJson& one = row("four_decimals");
        near(smart::fourDecimals(one.at("score")), one.at("expect"), 1e-12);
    }

    void estimatedCost_data() { rowsOf("estimated_cost"); }
    void estimatedCost() {
        const OrderedJson& one = row("estimated_cost");
        const double want = one.at("expect");
        near(smart::estimatedCostUsd({one.at("input_tokens"), one.at("output_tokens")}, test::pricingFrom(one.at("pricing"))),
             one.at("expect"), 1e-12 * std::abs(want));
    }

    void sessionHeader_data() { rowsOf("session_header"); }
    void sessionHeader() {
        const OrderedJson& one = row("session_header");
        const auto bytes = bytesOf(one.at("bytes"));
        same(headerAnswer(smart::parseSessionHeader(bytes)), one.at("expect"));
    }

    void profileHeader_data() { rowsOf("profile_header"); }
    void profileHeader() {
        const OrderedJson& one = row("profile_header");
        const auto bytes = bytesOf(one.at("bytes"));
        same(headerAnswer(smart::parseProfileHeader(bytes)), one.at("expect"));
    }

    // The same body must count alike however it is spelled: compact, indented, or with escapes for all that allows it.
    void chatSizes_data() { rowsOf("chat_sizes"); }
    void chatSizes() {
        const OrderedJson& one = row("chat_sizes");
        for (const std::string& body : {one.at("body").dump(), one.at("body").dump(3), one.at("body").dump(-1, ' ', true)}) {
            const smart::ChatSizes got = smart::chatSizes(body);
            same({{"serialized_chars", got.serializedChars},
                  {"input_tokens", got.sizes.inputTokens},
                  {"output_tokens", got.sizes.outputTokens}},
                 one.at("expect"));
        }
    }

    void explicitSelector_data() { rowsOf("explicit_selector"); }
    void explicitSelector() {
        const OrderedJson& one = row("explicit_selector");
        same(explicitAnswer(textOf(one, "selector")), one.at("expect"));
    }
};

QTEST_APPLESS_MAIN(TestSmartUnits)
#include "tst_smart_units.moc"
