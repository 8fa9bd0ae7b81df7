// SPDX-License-Identifier: MIT
#include "ui/document/config_edits.h"

#include "router/config/read.h"
#include "router/config/source.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace signalbox::ui::edits {

using config::Members;
using config::Path;
using config::Scalar;
using TextEdit = PolicyDocument::TextEdit;

namespace {

struct ConfigEditsWords {
    Q_DECLARE_TR_FUNCTIONS(ConfigEdits)
};

QString shown(const std::string& text) { return QString::fromStdString(text); }

/// One after the other; the first that fails ends it.
TextEdit inOrder(std::vector<TextEdit> edits) {
    return [edits = std::move(edits)](std::string_view text) -> Result<std::string> {
        Result<std::string> now = std::string(text);
        for (const TextEdit& edit : edits) {
            if (!now) break;
            now = edit(*now);
        }
        return now;
    };
}

TextEdit value(Path path, Scalar to) {
    return [path = std::move(path), to = std::move(to)](std::string_view text) { return config::setValue(text, path, to); };
}

TextEdit withoutValue(Path path) {
    return [path = std::move(path)](std::string_view text) { return config::removeValue(text, path); };
}

TextEdit withTable(Path path, Members members) {
    return [path = std::move(path), members = std::move(members)](std::string_view text) { return config::addTable(text, path, members); };
}

/// Defaults are not written: a line that is not there cannot go stale.
Members membersOf(const config::Candidate& candidate) {
    Members members;
    if (candidate.pool) members = {{"pool", *candidate.pool}};
    else members = {{"provider", candidate.provider}, {"model", candidate.model}};
    members.push_back({"quality", candidate.quality});
    members.push_back({"latency_hint_ms", std::int64_t{candidate.latencyHintMs}});
    if (!candidate.enabled) members.push_back({"enabled", false});
    return members;
}

TextEdit withCandidate(const std::string& group, std::size_t index, const config::Candidate& candidate) {
    return [path = groupPath(group, "candidates"), index, members = membersOf(candidate)](std::string_view text) {
        return config::insertElement(text, path, index, members);
    };
}

Members membersOf(const policy::smart::Weights& weights) {
    return {{"quality", weights.quality}, {"cost", weights.cost}, {"latency", weights.latency}, {"reliability", weights.reliability}};
}

std::optional<config::Candidate> candidateAt(const PolicyDocument& document, const std::string& group, std::size_t index) {
    const auto workspace = document.workspace();
    if (!workspace || !workspace->config.config) return std::nullopt;
    for (const config::SmartGroup& one : workspace->config.config->routing.groups)
        if (one.id == group && index < one.candidates.size()) return one.candidates[index];
    return std::nullopt;
}

QString nameOf(const config::Candidate& candidate) { return shown(candidate.pool.value_or(candidate.model)); }

QString nameOf(const PolicyDocument& document, const std::string& group, std::size_t index) {
    const auto candidate = candidateAt(document, group, index);
    return candidate ? nameOf(*candidate) : shown(group);
}

/// Steps on the same value merge while they follow each other closely.
QString mergeKey(const Path& path) { return shown(config::dottedPath(path)); }

}  // namespace

Path routingPath(const std::string& key) { return {"routing", key}; }
Path groupPath(const std::string& id) { return {"routing", "groups", id}; }
Path groupPath(const std::string& id, const std::string& key) { return {"routing", "groups", id, key}; }
Path candidatePath(const std::string& group, std::size_t index) { return {"routing", "groups", group, "candidates", index}; }
Path candidatePath(const std::string& group, std::size_t index, const std::string& key) {
    return {"routing", "groups", group, "candidates", index, key};
}
Path policyPath(const std::string& name) { return {"routing", "policies", name}; }
Path weightPath(const std::string& policy, policy::smart::Profile profile, const std::string& key) {
    return {"routing", "policies", policy, std::string(toString(profile)), key};
}

QString sourceOf(const policy::LoadedWorkspace& workspace, const Path& path) {
    if (!workspace.config.config) return {};
    const config::Source source = config::sourceOf(*workspace.config.config, workspace.overrides, path);
    const QString file = QString::fromStdU16String(workspace.configFile.filename().u16string());
    switch (source.origin) {
    case config::Origin::file: return ConfigEditsWords::tr("%1, line %2").arg(file).arg(source.position.line);
    case config::Origin::environment:
        return source.position.line == 0
                   ? ConfigEditsWords::tr("%1 of the environment").arg(shown(source.variable))
                   : ConfigEditsWords::tr("%1 of the environment, in place of %2, line %3").arg(shown(source.variable), file).arg(source.position.line);
    case config::Origin::byDefault: break;
    }
    return ConfigEditsWords::tr("default");
}

