// SPDX-License-Identifier: MIT
#include "router/policy/group_route.h"

#include "router/policy/carrying.h"
#include "router/policy/natural.h"
#include "router/policy/phrases.h"
#include "router/policy/targets.h"

#include <algorithm>
#include <set>
#include <utility>

namespace signalbox::policy {

namespace {

using smart::Cut;

constexpr std::size_t kCandidatesShown = 4;

/// Where a candidate goes on the table's advice.
struct Moved {
    RouteTarget target;
    std::optional<NaturalBy> naturalBy;
};

/// One request at one group.
class GroupRoute {
public:
    GroupRoute(const PolicySnapshot& snapshot, std::size_t index, const classify::RequestFeatures& features,
               const RequestContext& context, const Permissions& permissions)
        : m_snapshot(snapshot), m_index(index), m_group(snapshot.smart.groups()[index]), m_features(features),
          m_context(context), m_permissions(permissions) {}

    Result<RoutePlan> run(std::optional<GroupRefusal>* refused) {
        askTheTable();
        judge();
        auto plan = smart::plan({m_snapshot.smart.settings(), m_group, m_decision.signals, m_context.assignment,
                                 m_context.profile, m_context.sizes});
        if (!plan) return refuse(std::move(plan.error()), refused);
        m_decision.plan = std::move(*plan);
        return answer();
    }

private:
    void askTheTable() {
        const std::size_t count = m_group.candidates.size();
        m_decision.tableDecisions.resize(count);
        m_moved.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const smart::GroupCandidate& candidate = m_group.candidates[i];
            if (candidate.boundPresets.empty() || !isGovernedByTable(m_snapshot, candidate.model)) continue;
            m_decision.tableDecisions[i] =
                m_snapshot.index.decideAmong(candidate.model, m_features.cell, candidate.boundPresets);
            m_moved[i] = move(candidate, *m_decision.tableDecisions[i]);
        }
    }

    std::optional<Moved> move(const smart::GroupCandidate& candidate, const TableDecision& decision) const {
        const auto to = [&](const std::string& presetKey, std::optional<NaturalBy> by) -> std::optional<Moved> {
            auto target = targetOfPreset(m_snapshot, presetKey, "of a candidate");
            if (!target) return std::nullopt;  // its provider cannot be called, which cuts the candidate
            return Moved{std::move(*target), by};
        };
        if (decision.presetKey) return to(*decision.presetKey, std::nullopt);
        if (const auto natural = naturalPreset(m_snapshot, candidate.model, &candidate.boundPresets))
            return to(natural->presetKey, natural->by);
        return std::nullopt;
    }

    void judge() {
        std::vector<smart::CandidateSignals>& found = m_decision.signals;
        found.resize(m_group.candidates.size());
        m_decision.missing.resize(found.size());
        if (m_context.readSignals) m_context.readSignals(m_index, found);
        m_needs = smart::needsOf(m_features, m_context.sizes);
        for (std::size_t i = 0; i < found.size(); ++i) {
            const smart::GroupCandidate& candidate = m_group.candidates[i];
            if (!candidate.providerCallable) found[i].credentialReady = false;
            m_decision.missing[i] = lackingOf(i);
            if (!m_decision.missing[i].empty()) found[i].capable = false;
            if (!isAllowed(i)) found[i].policyAllows = false;
            if (m_context.isCooling && candidate.isPool()) found[i].cooling = allCool(candidate);
            if (m_context.isCooling && m_moved[i]) found[i].cooling = m_context.isCooling(m_moved[i]->target.endpointId());
        }
    }

    [[nodiscard]] smart::CapabilitySet lackingOf(std::size_t i) const {
        const smart::GroupCandidate& candidate = m_group.candidates[i];
        smart::CapabilitySet out =
            m_moved[i] ? lackingOfPreset(m_moved[i]->target, candidate) : smart::missingOf(m_needs, candidate);
        if (saysMore()) out.addUncarried(uncarried(*m_snapshot.config, targetOf(i), m_features));
        return candidate.isPool() && out.empty() ? lackingOfAll(candidate) : out;
    }

