// SPDX-License-Identifier: MIT
// Which of several refusals a client is told, by each of the three that keep score: what may be asked again comes before
// what is refused for good, whatever their order.
#include "router/strategy/course.h"
#include "router/strategy/routewise/pool_verdict.h"
#include "router/strategy/stage_verdict.h"

#include <functional>
#include <QTest>

using namespace signalbox;
using namespace signalbox::strategy;
using dispatch::UpstreamFailure;
using Kind = UpstreamFailure::Kind;

namespace {

UpstreamFailure failureOf(Kind kind, int status, const char* code, std::optional<std::chrono::seconds> retryAfter = std::nullopt) {
    UpstreamFailure out;
    out.kind = kind;
    out.status = status;
    out.code = code;
    out.retryAfter = retryAfter;
    return out;
}

const UpstreamFailure kForGood = failureOf(Kind::refused, 400, "cannot_be_translated");
const UpstreamFailure kAlsoForGood = failureOf(Kind::refused, 404, "no_such_operation");
const UpstreamFailure kCools = failureOf(Kind::refused, 0, "circuit_open", std::chrono::seconds(7));
const UpstreamFailure kUsedUp = failureOf(Kind::refused, 429, "budget", std::chrono::seconds(3));
const UpstreamFailure kLacksKey = failureOf(Kind::refused, 0, "provider_not_callable");
const UpstreamFailure kBroke = failureOf(Kind::status, 503, "status_503");

using Told = std::function<UpstreamFailure(const std::vector<UpstreamFailure>&)>;

UpstreamFailure toldByCourse(const std::vector<UpstreamFailure>& all) {
    std::vector<policy::RouteTarget> targets;
    for (std::size_t i = 0; i < all.size(); ++i) targets.push_back({"p" + std::to_string(i), "m"});
    Course course(targets, true, nullptr);
    for (const UpstreamFailure& one : all) {
        if (!course.next()) qFatal("the course ended early");
        course.failed(one);
    }
    return course.failure();
}

UpstreamFailure toldByStages(const std::vector<UpstreamFailure>& all) {
    StageVerdict verdict(true, nullptr);
    for (std::size_t i = 0; i < all.size(); ++i) (void)verdict.mayGoOn(all[i], all.size() - i - 1);
    return verdict.failure();
}

UpstreamFailure toldByPool(const std::vector<UpstreamFailure>& all) {
    routewise::PoolVerdict verdict(true, nullptr);
    for (const UpstreamFailure& one : all) one.sent() ? verdict.failed(one) : verdict.refused(one);
    verdict.nothingLeft();
    return *verdict.failure();
}

}  // namespace

