// SPDX-License-Identifier: MIT
#include "router/gateway/planning.h"

#include <QTest>
#include <stdexcept>

using namespace signalbox;
using namespace signalbox::gateway;

/// F73: what scoring does can fail no request.
class PlanningTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void F73_failureFallsBackToWhatNeedsNoScores() {
        policy::RequestContext context;
        const config::Principal principal;
        context.principal = &principal;
        context.profile = policy::smart::Profile::latency;
        context.assignment = policy::smart::assign("p", "session", "id");
        context.readSignals = [](std::size_t, std::span<policy::smart::CandidateSignals>) {
            throw std::runtime_error("a measurement failed");
        };
        int asked = 0;
        const PlanAnswer answer = planSafely(
            context, [&](const policy::RequestContext& with,
                         std::optional<policy::GroupRefusal>& refused) -> Result<policy::RoutePlan> {
                ++asked;
                if (with.readSignals) {
                    refused.emplace();
                    std::vector<policy::smart::CandidateSignals> none;
                    with.readSignals(0, none);
                }
                if (with.principal != &principal || with.profile || with.assignment.sessionHash)
                    return fail(ErrorKind::internal, "the second try must keep the principal and nothing else");
                policy::RoutePlan plan;
                plan.targets.push_back({"up", "m", std::nullopt});
                return plan;
            });
        QCOMPARE(asked, 2);
        QVERIFY(answer.degraded);
        QVERIFY2(answer.plan, answer.plan ? "" : answer.plan.error().text().c_str());
        QVERIFY(!answer.refused);
        QCOMPARE(answer.plan->targets[0].endpointId(), std::string("up:m"));
    }

    void wellBehavedPlanningIsAskedOnce() {
        int asked = 0;
        const PlanAnswer answer = planSafely(
            {}, [&](const policy::RequestContext&, std::optional<policy::GroupRefusal>&) -> Result<policy::RoutePlan> {
                ++asked;
                return fail(ErrorKind::notFound, "no such model");
            });
        QCOMPARE(asked, 1);
        QVERIFY(!answer.degraded && !answer.plan);
    }
};

QTEST_APPLESS_MAIN(PlanningTest)
#include "tst_planning.moc"
