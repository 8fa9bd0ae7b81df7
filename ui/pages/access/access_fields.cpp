// SPDX-License-Identifier: MIT
#include "ui/pages/access/access_fields.h"

#include "router/config/source.h"
#include "ui/pages/access/access_edits.h"
#include "ui/theme/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace signalbox::ui {
namespace {

struct AccessFieldsWords {
    Q_DECLARE_TR_FUNCTIONS(AccessFields)
};

using config::GatewayConfig;

template <class T>
FieldValue valueOf(const std::optional<T>& value) {
    if (!value) return {};
    if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>) return static_cast<std::int64_t>(*value);
    else return config::Scalar(*value);
}

const config::Principal* findPrincipal(const GatewayConfig& config, const std::string& id) {
    const auto at = std::find_if(config.principals.begin(), config.principals.end(), [&](const config::Principal& p) { return p.id == id; });
    return at == config.principals.end() ? nullptr : &*at;
}

std::vector<std::pair<config::Scalar, QString>> yesNo() { return {{true, AccessFieldsWords::tr("yes")}, {false, AccessFieldsWords::tr("no")}}; }

config::Path below(config::Path path, std::initializer_list<const char*> steps) {
    for (const char* step : steps) path.emplace_back(std::string(step));
    return path;
}

/// Builds the fields of one thing; `Thing` is found anew in every configuration.
template <class Thing>
class Fields {
public:
    Fields(config::Path path, std::function<const Thing*(const GatewayConfig&)> find) : m_path(std::move(path)), m_find(std::move(find)) {}

    template <class Read>
    BoundField& add(FieldSpec spec, std::initializer_list<const char*> steps, Read read) {
        const config::Path path = below(m_path, steps);
        m_fields.push_back({std::move(spec), path,
                            [find = m_find, read, written = config::dottedPath(path)](const GatewayConfig& config) -> FieldValue {
                                const Thing* thing = find(config);
                                if (thing == nullptr) return {};
                                // F83: where reading cannot tell a default from what is written, the file can.
                                if constexpr (std::is_invocable_v<Read, const Thing&, bool>) return read(*thing, config.isInFile(written));
                                else return read(*thing);
                            },
                            {}, {}});
        return m_fields.back();
    }
    /// A name that is the last key of the path.
    void addName(FieldSpec spec, const std::string& name) {
        m_fields.push_back({std::move(spec), m_path, [name](const GatewayConfig&) -> FieldValue { return config::Scalar(name); }, {},
                            [path = m_path](std::string_view text, const FieldValue& value) -> Result<std::string> {
                                if (!value) return fail(ErrorKind::badInput, "a name is needed", {}, "Write one, or press Escape.");
                                return config::renameTable(text, path, std::get<std::string>(*value));
                            },
                            true});
    }
    std::vector<BoundField> take() { return std::move(m_fields); }

private:
    config::Path m_path;
    std::function<const Thing*(const GatewayConfig&)> m_find;
    std::vector<BoundField> m_fields;
};