    /// Only then a target's way of speaking is asked for, which costs more than a plan without.
    [[nodiscard]] bool saysMore() const { return !m_needs.peculiarities.empty() || m_needs.stopSequences > 0; }

    // It may run under a name of its own, with less context than its siblings, say: what is said of that name counts.
    [[nodiscard]] smart::CapabilitySet lackingOfPreset(const RouteTarget& target, const smart::GroupCandidate& candidate) const {
        const config::Provider* provider = m_snapshot.config->findProvider(target.providerId);
        const bool isSaid = provider != nullptr && provider->modelCapabilities.contains(target.model);
        return smart::missing(m_needs, isSaid ? provider->capabilitiesOf(target.model) : candidate.capabilities);
    }

    // Each single thing some endpoint can do. One has to do all of them, for a request is not shared out.
    [[nodiscard]] smart::CapabilitySet lackingOfAll(const smart::GroupCandidate& pool) const {
        std::optional<smart::CapabilitySet> first;
        for (const smart::PoolEndpoint& one : pool.pool) {
            if (!one.callable) continue;
            const smart::CapabilitySet lacks = lackingAt(one);
            if (lacks.empty()) return lacks;
            if (!first) first = lacks;
        }
        return first.value_or(smart::CapabilitySet{});
    }

    [[nodiscard]] smart::CapabilitySet lackingAt(const smart::PoolEndpoint& one) const {
        smart::CapabilitySet out = smart::missing(m_needs, one.capabilities);
        if (!saysMore()) return out;
        if (const config::Provider* provider = m_snapshot.config->findProvider(one.provider))
            out.addUncarried(uncarried(carrierOf(*provider), m_needs.dialect, m_needs.peculiarities, m_needs.stopSequences));
        return out;
    }

    /// Whether the pool's router may and can give it this request, were it not for its circuit.
    [[nodiscard]] bool isFit(const smart::PoolEndpoint& one) const {
        return one.callable && m_permissions.allowsProvider(one.provider) && lackingAt(one).empty();
    }

    [[nodiscard]] bool hasFit(const smart::GroupCandidate& pool) const {
        return std::any_of(pool.pool.begin(), pool.pool.end(), [&](const smart::PoolEndpoint& one) { return isFit(one); });
    }

    // Of a pool that can serve the request, an endpoint that can has to be allowed.
    [[nodiscard]] bool isAllowed(std::size_t i) const {
        const smart::GroupCandidate& candidate = m_group.candidates[i];
        if (!m_permissions.allowsCandidate(candidate)) return false;
        const bool isAble = candidate.isPool() && candidate.providerCallable && m_decision.missing[i].empty();
        return !isAble || hasFit(candidate);
    }

    // One endpoint that works is enough for its router, but one that can serve this request, if there is any.
    bool allCool(const smart::GroupCandidate& candidate) const {
        const bool any = hasFit(candidate);
        return std::all_of(candidate.pool.begin(), candidate.pool.end(), [&](const smart::PoolEndpoint& one) {
            return !one.callable || (any && !isFit(one)) || m_context.isCooling(one.endpointId);
        });
    }

    static RouteTarget ownTarget(const smart::GroupCandidate& candidate) {
        RouteTarget out{candidate.provider, candidate.model, std::nullopt};
        if (candidate.isPool()) out.pool = candidate.model;
        return out;
    }

    RouteTarget targetOf(std::size_t i) const {
        return m_moved[i] ? m_moved[i]->target : ownTarget(m_group.candidates[i]);
    }

