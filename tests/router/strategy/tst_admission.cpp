// SPDX-License-Identifier: MIT
#include "router/base/random.h"
#include "router/strategy/admission/admit.h"
#include "router/strategy/admission/local_model.h"
#include "router/strategy/admission/read.h"
#include "tests/support/vector_rows.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace signalbox;
using namespace signalbox::strategy::admission;

namespace {

struct Question {
    Profile profile;
    Load load;
    std::vector<Request> requests;
};

/// Reads a case as the simulator would; the error is the expected word of the vectors.
tl::expected<Admission, std::string> answer(const OrderedJson& one, Question& question) {
    const auto word = [](const Finding& finding) { return finding.code == "bad_value" ? finding.pointer : finding.code; };
    const auto policy = parsePolicy(one.at("policy").get<std::string>());
    if (!policy) return tl::unexpected(word(policy.error()));
    const auto profile = readProfile(one.at("profile"));
    if (!profile) return tl::unexpected(word(profile.error()));
    const auto load = readLoad(one.at("snapshot"));
    if (!load) return tl::unexpected(word(load.error()));
    const auto requests = readRequests(one.at("candidates"));
    if (!requests) return tl::unexpected(word(requests.error()));
    question = {*profile, *load, *requests};
    const auto admission = admit(*policy, *profile, *load, *requests, one.at("now_s").get<double>());
    if (!admission) return tl::unexpected(word(admission.error()));
    return *admission;
}

OrderedJson toJson(const Load& load) {
    return {{"running_requests", load.runningRequests},
            {"reserved_tokens", load.reservedTokens},
            {"remaining_prefill_tokens", load.remainingPrefillTokens},
            {"remaining_decode_tokens", load.remainingDecodeTokens}};
}

bool matches(const std::optional<double>& actual, const OrderedJson& expected) {
    if (expected.is_null() || !actual) return expected.is_null() && !actual;
    return test::closeTo(*actual, expected.get<double>(), 1e-9);
}

Profile smallServer() {
    Profile out;
    out.prefillTokensPerS = 128;
    out.decodeTokensPerS = 16;
    out.maxRunningRequests = 3;
    out.maxReservedTokens = 900;
    out.maxWorkS = 8;
    return out;
}

Request request(std::string id, double deadline, std::int64_t prompt, double value) {
    return {std::move(id), 0, deadline, prompt, prompt, 16, value};
}

}  // namespace

/// Local admission against every case of the vectors, and its knapsack against a search through all subsets.
class TestAdmission : public QObject {
    Q_OBJECT

private:
    OrderedJson m_file = test::vectorFile("admission-cases.json");

    static void compareDecision(const Decision& actual, const Question& question, const OrderedJson& expected) {
        QCOMPARE(question.requests[actual.request].requestId, expected.at("request_id").get<std::string>());
        QCOMPARE(actual.selected, expected.at("selected").get<bool>());
        QCOMPARE(std::string(toString(actual.reason)), expected.at("reason").get<std::string>());
        QVERIFY(matches(actual.predictedTtftS, expected.at("predicted_ttft_s")));
        QVERIFY(matches(actual.predictedTpotS, expected.at("predicted_tpot_s")));
        QCOMPARE(actual.reservedTokens, expected.at("reserved_tokens").get<std::int64_t>());
        QVERIFY(test::closeTo(actual.workS, expected.at("work_s").get<double>(), 1e-9));
        QCOMPARE(actual.value, expected.at("value").get<double>());
    }

    /// Total value of the best feasible subset, by trying all of them in order of deadline.
    static double bruteValue(const Profile& profile, std::vector<Request> requests) {
        std::sort(requests.begin(), requests.end(), [](const Request& a, const Request& b) { return a.deadlineS < b.deadlineS; });
        const LocalModel model(profile, 0);
        double best = 0;
        for (std::size_t mask = 0; mask < (std::size_t{1} << requests.size()); ++mask) {
            Load load;
            double value = 0;
            bool feasible = true;
            for (std::size_t i = 0; i < requests.size() && feasible; ++i) {
                if ((mask >> i & 1) == 0) continue;
                feasible = !model.refusal(load, requests[i]);
                load = LocalModel::with(load, requests[i]);
                value += requests[i].estimatedRemoteCost;
            }
            if (feasible) best = std::max(best, value);
        }
        return best;
    }

private Q_SLOTS:
    void vectorsAreThere() { QVERIFY2(m_file.is_object(), test::vectorsFolder().c_str()); }