std::vector<BoundField> principalFields(const AccessKey& key) {
    using P = config::Principal;
    const std::string id = format::utf8(key.name);
    Fields<P> fields(pathOf(key), [id](const GatewayConfig& config) { return findPrincipal(config, id); });
    fields.addName({"id", AccessFieldsWords::tr("Name"), FieldKind::id, {}, {}, {}}, id);
    fields.add({"team", AccessFieldsWords::tr("Team"), FieldKind::text, AccessFieldsWords::tr("no team"), {}, {}}, {"team"},
               [](const P& p, bool written) { return written ? FieldValue(p.team) : FieldValue(); });
    fields.add({"token_env", AccessFieldsWords::tr("Token from the variable"), FieldKind::id, AccessFieldsWords::tr("no variable"), AccessFieldsWords::tr("The name of the variable, never the token."), {}},
               {"token_env"}, [](const P& p) { return valueOf(p.tokenEnv); });
    fields.add({"token_sha256", AccessFieldsWords::tr("Or the SHA-256 of the token"), FieldKind::id, AccessFieldsWords::tr("not given"), {}, {}}, {"token_sha256"},
               [](const P& p) { return valueOf(p.tokenSha256); });
    const QString unrestricted = AccessFieldsWords::tr("Unrestricted");
    fields.add({"allowed_groups", AccessFieldsWords::tr("Smart groups"), FieldKind::list, unrestricted, {}, {}}, {"allowed_groups"}, [](const P& p) { return valueOf(p.allowedGroups); });
    fields.add({"allowed_models", AccessFieldsWords::tr("Models"), FieldKind::list, unrestricted, {}, {}}, {"allowed_models"}, [](const P& p) { return valueOf(p.allowedModels); });
    fields.add({"allowed_providers", AccessFieldsWords::tr("Providers"), FieldKind::list, unrestricted, {}, {}}, {"allowed_providers"},
               [](const P& p) { return valueOf(p.allowedProviders); });
    fields.add({"requests_per_minute", AccessFieldsWords::tr("Requests a minute"), FieldKind::integer, AccessFieldsWords::tr("no limit"), {}, {}}, {"requests_per_minute"},
               [](const P& p) { return valueOf(p.requestsPerMinute); });
    fields.add({"monthly_budget_soft_usd", AccessFieldsWords::tr("Soft budget, US dollars a month"), FieldKind::number, AccessFieldsWords::tr("none"), AccessFieldsWords::tr("From here on a warning."), {}},
               {"monthly_budget_soft_usd"}, [](const P& p) { return valueOf(p.monthlyBudgetSoftUsd); });
    fields.add({"monthly_budget_hard_usd", AccessFieldsWords::tr("Hard budget, US dollars a month"), FieldKind::number, AccessFieldsWords::tr("none"), AccessFieldsWords::tr("From here on requests are refused with 429."), {}},
               {"monthly_budget_hard_usd"}, [](const P& p) { return valueOf(p.monthlyBudgetHardUsd); });
    fields.add({"expected_length", AccessFieldsWords::tr("Default hint: expected length"), FieldKind::choice, AccessFieldsWords::tr("none"), {},
                {{std::string("short"), AccessFieldsWords::tr("short")}, {std::string("medium"), AccessFieldsWords::tr("medium")}, {std::string("long"), AccessFieldsWords::tr("long")}}},
               {"hints", "expected_length"}, [](const P& p) { return valueOf(p.defaultExpectedLength); });
    fields.add({"category", AccessFieldsWords::tr("Default hint: category"), FieldKind::choice, AccessFieldsWords::tr("none"), {}, {{std::string("code"), AccessFieldsWords::tr("code")}}}, {"hints", "category"},
               [](const P& p) { return valueOf(p.defaultCategory); });
    fields.add({"input_tokens", AccessFieldsWords::tr("Default hint: input tokens"), FieldKind::integer, AccessFieldsWords::tr("none"), {}, {}}, {"hints", "input_tokens"}, [](const P& p) {
        return p.defaultInputTokens ? FieldValue(static_cast<std::int64_t>(std::stoll(*p.defaultInputTokens))) : FieldValue();
    });
    fields.add({"may_pin", AccessFieldsWords::tr("May pin a preset or endpoint"), FieldKind::choice, AccessFieldsWords::tr("no, unless written"), {}, yesNo()}, {"may_pin"},
               [](const P& p, bool written) { return written ? FieldValue(p.mayPin) : FieldValue(); });
    return fields.take();
}

void addCapabilities(Fields<config::Provider>& fields, const config::Path& provider) {
    using P = config::Provider;
    const QString notSaid = AccessFieldsWords::tr("not said");
    const auto flag = [&](const char* key, const QString& name, std::optional<bool> config::Capabilities::* member, const char* theirs) {
        BoundField& field = fields.add({key, name, FieldKind::choice, notSaid, {}, yesNo()}, {"capabilities", key},
                                       [member](const P& p) { return valueOf(p.capabilities.*member); });
        if (theirs != nullptr) field.alsoFrom.push_back(below(provider, {"tool_use", theirs}));
    };
    flag("tools", AccessFieldsWords::tr("Tools"), &config::Capabilities::tools, "supported");
    flag("parallel_tools", AccessFieldsWords::tr("Several tools at once"), &config::Capabilities::parallelTools, "parallel_tool_calls");
    flag("structured_output", AccessFieldsWords::tr("Structured output"), &config::Capabilities::structuredOutput, nullptr);
    flag("vision", AccessFieldsWords::tr("Vision"), &config::Capabilities::vision, nullptr);
    const auto tokens = [&](const char* key, const QString& name, std::optional<std::uint64_t> config::Capabilities::* member) {
        BoundField& field = fields.add({key, name, FieldKind::integer, notSaid, {}, {}}, {"capabilities", key},
                                       [member](const P& p) { return valueOf(p.capabilities.*member); });
        field.alsoFrom.push_back(below(provider, {"token_counting", key}));
    };
    tokens("context_tokens", AccessFieldsWords::tr("Context, tokens"), &config::Capabilities::contextTokens);
    tokens("max_output_tokens", AccessFieldsWords::tr("Longest output, tokens"), &config::Capabilities::maxOutputTokens);
}