    Result<RoutePlan> answer() {
        RoutePlan out;
        out.resolvedBy = ResolvedBy::smartAlias;
        m_decision.group = m_index;
        m_decision.sizes = m_context.sizes;
        m_decision.assignment = m_context.assignment;
        out.targets.reserve(m_decision.plan.attemptOrder.size());
        m_decision.candidateOf.reserve(m_decision.plan.attemptOrder.size());
        for (const std::uint16_t i : m_decision.plan.attemptOrder) addTarget(out, i);
        const std::uint16_t selected = m_decision.plan.selected;
        out.tableDecision = m_decision.tableDecisions[selected];
        if (out.tableDecision) {
            markCoverage(out, m_snapshot, m_group.candidates[selected].model, m_features.cell);
            if (m_moved[selected]) out.naturalBy = m_moved[selected]->naturalBy;
            else out.naturalBy = NaturalBy::inventory;
        }
        out.group = std::move(m_decision);
        return out;
    }

    void addTarget(RoutePlan& plan, std::uint16_t i) {
        RouteTarget target = targetOf(i);
        const auto isSame = [&](const RouteTarget& other) {
            return other.providerId == target.providerId && other.model == target.model;
        };
        // No candidate is configured twice, so only where the table moved one can two of them meet.
        m_hasMoved = m_hasMoved || m_moved[i].has_value();
        if (m_hasMoved && std::any_of(plan.targets.begin(), plan.targets.end(), isSame)) return;
        plan.targets.push_back(std::move(target));
        m_decision.candidateOf.push_back(i);
    }

    tl::unexpected<Error> refuse(smart::Refusal refusal, std::optional<GroupRefusal>* refused) {
        Error error = toError(refusal, m_group);
        std::size_t shown = 0;
        for (std::size_t i = 0; i < m_group.candidates.size() && shown < kCandidatesShown; ++i) {
            const std::string why = whyCut(i, refusal.candidates[i].cut);
            if (why.empty()) continue;
            error.message += (shown++ == 0 ? ": " : ", ") + inQuotes(m_group.candidates[i].endpointId) + ' ' + why;
        }
        if (countOf(refusal.cuts, Cut::disabled) == m_group.candidates.size())
            error.hint = "Enable a candidate of routing.groups." + m_group.id + " in gateway.toml";
        if (error.kind == ErrorKind::badInput) error.where = fieldAtFault(refusal);
        if (refused != nullptr)
            refused->emplace(GroupRefusal{m_index, std::move(refusal), m_context.sizes, m_context.assignment,
                                          std::move(m_decision.signals), std::move(m_decision.missing)});
        return tl::unexpected(std::move(error));
    }

    // Of the first candidate that lacks something.
    [[nodiscard]] std::string fieldAtFault(const smart::Refusal& refusal) const {
        for (std::size_t i = 0; i < m_decision.missing.size(); ++i) {
            if (refusal.candidates[i].cut != Cut::capability) continue;
            const smart::CapabilitySet& missing = m_decision.missing[i];
            // Whoever sent the older name is not told of the newer one.
            if (missing.contains(smart::Capability::tools) && m_features.toolsOffered == 0)
                return std::string(classify::fieldOf(classify::Peculiarity::legacyFunctions));
            for (const smart::Capability capability : smart::kCapabilities)
                if (missing.contains(capability)) return std::string(fieldOf(capability));
            if (!missing.uncarried().empty()) return firstField(missing.uncarried());
        }
        return "model";
    }

    // What the name of the cut does not say; empty where it says all.
    [[nodiscard]] std::string whyCut(std::size_t i, Cut cut) const {
        const smart::GroupCandidate& candidate = m_group.candidates[i];
        if (cut == Cut::credential && candidate.isPool()) return "has no endpoint that can be called";
        if (cut == Cut::credential && !candidate.providerCallable) {
            const config::Provider* provider = m_snapshot.config->findProvider(candidate.provider);
            return provider == nullptr ? std::string() : std::string(provider->whyNotCallable());
        }
        if (cut == Cut::policy && !m_permissions.allowsCandidate(candidate))
            return "is not among what principal " + inQuotes(m_context.principal->id) + " may use";
        if (cut == Cut::policy && !isAllowed(i))
            return "has no endpoint for this request that principal " + inQuotes(m_context.principal->id) + " may use";
        if (cut != Cut::capability) return {};
        std::string lacks;
        for (const smart::Capability capability : smart::kCapabilities)
            if (m_decision.missing[i].contains(capability))
                lacks += (lacks.empty() ? "lacks " : " and ") + std::string(toString(capability));
        if (const std::string lost = cannotCarry(m_decision.missing[i].uncarried()); !lost.empty())
            lacks += (lacks.empty() ? "" : " and ") + lost;
        return lacks;
    }

