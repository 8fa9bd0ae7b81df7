// SPDX-License-Identifier: MIT
#include "ui/pages/access/access_rows.h"

#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QDate>
#include <QLocale>
#include <QUrl>

#include <algorithm>

namespace signalbox::ui {

namespace {

struct AccessRowsWords {
    Q_DECLARE_TR_FUNCTIONS(AccessRows)
};

AccessCell plain(const QString& text, const QString& tip = {}) { return {text, {}, {}, {}, tip}; }
AccessCell toned(Tone tone, const QString& text, const QString& tip = {}) { return {text, {}, tone, {}, tip}; }
AccessCell number(const QString& text, double sort) { return {text, sort, {}, {}, {}}; }

bool isSet(const config::Environment& environment, const std::string& name) {
    const auto value = environment(name);
    return value && !value->empty();
}

AccessCell variableCell(const std::string& name, const config::Environment& environment, Tone missing) {
    return isSet(environment, name) ? toned(Tone::clear, AccessRowsWords::tr("%1, set").arg(format::text(name)), AccessRowsWords::tr("From this environment variable of the console"))
                                    : toned(missing, AccessRowsWords::tr("%1, not set").arg(format::text(name)), AccessRowsWords::tr("This environment variable of the console is not set"));
}

const engine::PrincipalUse* useOf(const std::string& id, const AccessFacts& facts) {
    const auto at = std::find_if(facts.use.begin(), facts.use.end(), [&](const engine::PrincipalUse& use) { return use.id == id; });
    return at == facts.use.end() ? nullptr : &*at;
}

std::vector<AccessRow> principalRows(const config::GatewayConfig& config, const AccessFacts& facts) {
    std::vector<AccessRow> rows;
    for (const config::Principal& principal : config.principals) {
        const engine::PrincipalUse* use = useOf(principal.id, facts);
        AccessCell rate = principal.requestsPerMinute ? number(format::count(*principal.requestsPerMinute), *principal.requestsPerMinute) : plain(AccessRowsWords::tr("no limit"));
        if (use != nullptr) rate.tip = AccessRowsWords::tr("%n request(s) in this minute", nullptr, static_cast<int>(use->requestsThisMinute));
        if (use != nullptr && principal.requestsPerMinute) rate.share = double(use->requestsThisMinute) / *principal.requestsPerMinute;
        const QString allowed = allowedWords(principal);
        const bool nothing = allowed == AccessRowsWords::tr("nothing");
        rows.push_back({{AccessList::principals, format::text(principal.id), {}, {}},
                        {plain(format::text(principal.id)), plain(format::text(principal.team)), tokenCell(principal, facts.environment),
                         nothing ? toned(Tone::caution, allowed, AccessRowsWords::tr("One of its lists is empty")) : plain(allowed), plain(principal.mayPin ? AccessRowsWords::tr("yes") : QString()), rate,
                         spendCell(principal, facts)}});
    }
    return rows;
}

AccessCell hostCell(const config::Provider& provider, const config::Environment& environment) {
    if (provider.protocol == config::Protocol::simulated) return plain(AccessRowsWords::tr("built in"));
    const auto url = config::effectiveBaseUrl(provider, environment);
    if (!url) return toned(Tone::danger, AccessRowsWords::tr("none"), provider.baseUrlEnv ? AccessRowsWords::tr("%1 is not set").arg(format::text(*provider.baseUrlEnv)) : QString());
    const QUrl parsed(format::text(*url));
    // What a variable holds may be no clean URL; its host is all that is shown of it.
    const QString host = parsed.port() < 0 ? parsed.host() : QStringLiteral("%1:%2").arg(parsed.host()).arg(parsed.port());
    return plain(host.isEmpty() ? AccessRowsWords::tr("no usable host") : host, provider.baseUrl == url ? QString() : AccessRowsWords::tr("From the environment"));
}

AccessCell keyCell(const config::Provider& provider, const config::Environment& environment) {
    if (provider.apiKeyEnv) return variableCell(*provider.apiKeyEnv, environment, provider.apiKeyRequired ? Tone::danger : Tone::caution);
    return provider.apiKeyRequired ? toned(Tone::danger, AccessRowsWords::tr("required, not named")) : plain(AccessRowsWords::tr("none"));
}

AccessCell modelsCell(const config::Provider& provider) {
    QStringList all;
    for (const std::string& model : provider.models) all << format::text(model);
    for (const std::string& prefix : provider.modelPrefixes) all << format::text(prefix) + QLatin1Char('*');
    if (provider.passthroughUnknownModels) all << AccessRowsWords::tr("any name");
    AccessCell cell = plain(all.isEmpty() ? AccessRowsWords::tr("none") : all.join(QStringLiteral(", ")), all.join(QLatin1Char('\n')));
    cell.sort = static_cast<int>(all.size());
    return cell;
}

AccessCell callableCell(const config::Provider& provider, const config::Environment& environment) {
    if (!provider.isCallable()) return toned(Tone::danger, format::text(provider.whyNotCallable()));
    if (provider.protocol != config::Protocol::simulated && !config::effectiveBaseUrl(provider, environment)) return toned(Tone::danger, AccessRowsWords::tr("no base URL is set"));
    if (provider.apiKeyRequired && !(provider.apiKeyEnv && isSet(environment, *provider.apiKeyEnv))) return toned(Tone::danger, AccessRowsWords::tr("its key is missing"));
    return toned(Tone::clear, AccessRowsWords::tr("yes"));
}

std::vector<AccessRow> providerRows(const config::GatewayConfig& config, const AccessFacts& facts) {
    std::vector<AccessRow> rows;
    for (const config::Provider& provider : config.providers) {
        const QString can = capabilityWords(provider.capabilities);
        rows.push_back({{AccessList::providers, format::text(provider.id), {}, {}},
                        {plain(format::text(provider.id), format::text(provider.displayName)), plain(format::text(config::toString(provider.protocol))),
                         hostCell(provider, facts.environment), keyCell(provider, facts.environment), modelsCell(provider), callableCell(provider, facts.environment),
                         plain(can.isEmpty() ? AccessRowsWords::tr("not said") : can)}});
    }
    return rows;
}

QString rate(double perMillion) { return QLocale().toString(perMillion, 'f', perMillion != 0 && perMillion < 0.1 ? 3 : 2); }

AccessRow priceRow(const config::Provider& provider, const QString& model, const config::Pricing& price, Timestamp now) {
    AccessCell age = plain(priceAge(price, now), price.effectiveAt ? AccessRowsWords::tr("In force since %1").arg(format::text(*price.effectiveAt)) : AccessRowsWords::tr("Nobody wrote effective_at"));
    age.sort = price.effectiveAt ? format::text(*price.effectiveAt) : QString();
    return {{AccessList::prices, format::text(provider.id), model, {}},
            {plain(format::text(provider.id)), plain(model.isEmpty() ? AccessRowsWords::tr("every other model") : model), number(rate(price.inputPerMillion), price.inputPerMillion),
             number(rate(price.outputPerMillion), price.outputPerMillion), number(rate(price.cacheReadPerMillion), price.cacheReadPerMillion),
             number(rate(price.cacheWritePerMillion), price.cacheWritePerMillion), age, plain(price.source ? format::text(*price.source) : format::none())}};
}

std::vector<AccessRow> priceRows(const config::GatewayConfig& config, const AccessFacts& facts) {
    std::vector<AccessRow> rows;
    for (const config::Provider& provider : config.providers) {
        for (const auto& [model, price] : provider.modelPricing) rows.push_back(priceRow(provider, format::text(model), price, facts.now));
        if (provider.pricing) rows.push_back(priceRow(provider, {}, *provider.pricing, facts.now));
    }
    return rows;
}

std::vector<AccessRow> aliasRows(const config::GatewayConfig& config) {
    std::vector<AccessRow> rows;
    for (const auto& [name, target] : config.aliases)
        rows.push_back({{AccessList::aliases, format::text(name), {}, {}}, {plain(format::text(name)), plain(AccessRowsWords::tr("static")), plain(format::text(target))}});
    for (const config::SmartGroup& group : config.routing.groups)
        for (const std::string& alias : group.aliases)
            rows.push_back({{AccessList::aliases, format::text(alias), {}, format::text(group.id)},
                            {plain(format::text(alias)), toned(Tone::info, AccessRowsWords::tr("smart")),
                             plain(AccessRowsWords::tr("group %1, %n candidate(s)", nullptr, static_cast<int>(group.candidates.size())).arg(format::text(group.id)))}});
    return rows;
}

}  // namespace

std::vector<AccessRow> accessRows(AccessList list, const config::GatewayConfig& config, const AccessFacts& facts) {
    switch (list) {
    case AccessList::principals: return principalRows(config, facts);
    case AccessList::providers: return providerRows(config, facts);
    case AccessList::prices: return priceRows(config, facts);
    case AccessList::aliases: break;
    }
    return aliasRows(config);
}

bool isUnrestricted(const config::Principal& principal) { return !principal.allowedGroups && !principal.allowedModels && !principal.allowedProviders; }

QString allowedWords(const config::Principal& principal) {
    if (isUnrestricted(principal)) return AccessRowsWords::tr("everything");
    const auto isEmpty = [](const auto& list) { return list && list->empty(); };
    // No request gets by an empty list of models or providers; without groups the rest is still open.
    if (isEmpty(principal.allowedModels) || isEmpty(principal.allowedProviders)) return AccessRowsWords::tr("nothing");
    QStringList parts;
    if (principal.allowedGroups) parts << (principal.allowedGroups->empty() ? AccessRowsWords::tr("no group") : AccessRowsWords::tr("%n group(s)", nullptr, static_cast<int>(principal.allowedGroups->size())));
    if (principal.allowedModels) parts << AccessRowsWords::tr("%n model(s)", nullptr, static_cast<int>(principal.allowedModels->size()));
    if (principal.allowedProviders) parts << AccessRowsWords::tr("%n provider(s)", nullptr, static_cast<int>(principal.allowedProviders->size()));
    return parts.join(QStringLiteral(", "));
}

AccessCell tokenCell(const config::Principal& principal, const config::Environment& environment) {
    if (principal.tokenEnv) return variableCell(*principal.tokenEnv, environment, Tone::caution);
    if (principal.tokenSha256) return toned(Tone::clear, AccessRowsWords::tr("by its SHA-256"), AccessRowsWords::tr("The file holds the SHA-256 of the token"));
    return toned(Tone::caution, AccessRowsWords::tr("none, so nobody"), AccessRowsWords::tr("Nobody can be this principal without a token"));
}

AccessCell spendCell(const config::Principal& principal, const AccessFacts& facts) {
    const engine::PrincipalUse* use = useOf(principal.id, facts);
    const auto limit = principal.monthlyBudgetHardUsd ? principal.monthlyBudgetHardUsd : principal.monthlyBudgetSoftUsd;
    AccessCell cell = plain(limit ? AccessRowsWords::tr("unknown, of %1").arg(usd(*limit)) : AccessRowsWords::tr("unknown"),
                            AccessRowsWords::tr("The gateway does not run, or history has not been asked yet"));
    cell.sort = -1.0;
    if (use == nullptr || !use->spentKnown) return cell;
    cell.text = limit ? AccessRowsWords::tr("%1 of %2").arg(usd(use->spentUsd), usd(*limit)) : usd(use->spentUsd);
    cell.sort = use->spentUsd;
    cell.tip = AccessRowsWords::tr("Estimate since the first of the month, UTC");
    if (limit) cell.share = use->spentUsd / *limit;
    if (principal.monthlyBudgetHardUsd && use->spentUsd >= *principal.monthlyBudgetHardUsd) {
        cell.tone = Tone::danger;
        cell.tip = AccessRowsWords::tr("Over its hard budget: its requests are refused until the month ends");
    } else if (principal.monthlyBudgetSoftUsd && use->spentUsd >= *principal.monthlyBudgetSoftUsd) {
        cell.tone = Tone::caution;
        cell.tip = AccessRowsWords::tr("Over its soft budget of %1").arg(usd(*principal.monthlyBudgetSoftUsd));
    }
    return cell;
}

QString usd(double amount) { return QStringLiteral("$") + QLocale().toString(amount, 'f', 2); }

QString capabilityWords(const config::Capabilities& can) {
    QStringList parts;
    const auto add = [&](const std::optional<bool>& flag, const QString& yes, const QString& no) {
        if (flag) parts << (*flag ? yes : no);
    };
    add(can.tools, AccessRowsWords::tr("tools"), AccessRowsWords::tr("no tools"));
    if (can.tools.value_or(true)) add(can.parallelTools, AccessRowsWords::tr("parallel tools"), AccessRowsWords::tr("one tool at a time"));
    add(can.structuredOutput, AccessRowsWords::tr("structured"), AccessRowsWords::tr("not structured"));
    add(can.vision, AccessRowsWords::tr("vision"), AccessRowsWords::tr("no vision"));
    if (can.contextTokens) parts << AccessRowsWords::tr("%1 tokens").arg(format::count(*can.contextTokens));
    if (can.maxOutputTokens) parts << AccessRowsWords::tr("%1 out").arg(format::count(*can.maxOutputTokens));
    return parts.join(QStringLiteral(", "));
}

QString priceAge(const config::Pricing& price, Timestamp now) {
    if (!price.effectiveAt) return AccessRowsWords::tr("unknown");
    const QDate day = QDate::fromString(format::text(*price.effectiveAt).left(10), Qt::ISODate);
    if (!day.isValid()) return format::text(*price.effectiveAt);
    const qint64 days = day.daysTo(format::local(now).toUTC().date());
    if (days < 0) return AccessRowsWords::tr("from %1 on").arg(QLocale().toString(day, QLocale::ShortFormat));
    if (days < 60) return AccessRowsWords::tr("%n day(s) old", nullptr, static_cast<int>(days));
    return AccessRowsWords::tr("%n month(s) old", nullptr, static_cast<int>(days / 30));
}

}  // namespace signalbox::ui
