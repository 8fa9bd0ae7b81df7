// SPDX-License-Identifier: MIT
#include "router/config/read_parts.h"

#include <algorithm>
#include <array>
#include <set>

namespace signalbox::config {
namespace {

// The limits of contract B; lengths are bytes of UTF-8.
constexpr std::size_t kMaxGroups = 128;
constexpr std::size_t kMaxCandidatesOfGroup = 256;
constexpr std::size_t kMaxCandidates = 1024;
constexpr std::size_t kMaxAliasesOfGroup = 64;
constexpr std::size_t kMaxAliases = 1024;
constexpr std::size_t kMaxGroupIdBytes = 80;
constexpr std::int64_t kMaxLatencyHintMs = 600'000;

constexpr std::array kModes{RoutingMode::off, RoutingMode::shadow, RoutingMode::active};

std::string most(std::size_t limit) { return "At most " + std::to_string(limit) + " are allowed."; }

/// Reads the groups and remembers what must be unique or bounded over all of them.
class GroupReader {
public:
    explicit GroupReader(GatewayConfig& config) : m_config(config) {}

    void read(const std::string& id, Section& section) {
        SmartGroup group;
        group.id = id;
        if (isBlank(id) || id.size() > kMaxGroupIdBytes || hasControl(id))
            section.reportHere(Severity::error, "group_id_invalid", "a group id has 1 to 80 bytes on one line");
        readAliases(section, group);
        if (const auto profile = section.wordIndex("default_profile", profileWords()))
            group.defaultProfile = profileWords()[*profile];
        readCandidates(section, group);
        section.finish();
        m_config.routing.groups.push_back(std::move(group));
    }

private:
    void readAliases(Section& section, SmartGroup& group) {
        const auto aliases = section.locatedTexts("aliases");
        if (aliases.empty())
            section.report(Severity::error, "group_without_alias", "aliases", "a group needs a name to be called by",
                           "Add aliases = [\"NAME\"].");
        if (aliases.size() > kMaxAliasesOfGroup)
            section.reportAt(Severity::error, "too_many_aliases_in_group", aliases[kMaxAliasesOfGroup],
                             "this group has " + std::to_string(aliases.size()) + " aliases",
                             most(kMaxAliasesOfGroup));
        for (const LocatedText& alias : aliases) {
            if (++m_aliasCount == kMaxAliases + 1)
                section.reportAt(Severity::error, "too_many_aliases_total", alias,
                                 "the groups have too many aliases in all", most(kMaxAliases));
            checkAlias(section, alias);
            group.aliases.push_back(alias.value);
        }
    }

    void checkAlias(Section& section, const LocatedText& alias) {
        const std::string& name = alias.value;
        if (isBlank(name) || name.size() > kMaxAliasBytes || hasControl(name) || name.find(':') != std::string::npos) {
            section.reportAt(Severity::error, "alias_invalid", alias,
                             "an alias has 1 to 160 bytes on one line and no colon, for provider:model is explicit");
            return;
        }
        if (!m_aliases.insert(name).second) {
            section.reportAt(Severity::error, "alias_duplicate", alias, "the alias " + inQuotes(name) + " is already taken",
                             "An alias belongs to one group, once.");
            return;
        }
        if (m_config.aliases.contains(name))
            section.reportAt(Severity::error, "alias_conflicts_static_alias", alias,
                             inQuotes(name) + " is a static alias in [aliases]", "Rename one of them.");
        for (const Provider& provider : m_config.providers)
            if (provider.lists(name)) {
                section.reportAt(Severity::error, "alias_conflicts_provider_model", alias,
                                 inQuotes(name) + " is a model of provider " + inQuotes(provider.id), "Rename the alias.");
                break;
            }
    }

    void readCandidates(Section& section, SmartGroup& group) {
        auto tables = section.tableArray("candidates");
        if (tables.size() > kMaxCandidatesOfGroup)
            tables[kMaxCandidatesOfGroup].reportHere(
                Severity::error, "too_many_candidates_in_group",
                "this group has " + std::to_string(tables.size()) + " candidates", most(kMaxCandidatesOfGroup));
        std::set<std::string> seen;
        bool anyEnabled = false;
        for (Section& table : tables) {
            if (++m_candidateCount == kMaxCandidates + 1)
                table.reportHere(Severity::error, "too_many_candidates_total",
                                 "the groups have too many candidates in all", most(kMaxCandidates));
            Candidate candidate = readCandidate(table);
            const bool complete = candidate.pool || (table.has("provider") && table.has("model"));
            const std::string name = candidate.pool ? "pool:" + *candidate.pool : candidate.provider + ":" + candidate.model;
            if (complete && !seen.insert(name).second)
                table.reportHere(Severity::error, "candidate_repeated", inQuotes(name) + " stands in this group already",
                                 "Keep one of them.");
            const bool isKnown = candidate.pool ? isPool(*candidate.pool) : m_config.findProvider(candidate.provider) != nullptr;
            anyEnabled = anyEnabled || (candidate.enabled && isKnown);
            group.candidates.push_back(std::move(candidate));
        }
        if (!anyEnabled)
            section.report(Severity::error, "group_without_enabled_candidate", "candidates",
                           "a group needs at least one enabled candidate of a known provider or pool");
    }

