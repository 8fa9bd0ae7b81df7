// SPDX-License-Identifier: MIT
#include "tests/router/policy/meeting_policy.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::policy;
using config::RoutingMode;
using test::meetingPolicy;
using test::request;
using test::route;
using test::says;

/// What a principal may use, on every way to an endpoint.
class TestPermissions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void principalListsHold_data();
    void principalListsHold();

    void modelsAreListedForWhoeverAsks() {
        auto builder = meetingPolicy(RoutingMode::shadow);
        const auto snapshot = builder.build();
        config::Principal bot{.id = "bot"};
        bot.allowedProviders = {"cloud"};
        std::vector<std::string> ids;
        for (const ListedModel& model : listModels(*snapshot, &bot)) ids.push_back(model.id);
        QCOMPARE(ids, (std::vector<std::string>{"auto", "big"}));
        bot.allowedGroups.emplace();
        QCOMPARE(listModels(*snapshot, &bot).size(), std::size_t{1});
    }

    /// Nor does it become another's where somebody lacks a key.
    void groupsThatMayNotBeUsedAreNotListed_data() {
        QTest::addColumn<QStringList>("callable");
        QTest::newRow("all can be called") << QStringList{QStringLiteral("lab"), QStringLiteral("annex"), QStringLiteral("cloud")};
        QTest::newRow("one can be called") << QStringList{QStringLiteral("cloud")};
        QTest::newRow("none can be called") << QStringList{};
    }
    void groupsThatMayNotBeUsedAreNotListed() {
        QFETCH(const QStringList, callable);
        auto builder = meetingPolicy(RoutingMode::shadow);
        const auto snapshot = builder.build();
        ProviderIds ids;
        for (const QString& id : callable) ids.insert(id.toStdString());
        config::Principal bot{.id = "bot"};
        bot.allowedGroups.emplace();
        QStringList listed;
        for (const ListedModel& model : listModels(*snapshot, &bot, &ids)) listed << QString::fromStdString(model.id);
        for (const char* alias : {"auto", "mine"}) QVERIFY2(!listed.contains(QLatin1String(alias)), alias);
        QVERIFY(listed.contains(QStringLiteral("big")) && listed.contains(QStringLiteral("moe-26b")));
    }
};

void TestPermissions::principalListsHold_data() {
    using List = std::optional<std::vector<std::string>>;
    QTest::addColumn<List>("groups");
    QTest::addColumn<List>("models");
    QTest::addColumn<List>("providers");
    QTest::addColumn<QString>("asked");
    QTest::addColumn<QString>("answer");  // the route, or a part of the refusal
    const List any = std::nullopt, nothing = std::vector<std::string>{};
    const auto row = [&](const char* tag, const List& groups, const List& models, const List& providers, const char* asked,
                         const char* answer) { QTest::newRow(tag) << groups << models << providers << QString::fromUtf8(asked) << QString::fromUtf8(answer); };
    const char* all = "-@cloud:big moe-default@lab:lab-k1 moe-wide@annex:annex-wide";
    row("no lists", any, any, any, "auto", all);
    row("group allowed", {{"chat"}}, any, any, "auto", all);
    row("another group", {{"other"}}, any, any, "auto", "may not use the smart group \"chat\"");
    row("no group at all", nothing, any, any, "auto", "allowed none at all");
    row("groups do not concern models", nothing, any, any, "moe-26b", "moe-default@lab:lab-k1");
    row("alias as model", any, {{"auto"}}, any, "auto", all);
    row("static alias of it", any, {{"auto"}}, any, "mine", all);
    row("static alias itself", any, {{"mine"}}, any, "mine", all);
    row("one candidate's model", any, {{"big"}}, any, "auto", "-@cloud:big");
    row("one candidate's endpoint", any, {{"lab:moe-26b"}}, any, "auto", "moe-default@lab:lab-k1");
    row("one provider", any, any, {{"annex"}}, "auto", "moe-wide@annex:annex-wide");
    row("provider and model", any, {{"big"}}, {{"annex"}}, "auto", "\"cloud:big\" is not among what principal \"bot\" may use");
    row("no model at all", any, nothing, any, "auto", "no candidate of the group");
    row("table name allowed", any, {{"moe-26b"}}, any, "moe-26b", "moe-default@lab:lab-k1");
    row("table model allowed", any, {{"moe-26b-it"}}, any, "moe-26b", "moe-default@lab:lab-k1");
    row("preset allowed", any, {{"moe-default"}}, any, "moe-26b", "moe-default@lab:lab-k1");
    row("table name not allowed", any, {{"big"}}, any, "moe-26b", "may not use the model \"moe-26b\"");
    row("table's provider not allowed", any, any, {{"cloud"}}, "moe-26b", "may not use the provider \"lab\"");
    row("explicit, allowed", any, {{"big"}}, any, "cloud:big", "-@cloud:big");
    row("explicit, not allowed, and no smart route instead", any, {{"auto"}}, any, "cloud:big", "may not use the model \"cloud:big\"");
    row("explicit provider", any, any, {{"lab"}}, "cloud:big", "\"cloud\" added to allowed_providers of [principals.bot]");
    row("inventory", any, {{"moe-26b"}}, any, "big", "It may use \"moe-26b\".");
    row("a pin is judged by itself", any, {{"auto"}}, any, "pin endpoint/cloud:big", "may not use the model \"cloud:big\"");
    row("a pin that is allowed", any, {{"moe-k4"}}, any, "pin preset/moe-k4", "moe-k4@lab:lab-k4");
}

void TestPermissions::principalListsHold() {
    using List = std::optional<std::vector<std::string>>;
    QFETCH(List, groups);
    QFETCH(List, models);
    QFETCH(List, providers);
    QFETCH(QString, asked);
    QFETCH(QString, answer);
    auto builder = meetingPolicy();
    builder.config().aliases["mine"] = "auto";
    const config::Principal bot{.id = "bot", .allowedGroups = groups, .allowedModels = models, .allowedProviders = providers};
    RequestContext context{.principal = &bot};
    std::string model = asked.toStdString();
    if (asked.startsWith(QLatin1String("pin "))) {
        context.pin = *parsePin(model.substr(4));
        model = "auto";
    }
    const auto plan = resolve(*builder.build(), request(model), context);
    if (plan) {
        QCOMPARE(route(plan), answer);
        return;
    }
    QVERIFY2(plan.error().kind == ErrorKind::denied, plan.error().text().c_str());
    QVERIFY2(says(plan, answer.toStdString()), plan.error().text().c_str());
    QVERIFY(!plan.error().hint.empty());
}

QTEST_APPLESS_MAIN(TestPermissions)
#include "tst_permissions.moc"