class TestVerdicts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsTold_data() {
        QTest::addColumn<int>("teller");
        QTest::addColumn<QString>("order");
        QTest::addColumn<QString>("told");
        const char* const tellers[] = {"course", "stages", "pool"};
        const struct { const char* order; const char* told; } rows[] = {
            {"for-good cools", "circuit_open"}, {"cools for-good", "circuit_open"},
            {"for-good used-up", "budget"},     {"used-up for-good", "budget"},
            {"for-good broke", "status_503"},   {"broke for-good", "status_503"},
            {"broke cools", "status_503"},      {"cools broke", "status_503"},
            {"for-good also-for-good", "cannot_be_translated"},
            {"also-for-good for-good", "no_such_operation"},
            {"cools used-up", "circuit_open"},  {"used-up cools", "budget"},
            {"for-good cools also-for-good used-up", "circuit_open"},
            // What a provider lacks says nothing of the request, in whichever place it stands.
            {"lacks-key for-good", "cannot_be_translated"}, {"for-good lacks-key", "cannot_be_translated"},
            {"lacks-key used-up", "budget"},    {"used-up lacks-key", "budget"},
            {"lacks-key cools", "circuit_open"}, {"cools lacks-key", "circuit_open"},
            {"lacks-key broke", "status_503"},  {"lacks-key lacks-key", "provider_not_callable"},
            {"lacks-key for-good cools", "circuit_open"},
        };
        for (int teller = 0; teller < 3; ++teller)
            for (const auto& row : rows)
                QTest::addRow("%s: %s", tellers[teller], row.order) << teller << QString::fromLatin1(row.order) << QString::fromLatin1(row.told);
    }
    void whatIsTold() {
        QFETCH(int, teller);
        QFETCH(QString, order);
        QFETCH(QString, told);
        const std::map<QString, UpstreamFailure> named{{QStringLiteral("for-good"), kForGood}, {QStringLiteral("also-for-good"), kAlsoForGood},
                                                       {QStringLiteral("cools"), kCools}, {QStringLiteral("used-up"), kUsedUp},
                                                       {QStringLiteral("broke"), kBroke}, {QStringLiteral("lacks-key"), kLacksKey}};
        std::vector<UpstreamFailure> all;
        for (const QString& name : order.split(QLatin1Char(' '))) all.push_back(named.at(name));
        const Told tellers[] = {toldByCourse, toldByStages, toldByPool};
        const UpstreamFailure failure = tellers[teller](all);
        QCOMPARE(QString::fromStdString(failure.code), told);
        if (failure.code == "circuit_open" || failure.code == "budget") QVERIFY(failure.retryAfter.has_value());
        // Where several say when, the first moment counts.
        if (teller > 0 && order.contains(QStringLiteral("cools")) && order.contains(QStringLiteral("used-up")))
            QCOMPARE(failure.retryAfter->count(), 3);
    }

    // Contract C: with a refusal nothing was sent, so that the next permitted attempt runs, also for a pinned request.
    void refusalsGoOnWhereFallbackIsNotAllowed_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("goesOn");
        QTest::newRow("refused") << static_cast<int>(Kind::refused) << true;
        QTest::newRow("failed") << static_cast<int>(Kind::status) << false;
    }
    void refusalsGoOnWhereFallbackIsNotAllowed() {
        QFETCH(int, kind);
        QFETCH(bool, goesOn);
        const UpstreamFailure failure = failureOf(static_cast<Kind>(kind), static_cast<Kind>(kind) == Kind::status ? 503 : 0, "one");
        std::vector<policy::RouteTarget> targets{{"p0", "m"}, {"p1", "m"}};
        Course course(targets, false, nullptr);
        QVERIFY(course.next());
        course.failed(failure);
        QCOMPARE(course.next().has_value(), goesOn);
        StageVerdict stages(false, nullptr);
        QCOMPARE(stages.mayGoOn(failure, 1), goesOn);
        routewise::PoolVerdict pool(false, nullptr);
        failure.sent() ? pool.failed(failure) : pool.refused(failure);
        QCOMPARE(!pool.ended(), goesOn);
    }

    // F50: who named the target is told that nobody else was to be asked, also where it refused, or cools.
    void whyANamedTargetHasNoFallback_data() {
        QTest::addColumn<bool>("named");
        QTest::addColumn<QString>("ending");
        for (const bool named : {true, false})
            for (const char* ending : {"used-up", "broke", "cools"})
                QTest::addRow("%s, %s", named ? "named" : "one of a plan", ending) << named << QString::fromLatin1(ending);
    }
    void whyANamedTargetHasNoFallback() {
        QFETCH(bool, named);
        QFETCH(QString, ending);
        std::string why;
        std::vector<policy::RouteTarget> targets{{"p0", "m"}};
        Course course(targets, !named, &why);
        const auto step = course.next();
        QVERIFY(step.has_value());
        if (ending == QStringLiteral("cools")) {
            course.passedOver(*step, 0, kCools);
            QVERIFY(course.next().has_value());  // the last resort
        }
        course.failed(ending == QStringLiteral("broke") ? kBroke : kUsedUp);
        QVERIFY(!course.next());
        QCOMPARE(why, std::string(named ? "not_allowed" : "last_target"));
    }
};

QTEST_APPLESS_MAIN(TestVerdicts)
#include "tst_verdicts.moc"