    Candidate readCandidate(Section& table) {
        Candidate out;
        const auto pool = table.text("pool");
        const auto provider = table.text("provider");
        const auto model = table.text("model");
        if (table.has("pool")) checkPool(table, pool);
        else for (const char* key : {"provider", "model"})
            if (!table.has(key))
                table.reportHere(Severity::error, "candidate_field_missing",
                                 "a candidate needs its " + std::string(key),
                                 "Add " + std::string(key) + " = \"…\", or name a model of [models] with pool = \"…\" alone.");
        if (const auto quality = table.number("quality", 0, 1, "quality_range")) out.quality = *quality;
        if (const auto hint = table.integer("latency_hint_ms", 1, kMaxLatencyHintMs, "latency_hint_range"))
            out.latencyHintMs = static_cast<std::uint32_t>(*hint);
        if (const auto enabled = table.boolean("enabled")) out.enabled = *enabled;
        table.finish();
        if (pool) {
            out.pool = *pool;
            return out;
        }
        out.provider = provider.value_or(std::string());
        out.model = model.value_or(std::string());
        const Provider* found = provider ? m_config.findProvider(*provider) : nullptr;
        if (provider && found == nullptr)
            table.report(Severity::error, "candidate_provider_missing", "provider",
                         "there is no provider " + inQuotes(*provider), didYouMean(*provider, providerIds(m_config)));
        if (model) checkModel(table, *model, found);
        return out;
    }

    [[nodiscard]] bool isPool(std::string_view id) const {
        return std::any_of(m_config.models.begin(), m_config.models.end(), [&](const Model& one) { return one.id == id; });
    }

    void checkPool(Section& table, const std::optional<std::string>& pool) {
        if (table.has("provider") || table.has("model"))
            table.report(Severity::error, "candidate_provider_and_pool", "pool",
                         "a candidate is one endpoint or a pool, not both", "Remove pool, or provider and model.");
        if (!pool || isPool(*pool)) return;
        std::vector<std::string> known;
        for (const Model& model : m_config.models) known.push_back(model.id);
        table.report(Severity::error, "candidate_pool_missing", "pool", "there is no [models] entry " + inQuotes(*pool),
                     known.empty() ? "Add [models." + *pool + "] with its routes, or name a provider and a model."
                                   : didYouMean(*pool, known));
    }

    void checkModel(Section& table, const std::string& model, const Provider* provider) {
        if (isBlank(model) || model.size() > kMaxModelBytes || hasControl(model))
            table.report(Severity::error, "candidate_model_invalid", "model",
                         "a model name has 1 to 240 bytes on one line");
        else if (provider != nullptr && !provider->accepts(model))
            table.report(Severity::error, "candidate_model_not_accepted", "model",
                         "provider " + inQuotes(provider->id) + " does not accept the model " + inQuotes(model),
                         modelAdvice(*provider, model));
    }

    GatewayConfig& m_config;
    std::set<std::string> m_aliases;
    std::size_t m_aliasCount = 0;
    std::size_t m_candidateCount = 0;
};

void readVersion(Section& section, Routing& routing) {
    const auto version = section.text("policy_version");
    if (!version) return;
    if (isBlank(*version) || version->size() > kMaxVersionBytes || hasControl(*version))
        section.report(Severity::error, "policy_version_invalid", "policy_version",
                       "a policy version has 1 to 64 bytes on one line");
    else
        routing.policyVersion = *version;
}

void readGroups(Section& section, GatewayConfig& config) {
    auto groups = section.children("groups");
    if (groups.size() > kMaxGroups)
        groups[kMaxGroups].section.reportHere(Severity::error, "too_many_groups",
                                              "there are " + std::to_string(groups.size()) + " groups",
                                              most(kMaxGroups));
    GroupReader reader(config);
    for (auto& [id, group] : groups) reader.read(id, group);
}

void checkMode(Section& section, const Routing& routing, bool percentUsable) {
    if (routing.mode == RoutingMode::off) return;
    if (routing.groups.empty())
        section.report(Severity::error, "mode_requires_groups", "mode",
                       "mode " + inQuotes(toString(routing.mode)) + " needs at least one group",
                       "Add [routing.groups.NAME], or write mode = \"off\".");
    else if (routing.mode == RoutingMode::active && routing.activationPercent == 0 && percentUsable)
        section.report(Severity::warning, "active_with_zero_percent",
                       section.has("activation_percent") ? "activation_percent" : "mode",
                       "active at 0 % routes every request as before",
                       "Raise activation_percent, or write mode = \"shadow\".");
}

}  // namespace

void readRouting(Section& root, GatewayConfig& config) {
    auto section = root.section("routing");
    if (!section) return;
    Routing& routing = config.routing;
    if (const auto mode = section->word<RoutingMode>("mode", kModes)) routing.mode = *mode;
    if (const auto profile = section->wordIndex("default_profile", profileWords()))
        routing.defaultProfile = profileWords()[*profile];
    readVersion(*section, routing);
    const auto percent = section->integer("activation_percent", 0, 100, "activation_percent_range");
    routing.activationPercent = static_cast<std::uint8_t>(percent.value_or(0));
    readGroups(*section, config);
    readPolicies(*section, config);
    section->finish();
    checkMode(*section, routing, percent || !section->has("activation_percent"));
}

}  // namespace signalbox::config