    const PolicySnapshot& m_snapshot;
    std::size_t m_index;
    const smart::Group& m_group;
    const classify::RequestFeatures& m_features;
    const RequestContext& m_context;
    const Permissions& m_permissions;
    GroupDecision m_decision;
    smart::Needs m_needs;
    std::vector<std::optional<Moved>> m_moved;
    bool m_hasMoved = false;
};

}  // namespace

bool isGovernedByTable(const PolicySnapshot& snapshot, std::string_view model) {
    const auto& cause = snapshot.index.familyOf(model).cause;
    const bool isListed = cause != NullCause::modelNotListed && cause != NullCause::tableNotApplicable;
    return isListed || snapshot.config->naturalPresets.contains(std::string(model));
}

std::string reasonOf(const TableDecision& decision) {
    if (decision.ruleIndex) return "chosen by rule " + std::to_string(*decision.ruleIndex + 1);
    return "default of family " + decision.family.value_or("");
}

void markCoverage(RoutePlan& plan, const PolicySnapshot& snapshot, std::string_view model, const table::Cell& cell) {
    if (plan.tableDecision->presetKey) {
        plan.coverage = plan.tableDecision->ruleIndex ? CoverageMark::rule : CoverageMark::familyDefault;
        return;
    }
    plan.gapIndex = snapshot.index.gapFor(model, cell);
    plan.coverage = plan.gapIndex ? CoverageMark::gap : CoverageMark::none;
}

Result<RoutePlan> routeThroughGroup(const PolicySnapshot& snapshot, std::size_t group,
                                    const classify::RequestFeatures& features, const RequestContext& context,
                                    const Permissions& permissions, std::optional<GroupRefusal>* refused) {
    if (auto refusal = permissions.refusalOfGroup(snapshot.smart.groups()[group].id)) return tl::unexpected(std::move(*refusal));
    return GroupRoute(snapshot, group, features, context, permissions).run(refused);
}

std::vector<std::string> endpointsBehind(const PolicySnapshot& snapshot, const smart::GroupCandidate& candidate) {
    std::set<std::string> out;
    for (const smart::PoolEndpoint& one : candidate.pool) out.insert(one.endpointId);
    const auto add = [&](const std::string& presetKey) {
        if (const auto target = targetOfPreset(snapshot, presetKey, "named"); target && !target->isPool()) out.insert(target->endpointId());
    };
    if (!candidate.boundPresets.empty() && isGovernedByTable(snapshot, candidate.model)) {
        for (std::size_t cell = 0; cell < table::kCellCount; ++cell) {
            const auto decision = snapshot.index.decideAmong(candidate.model, table::Cell::fromIndex(cell), candidate.boundPresets);
            if (decision.presetKey) add(*decision.presetKey);
        }
        if (const auto natural = naturalPreset(snapshot, candidate.model, &candidate.boundPresets)) add(natural->presetKey);
    }
    out.erase(candidate.endpointId);
    return {out.begin(), out.end()};
}

std::map<std::string, std::vector<std::string>> endpointsBehindCandidates(const PolicySnapshot& snapshot) {
    std::map<std::string, std::vector<std::string>> out;
    for (const smart::Group& group : snapshot.smart.groups())
        for (const smart::GroupCandidate& candidate : group.candidates)
            if (auto endpoints = endpointsBehind(snapshot, candidate); !endpoints.empty())
                out.emplace(candidate.endpointId, std::move(endpoints));
    return out;
}

}  // namespace signalbox::policy