static bool isKnown(const Findings& findings, const Finding& error) {
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) {
        return f.severity == Severity::error && f.code == error.code && f.pointer == error.pointer && f.message == error.message;
    });
}

Result<void> judge(const PolicyDocument& document, const TextEdit& edit) {
    auto text = edit(document.configText());
    if (!text) return tl::unexpected(std::move(text.error()));
    const config::LoadedConfig read = config::readConfig(std::move(*text));
    const auto workspace = document.workspace();
    for (const Finding& finding : read.findings)
        if (finding.severity == Severity::error && (!workspace || !isKnown(workspace->config.findings, finding)))
            return fail(ErrorKind::badInput, finding.message, finding.pointer, finding.hint);
    return {};
}

// --- Groups -----------------------------------------------------------------------------------------------------------

Result<void> addGroup(PolicyDocument& document, const config::SmartGroup& group) {
    Members members{{"aliases", group.aliases}};
    if (group.defaultProfile) members.push_back({"default_profile", *group.defaultProfile});
    std::vector<TextEdit> steps{withTable(groupPath(group.id), std::move(members))};
    for (std::size_t i = 0; i < group.candidates.size(); ++i) steps.push_back(withCandidate(group.id, i, group.candidates[i]));
    return document.editConfig(ConfigEditsWords::tr("new group %1").arg(shown(group.id)), inOrder(std::move(steps)));
}

TextEdit renamedGroup(const std::string& from, const std::string& to) {
    return [path = groupPath(from), to](std::string_view text) { return config::renameTable(text, path, to); };
}

Result<void> renameGroup(PolicyDocument& document, const std::string& from, const std::string& to) {
    return document.editConfig(ConfigEditsWords::tr("name of group %1").arg(shown(from)), renamedGroup(from, to));
}

Result<void> removeGroup(PolicyDocument& document, const std::string& id) {
    return document.editConfig(ConfigEditsWords::tr("deletion of group %1").arg(shown(id)),
                               [path = groupPath(id)](std::string_view text) { return config::removeTable(text, path); });
}

TextEdit withAliases(const std::string& group, const std::vector<std::string>& aliases) { return value(groupPath(group, "aliases"), aliases); }

Result<void> setAliases(PolicyDocument& document, const std::string& group, const std::vector<std::string>& aliases) {
    return document.editConfig(ConfigEditsWords::tr("aliases of %1").arg(shown(group)), withAliases(group, aliases));
}

Result<void> setGroupProfile(PolicyDocument& document, const std::string& group, const std::optional<std::string>& profile) {
    const Path path = groupPath(group, "default_profile");
    return document.editConfig(ConfigEditsWords::tr("profile of %1").arg(shown(group)), profile ? value(path, *profile) : withoutValue(path));
}

// --- Candidates -------------------------------------------------------------------------------------------------------

Result<void> addCandidate(PolicyDocument& document, const std::string& group, std::size_t index, const config::Candidate& candidate) {
    return document.editConfig(ConfigEditsWords::tr("new candidate %1").arg(nameOf(candidate)), withCandidate(group, index, candidate));
}

Result<void> removeCandidate(PolicyDocument& document, const std::string& group, std::size_t index) {
    return document.editConfig(ConfigEditsWords::tr("deletion of %1").arg(nameOf(document, group, index)),
                               [path = groupPath(group, "candidates"), index](std::string_view text) { return config::removeElement(text, path, index); });
}

Result<void> moveCandidate(PolicyDocument& document, const std::string& group, std::size_t from, std::size_t to) {
    return document.editConfig(ConfigEditsWords::tr("place of %1").arg(nameOf(document, group, from)),
                               [path = groupPath(group, "candidates"), from, to](std::string_view text) { return config::moveElement(text, path, from, to); });
}

TextEdit withTarget(const std::string& group, std::size_t index, const std::string& provider, const std::string& model) {
    return inOrder({value(candidatePath(group, index, "provider"), provider), value(candidatePath(group, index, "model"), model)});
}

