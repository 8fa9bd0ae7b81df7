// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/config/edit.h"
#include "router/config/types.h"
#include "router/policy/smart/profile.h"
#include "ui/document/policy_document.h"

#include <optional>
#include <string>
#include <vector>

/// The edits of smart groups, policies and modes, each one undoable step with its label, so that no page builds paths
/// into gateway.toml by hand. All return what `PolicyDocument::editConfig` returns: an edit that the validators refuse
/// changes nothing and says why.
namespace signalbox::ui::edits {

// Where things stand.
[[nodiscard]] config::Path routingPath(const std::string& key);
[[nodiscard]] config::Path groupPath(const std::string& id);
[[nodiscard]] config::Path groupPath(const std::string& id, const std::string& key);
[[nodiscard]] config::Path candidatePath(const std::string& group, std::size_t index);
[[nodiscard]] config::Path candidatePath(const std::string& group, std::size_t index, const std::string& key);
[[nodiscard]] config::Path policyPath(const std::string& name);
[[nodiscard]] config::Path weightPath(const std::string& policy, policy::smart::Profile profile, const std::string& key);
/// "gateway.toml, line 41", "default", or the environment variable that stands in for the file's value (F83).
[[nodiscard]] QString sourceOf(const policy::LoadedWorkspace& workspace, const config::Path& path);

/// What the validators would say to `edit` of the draft's gateway.toml, without changing anything: the first error that
/// is not there already. For saying it while somebody types.
[[nodiscard]] Result<void> judge(const PolicyDocument& document, const PolicyDocument::TextEdit& edit);

// Groups. A group needs an alias and an enabled candidate to be valid.
[[nodiscard]] Result<void> addGroup(PolicyDocument& document, const config::SmartGroup& group);
[[nodiscard]] PolicyDocument::TextEdit renamedGroup(const std::string& from, const std::string& to);
[[nodiscard]] Result<void> renameGroup(PolicyDocument& document, const std::string& from, const std::string& to);
[[nodiscard]] Result<void> removeGroup(PolicyDocument& document, const std::string& id);
[[nodiscard]] PolicyDocument::TextEdit withAliases(const std::string& group, const std::vector<std::string>& aliases);
[[nodiscard]] Result<void> setAliases(PolicyDocument& document, const std::string& group, const std::vector<std::string>& aliases);
/// nullopt takes the line away, so that the policy's default applies.
[[nodiscard]] Result<void> setGroupProfile(PolicyDocument& document, const std::string& group, const std::optional<std::string>& profile);

// Candidates, by their place in the group.
[[nodiscard]] Result<void> addCandidate(PolicyDocument& document, const std::string& group, std::size_t index, const config::Candidate& candidate);
[[nodiscard]] Result<void> removeCandidate(PolicyDocument& document, const std::string& group, std::size_t index);
[[nodiscard]] Result<void> moveCandidate(PolicyDocument& document, const std::string& group, std::size_t from, std::size_t to);
[[nodiscard]] PolicyDocument::TextEdit withTarget(const std::string& group, std::size_t index, const std::string& provider, const std::string& model);
[[nodiscard]] Result<void> setTarget(PolicyDocument& document, const std::string& group, std::size_t index, const std::string& provider, const std::string& model);
/// A model of `[models]`, whose router then chooses the endpoint.
[[nodiscard]] Result<void> setPool(PolicyDocument& document, const std::string& group, std::size_t index, const std::string& pool);
[[nodiscard]] Result<void> setQuality(PolicyDocument& document, const std::string& group, std::size_t index, double quality);
[[nodiscard]] Result<void> setLatencyHint(PolicyDocument& document, const std::string& group, std::size_t index, std::uint32_t milliseconds);
[[nodiscard]] Result<void> setEnabled(PolicyDocument& document, const std::string& group, std::size_t index, bool enabled);

// Policies: weights belong to a version.
/// Writes all four profiles of `weights` as `[routing.policies."NAME"]` and makes that the policy version.
[[nodiscard]] PolicyDocument::TextEdit ownPolicy(const std::string& name, const policy::smart::WeightTable& weights);
[[nodiscard]] Result<void> makeOwnPolicy(PolicyDocument& document, const std::string& name, const policy::smart::WeightTable& weights);
[[nodiscard]] Result<void> setWeights(PolicyDocument& document, const std::string& policy, policy::smart::Profile profile, const policy::smart::Weights& weights);
[[nodiscard]] Result<void> setPolicyVersion(PolicyDocument& document, const std::string& version);

// The mode dial.
[[nodiscard]] Result<void> setMode(PolicyDocument& document, config::RoutingMode mode);
[[nodiscard]] Result<void> setActivationPercent(PolicyDocument& document, int percent);
[[nodiscard]] Result<void> setDefaultProfile(PolicyDocument& document, const std::string& profile);

}  // namespace signalbox::ui::edits