std::vector<BoundField> providerFields(const AccessKey& key) {
    using P = config::Provider;
    const std::string id = format::utf8(key.name);
    Fields<P> fields(pathOf(key), [id](const GatewayConfig& config) { return config.findProvider(id); });
    fields.add({"display_name", AccessFieldsWords::tr("Shown as"), FieldKind::text, key.name, {}, {}}, {"display_name"},
               [](const P& p, bool written) { return written ? FieldValue(p.displayName) : FieldValue(); });
    fields.add({"protocol", AccessFieldsWords::tr("Protocol"), FieldKind::choice, AccessFieldsWords::tr("openai_compat, unless written"), {},
                {{std::string("openai_compat"), QStringLiteral("openai_compat")}, {std::string("anthropic"), QStringLiteral("anthropic")}, {std::string("simulated"), QStringLiteral("simulated")}}},
               {"protocol"}, [](const P& p, bool written) { return written ? FieldValue(std::string(config::toString(p.protocol))) : FieldValue(); });
    fields.add({"base_url", AccessFieldsWords::tr("Base URL"), FieldKind::id, AccessFieldsWords::tr("none"), {}, {}}, {"base_url"}, [](const P& p) { return valueOf(p.baseUrl); });
    fields.add({"base_url_env", AccessFieldsWords::tr("Or the base URL from the variable"), FieldKind::id, AccessFieldsWords::tr("no variable"), {}, {}}, {"base_url_env"},
               [](const P& p) { return valueOf(p.baseUrlEnv); });
    fields.add({"api_key_env", AccessFieldsWords::tr("Key from the variable"), FieldKind::id, AccessFieldsWords::tr("no key"), AccessFieldsWords::tr("The name of the variable, never the key."), {}}, {"api_key_env"},
               [](const P& p) { return valueOf(p.apiKeyEnv); });
    fields.add({"api_key_required", AccessFieldsWords::tr("Key required"), FieldKind::choice, AccessFieldsWords::tr("if a variable is named, unless written"), {}, yesNo()}, {"api_key_required"},
               [](const P& p, bool written) { return written ? FieldValue(p.apiKeyRequired) : FieldValue(); });
    fields.add({"proxy", AccessFieldsWords::tr("Reached through the proxy"), FieldKind::id, AccessFieldsWords::tr("none, it is reached directly"), AccessFieldsWords::tr("http://HOST:PORT. Proxies of the environment are not used."), {}},
               {"proxy"}, [](const P& p) { return valueOf(p.proxy); });
    fields.add({"proxy_auth_env", AccessFieldsWords::tr("Proxy login from the variable"), FieldKind::id, AccessFieldsWords::tr("no login"), AccessFieldsWords::tr("The name of a variable that holds USER:PASSWORD, never the password."), {}},
               {"proxy_auth_env"}, [](const P& p) { return valueOf(p.proxyAuthEnv); });
    fields.add({"models", AccessFieldsWords::tr("Models"), FieldKind::list, AccessFieldsWords::tr("None listed"), {}, {}}, {"models"},
               [](const P& p, bool written) { return written ? FieldValue(p.models) : FieldValue(); });
    fields.add({"default_model", AccessFieldsWords::tr("Default model"), FieldKind::id, AccessFieldsWords::tr("none"), {}, {}}, {"default_model"}, [](const P& p) { return valueOf(p.defaultModel); });
    addCapabilities(fields, pathOf(key));
    return fields.take();
}

std::vector<BoundField> priceFields(const AccessKey& key) {
    using P = config::Pricing;
    const std::string provider = format::utf8(key.name), model = format::utf8(key.model);
    Fields<P> fields(pathOf(key), [provider, model](const GatewayConfig& config) -> const P* {
        const config::Provider* owner = config.findProvider(provider);
        if (owner == nullptr) return nullptr;
        if (model.empty()) return owner->pricing ? &*owner->pricing : nullptr;
        const auto at = owner->modelPricing.find(model);
        return at == owner->modelPricing.end() ? nullptr : &at->second;
    });
    if (!model.empty()) fields.addName({"model", AccessFieldsWords::tr("Model"), FieldKind::id, {}, {}, {}}, model);
    const auto rate = [&](const char* k, const QString& name, double P::* member) {
        fields.add({k, name, FieldKind::number, QStringLiteral("0"), {}, {}}, {k}, [member](const P& p, bool written) { return written ? FieldValue(p.*member) : FieldValue(); });
    };
    rate("input_per_million", AccessFieldsWords::tr("Input, US dollars per million tokens"), &P::inputPerMillion);
    rate("output_per_million", AccessFieldsWords::tr("Output, US dollars per million tokens"), &P::outputPerMillion);
    rate("cache_read_per_million", AccessFieldsWords::tr("Read from a cache, US dollars per million"), &P::cacheReadPerMillion);
    rate("cache_write_per_million", AccessFieldsWords::tr("Written to a cache, US dollars per million"), &P::cacheWritePerMillion);
    fields.add({"effective_at", AccessFieldsWords::tr("In force since"), FieldKind::text, AccessFieldsWords::tr("unknown"), AccessFieldsWords::tr("A date, such as 2026-03-01."), {}}, {"effective_at"},
               [](const P& p) { return valueOf(p.effectiveAt); });
    fields.add({"source", AccessFieldsWords::tr("Source"), FieldKind::text, AccessFieldsWords::tr("nobody said"), {}, {}}, {"source"}, [](const P& p) { return valueOf(p.source); });
    return fields.take();
}