// Nothing of what served before may stay: a candidate is one endpoint or a pool.
Result<void> setTarget(PolicyDocument& document, const std::string& group, std::size_t index, const std::string& provider, const std::string& model) {
    std::vector<TextEdit> steps{withTarget(group, index, provider, model)};
    if (const auto before = candidateAt(document, group, index); before && before->pool) steps.push_back(withoutValue(candidatePath(group, index, "pool")));
    return document.editConfig(ConfigEditsWords::tr("endpoint of %1").arg(nameOf(document, group, index)), inOrder(std::move(steps)));
}

Result<void> setPool(PolicyDocument& document, const std::string& group, std::size_t index, const std::string& pool) {
    std::vector<TextEdit> steps{value(candidatePath(group, index, "pool"), pool)};
    if (const auto before = candidateAt(document, group, index); before && !before->pool)
        for (const char* key : {"provider", "model"}) steps.push_back(withoutValue(candidatePath(group, index, key)));
    return document.editConfig(ConfigEditsWords::tr("pool of %1").arg(nameOf(document, group, index)), inOrder(std::move(steps)));
}

Result<void> setQuality(PolicyDocument& document, const std::string& group, std::size_t index, double quality) {
    const Path path = candidatePath(group, index, "quality");
    return document.editConfig(ConfigEditsWords::tr("quality of %1").arg(nameOf(document, group, index)), value(path, quality), mergeKey(path));
}

Result<void> setLatencyHint(PolicyDocument& document, const std::string& group, std::size_t index, std::uint32_t milliseconds) {
    const Path path = candidatePath(group, index, "latency_hint_ms");
    return document.editConfig(ConfigEditsWords::tr("latency hint of %1").arg(nameOf(document, group, index)), value(path, std::int64_t{milliseconds}), mergeKey(path));
}

Result<void> setEnabled(PolicyDocument& document, const std::string& group, std::size_t index, bool enabled) {
    const QString name = nameOf(document, group, index);
    return document.editConfig(enabled ? ConfigEditsWords::tr("enabling of %1").arg(name) : ConfigEditsWords::tr("disabling of %1").arg(name),
                               value(candidatePath(group, index, "enabled"), enabled));
}

// --- Policies ---------------------------------------------------------------------------------------------------------

TextEdit ownPolicy(const std::string& name, const policy::smart::WeightTable& weights) {
    std::vector<TextEdit> steps;
    for (const policy::smart::Profile profile : policy::smart::kProfiles) {
        Path path = policyPath(name);
        path.emplace_back(std::string(toString(profile)));
        steps.push_back(withTable(std::move(path), membersOf(weightsOf(weights, profile))));
    }
    steps.push_back(value(routingPath("policy_version"), name));
    return inOrder(std::move(steps));
}

Result<void> makeOwnPolicy(PolicyDocument& document, const std::string& name, const policy::smart::WeightTable& weights) {
    return document.editConfig(ConfigEditsWords::tr("policy version %1").arg(shown(name)), ownPolicy(name, weights));
}

Result<void> setWeights(PolicyDocument& document, const std::string& policy, policy::smart::Profile profile, const policy::smart::Weights& weights) {
    std::vector<TextEdit> steps;
    for (const config::Member& member : membersOf(weights)) steps.push_back(value(weightPath(policy, profile, member.key), member.value));
    const Path merged = weightPath(policy, profile, "weights");
    return document.editConfig(ConfigEditsWords::tr("weights of %1").arg(shown(policy)), inOrder(std::move(steps)), mergeKey(merged));
}

Result<void> setPolicyVersion(PolicyDocument& document, const std::string& version) {
    return document.editConfig(ConfigEditsWords::tr("policy version %1").arg(shown(version)), value(routingPath("policy_version"), version));
}

// --- The mode dial ----------------------------------------------------------------------------------------------------

Result<void> setMode(PolicyDocument& document, config::RoutingMode mode) {
    return document.editConfig(ConfigEditsWords::tr("routing mode"), value(routingPath("mode"), std::string(toString(mode))));
}

Result<void> setActivationPercent(PolicyDocument& document, int percent) {
    const Path path = routingPath("activation_percent");
    return document.editConfig(ConfigEditsWords::tr("activation percent"), value(path, std::int64_t{percent}), mergeKey(path));
}

Result<void> setDefaultProfile(PolicyDocument& document, const std::string& profile) {
    return document.editConfig(ConfigEditsWords::tr("default profile"), value(routingPath("default_profile"), profile));
}

}  // namespace signalbox::ui::edits