    void cases_data() { test::addVectorRows(m_file, "cases"); }
    void cases() {
        QFETCH(int, index);
        const OrderedJson& one = m_file.at("cases").at(static_cast<std::size_t>(index));
        const OrderedJson& expect = one.at("expect");
        Question question;
        const auto actual = answer(one, question);
        if (expect.contains("error")) {
            QVERIFY(!actual);
            QCOMPARE(actual.error(), expect.at("error").get<std::string>());
            return;
        }
        QVERIFY2(actual, actual ? "" : actual.error().c_str());
        OrderedJson selected = OrderedJson::array();
        for (const std::size_t position : actual->selected) selected.push_back(question.requests[position].requestId);
        QCOMPARE(selected.dump(), expect.at("selected_ids").dump());
        QCOMPARE(actual->searchTruncated, expect.at("search_truncated").get<bool>());
        QCOMPARE(toJson(actual->load).dump(), expect.at("resulting_snapshot").dump());
        QCOMPARE(actual->decisions.size(), expect.at("decisions").size());
        for (std::size_t i = 0; i < actual->decisions.size(); ++i)
            compareDecision(actual->decisions[i], question, expect.at("decisions").at(i));
    }

    void knapsackFindsTheBestOfAllSubsets() {
        FastRandom random(11);
        for (int round = 0; round < 100; ++round) {
            std::vector<Request> requests;
            for (int i = 0; i < 9; ++i)
                requests.push_back(request("r" + std::to_string(i), 1 + 6 * random.unit(),
                                           static_cast<std::int64_t>(random.next() % 400),
                                           static_cast<double>(random.next() % 64) / 16));
            const auto admission = admit(Policy::knapsack, smallServer(), {}, requests, 0);
            QVERIFY(admission);
            double value = 0;
            for (const std::size_t position : admission->selected) value += requests[position].estimatedRemoteCost;
            QCOMPARE(value, bruteValue(smallServer(), requests));
        }
    }

    void whatIsAdmittedNeverExceedsTheProfile() {
        FastRandom random(12);
        const Profile profile = smallServer();
        for (const Policy policy : {Policy::fifo, Policy::greedy, Policy::density, Policy::knapsack}) {
            for (int round = 0; round < 100; ++round) {
                std::vector<Request> requests;
                for (int i = 0; i < 30; ++i)
                    requests.push_back(request("r" + std::to_string(i), 10 * random.unit(),
                                               static_cast<std::int64_t>(random.next() % 300), random.unit()));
                const auto admission = admit(policy, profile, {}, requests, 0);
                QVERIFY(admission);
                QVERIFY(admission->load.runningRequests <= profile.maxRunningRequests);
                QVERIFY(admission->load.reservedTokens <= profile.maxReservedTokens);
                for (const Decision& decision : admission->decisions)
                    if (decision.selected) QVERIFY(*decision.predictedTtftS <= requests[decision.request].deadlineS);
            }
        }
    }

    void leftOutForAnotherMembersDeadlineSaysSo() {
        // "early" would fit after "late"; at its place by deadline, its long answer would make the dearer "late" late.
        Profile profile = smallServer();
        profile.maxWorkS = 100;
        profile.decodeInterference = 1;
        std::vector requests{request("early", 4.25, 128, 1), request("late", 5, 384, 5)};
        requests[0].estimatedOutputTokens = 64;
        requests[1].estimatedOutputTokens = 0;
        const auto fits = admit(Policy::knapsack, profile, {}, requests, 0);
        QVERIFY(fits);
        QCOMPARE(fits->selected, std::vector<std::size_t>{1});
        QVERIFY(fits->decisions[0].reason == Reason::ttftDeadline);
        QVERIFY(*fits->decisions[0].predictedTtftS <= requests[0].deadlineS);
    }

    void unknownPolicyNamesTheNearest() {
        const auto policy = parsePolicy("knapsak");
        QVERIFY(!policy);
        QVERIFY(policy.error().hint.find("knapsack") != std::string::npos);
    }

    void requiredProfileFieldsHaveNoDefaults() {
        OrderedJson json{{"prefill_tokens_per_s", 128.0}, {"decode_tokens_per_s", 16.0}, {"max_running_requests", 4},
                         {"max_reserved_tokens", 10000}, {"max_work_s", 64.0}};
        QVERIFY(readProfile(json));
        QCOMPARE(readProfile(json)->knapsackWindow, std::int64_t{16});
        for (const char* field : {"prefill_tokens_per_s", "decode_tokens_per_s", "max_running_requests",
                                  "max_reserved_tokens", "max_work_s"}) {
            OrderedJson without = json;
            without.erase(field);
            const auto profile = readProfile(without);
            QVERIFY(!profile);
            QCOMPARE(profile.error().pointer, std::string("profile.") + field);
        }
    }

    void countsThatWouldOverflowAreRefused() {
        const OrderedJson json{{"running_requests", 0}, {"reserved_tokens", std::uint64_t{18446744073709551615u}},
                               {"remaining_prefill_tokens", 0}, {"remaining_decode_tokens", 0}};
        const auto load = readLoad(json);
        QVERIFY(!load);
        QCOMPARE(load.error().pointer, std::string("snapshot.reserved_tokens"));
    }
};

QTEST_APPLESS_MAIN(TestAdmission)
#include "tst_admission.moc"