std::vector<BoundField> aliasFields(const AccessKey& key) {
    if (!key.group.isEmpty()) return {};
    const std::string name = format::utf8(key.name);
    const auto target = [name](const GatewayConfig& config) -> FieldValue {
        const auto at = config.aliases.find(name);
        return at == config.aliases.end() ? FieldValue() : FieldValue(at->second);
    };
    std::vector<BoundField> out;
    out.push_back({{"name", AccessFieldsWords::tr("Name"), FieldKind::id, {}, AccessFieldsWords::tr("What clients send as model."), {}}, pathOf(key),
                   [name](const GatewayConfig&) -> FieldValue { return config::Scalar(name); }, {},
                   [name](std::string_view text, const FieldValue& value) { return renameAlias(text, name, value); }, true});
    out.push_back({{"target", AccessFieldsWords::tr("Leads to"), FieldKind::id, {}, AccessFieldsWords::tr("provider:model, a preset, a model, or another alias."), {}}, pathOf(key), target, {},
                   [path = pathOf(key)](std::string_view text, const FieldValue& value) -> Result<std::string> {
                       if (!value) return fail(ErrorKind::badInput, "an alias leads somewhere", {}, "Write provider:model, or delete the alias.");
                       return config::setValue(text, path, *value);
                   }});
    return out;
}

}  // namespace

std::vector<BoundField> accessFields(const AccessKey& key) {
    switch (key.list) {
    case AccessList::principals: return principalFields(key);
    case AccessList::providers: return providerFields(key);
    case AccessList::prices: return priceFields(key);
    case AccessList::aliases: break;
    }
    return aliasFields(key);
}

std::vector<FieldSpec> newFields(AccessList list, const GatewayConfig& config) {
    if (list == AccessList::principals)
        return {{"name", AccessFieldsWords::tr("Name"), FieldKind::id, AccessFieldsWords::tr("such as support-bot"), {}, {}},
                {"team", AccessFieldsWords::tr("Team"), FieldKind::text, AccessFieldsWords::tr("no team"), {}, {}},
                {"token_env", AccessFieldsWords::tr("Token from the variable"), FieldKind::id, AccessFieldsWords::tr("such as SUPPORT_BOT_TOKEN"), AccessFieldsWords::tr("The name of the variable, never the token."), {}}};
    if (list == AccessList::aliases)
        return {{"name", AccessFieldsWords::tr("Name"), FieldKind::id, AccessFieldsWords::tr("such as fast"), AccessFieldsWords::tr("What clients send as model."), {}},
                {"target", AccessFieldsWords::tr("Leads to"), FieldKind::id, AccessFieldsWords::tr("provider:model"), AccessFieldsWords::tr("provider:model, a preset, a model, or another alias."), {}}};
    FieldSpec provider{"provider", AccessFieldsWords::tr("Provider"), FieldKind::choice, AccessFieldsWords::tr("Choose one"), {}, {}};
    for (const config::Provider& known : config.providers) provider.choices.emplace_back(known.id, format::text(known.id));
    return {provider,
            {"model", AccessFieldsWords::tr("Model"), FieldKind::id, AccessFieldsWords::tr("every other model"), {}, {}},
            {"input_per_million", AccessFieldsWords::tr("Input, US dollars per million tokens"), FieldKind::number, AccessFieldsWords::tr("such as 0.28"), {}, {}},
            {"output_per_million", AccessFieldsWords::tr("Output, US dollars per million tokens"), FieldKind::number, AccessFieldsWords::tr("such as 0.42"), {}, {}},
            {"effective_at", AccessFieldsWords::tr("In force since"), FieldKind::text, AccessFieldsWords::tr("unknown"), AccessFieldsWords::tr("A date, such as 2026-03-01."), {}},
            {"source", AccessFieldsWords::tr("Source"), FieldKind::text, AccessFieldsWords::tr("nobody said"), {}, {}}};
}

}  // namespace signalbox::ui
