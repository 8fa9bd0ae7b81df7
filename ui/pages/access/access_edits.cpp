// SPDX-License-Identifier: MIT
#include "ui/pages/access/access_edits.h"

#include "router/config/read.h"
#include "router/config/source.h"
#include "ui/theme/format.h"

namespace signalbox::ui {

config::Path pathOf(const AccessKey& key) {
    const std::string name = format::utf8(key.name);
    switch (key.list) {
    case AccessList::principals: return {"principals", name};
    case AccessList::providers: return {"providers", name};
    case AccessList::prices:
        return key.model.isEmpty() ? config::Path{"providers", name, "pricing"} : config::Path{"providers", name, "model_pricing", format::utf8(key.model)};
    case AccessList::aliases: break;
    }
    return {"aliases", name};
}

static tl::unexpected<Error> nameTaken(const std::string& name) {
    return fail(ErrorKind::conflict, "there is an alias \"" + name + "\" already", config::dottedPath({"aliases", "name"}),
                "Choose another name, or change that one.");
}

ConfigEdit addAlias(const config::GatewayConfig& config, const std::string& name, const std::string& target) {
    if (config.aliases.contains(name)) return [name](std::string_view) -> Result<std::string> { return nameTaken(name); };
    return [name, target](std::string_view text) { return config::setValue(text, {"aliases", name}, target); };
}

Result<std::string> renameAlias(std::string_view text, const std::string& from, const std::optional<config::Scalar>& to) {
    const auto* name = to ? std::get_if<std::string>(&*to) : nullptr;
    if (name == nullptr) return fail(ErrorKind::badInput, "a name is needed", {}, "Write one, or press Escape.");
    const auto loaded = config::readConfig(std::string(text));
    if (!loaded.config || !loaded.config->aliases.contains(from))
        return fail(ErrorKind::notFound, "there is no alias \"" + from + "\" any more", {}, "Choose it again in the list.");
    if (*name == from) return std::string(text);
    if (loaded.config->aliases.contains(*name)) return nameTaken(*name);
    return config::renameTable(text, {"aliases", from}, *name);  // the key alone: place, target and comment stay
}

ConfigEdit copyPrincipal(const config::Principal& original, const std::string& id) {
    return [original, id](std::string_view text) -> Result<std::string> {
        config::Members members;
        const auto add = [&members](const char* key, const auto& value) {
            if (value) members.push_back({key, *value});
        };
        if (!original.team.empty()) members.push_back({"team", original.team});
        if (original.mayPin) members.push_back({"may_pin", true});
        add("allowed_groups", original.allowedGroups);
        add("allowed_models", original.allowedModels);
        add("allowed_providers", original.allowedProviders);
        if (original.requestsPerMinute) members.push_back({"requests_per_minute", static_cast<std::int64_t>(*original.requestsPerMinute)});
        add("monthly_budget_soft_usd", original.monthlyBudgetSoftUsd);
        add("monthly_budget_hard_usd", original.monthlyBudgetHardUsd);
        auto out = config::addTable(text, {"principals", id}, members);
        const auto hint = [&](const char* key, const config::Scalar& value) {
            if (out) out = config::setValue(*out, {"principals", id, "hints", key}, value);
        };
        if (original.defaultExpectedLength) hint("expected_length", *original.defaultExpectedLength);
        if (original.defaultCategory) hint("category", *original.defaultCategory);
        if (original.defaultInputTokens) hint("input_tokens", static_cast<std::int64_t>(std::stoll(*original.defaultInputTokens)));
        return out;
    };
}

ConfigEdit removeRow(const AccessKey& key) {
    const config::Path path = pathOf(key);
    if (key.list == AccessList::aliases) return [path](std::string_view text) { return config::removeValue(text, path); };
    return [path](std::string_view text) { return config::removeTable(text, path); };
}

std::string freeName(const std::string& name, const std::function<bool(const std::string&)>& isTaken) {
    std::string candidate = name + "-copy";
    for (int n = 2; isTaken(candidate); ++n) candidate = name + "-copy-" + std::to_string(n);
    return candidate;
}

}  // namespace signalbox::ui
