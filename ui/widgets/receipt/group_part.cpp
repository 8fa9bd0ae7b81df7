// SPDX-License-Identifier: MIT
#include "ui/widgets/receipt/group_part.h"

#include "router/policy/smart/what_if.h"
#include "ui/models/group_words.h"
#include "ui/models/record_words.h"
#include "ui/theme/format.h"
#include "ui/widgets/terms/recorded_plan.h"
#include "ui/widgets/terms/term_row.h"

#include <QCoreApplication>
#include <QLocale>

namespace signalbox::ui {

namespace smart = policy::smart;

namespace {

struct GroupReceipt {
    Q_DECLARE_TR_FUNCTIONS(GroupReceipt)
public:
    const evidence::DecisionRecord& record;
    const evidence::RecordedGroup& group;
    const policy::LoadedWorkspace* workspace;
    ReceiptPart part;

    void addHead();
    void addRoutes();
    void addCandidates();
    void addSession();
    void addReasons();
    void addOtherProfiles();
    void addTable();

private:
    [[nodiscard]] QString cutText(const TermRow& row) const;
    void add(const QString& name, const QString& value, std::optional<Tone> tone = std::nullopt) { part.lines.push_back({name, value, tone}); }
    /// Stands in the picture already; for text only.
    void addDrawn(const QString& name, const QString& value) { part.lines.push_back({name, value, std::nullopt, false, true}); }
};

void GroupReceipt::addHead() {
    part.lines.push_back({tr("Group"), format::text(group.groupId), std::nullopt, true});
    add(tr("Mode"), tr("%1: %2").arg(words::mode(record.mode), words::modeHelp(record.mode)), words::modeTone(record.mode));
    add(tr("Profile"), words::profile(group.profile));
    add(tr("Bucket"), group.bucket < group.activationPercent ? tr("%1 of 100, within the %2 % that are active").arg(group.bucket).arg(group.activationPercent)
                                                             : tr("%1 of 100, outside of the %2 % that are active").arg(group.bucket).arg(group.activationPercent));
    add(tr("Planned for"), tr("%1 input and %2 output tokens (estimate)").arg(format::count(group.inputTokens), format::count(group.outputTokens)));
}

void GroupReceipt::addRoutes() {
    if (group.selected.empty()) {
        add(tr("Answer"), tr("refused: no candidate could serve this request"), Tone::danger);
        return;
    }
    add(tr("Tried first"), tr("%1, score %2").arg(format::text(group.selected), scoreText(group.selectedScore)));
    add(tr("Recommended"), tr("%1, score %2").arg(format::text(group.recommended), scoreText(group.recommendedScore)));
    if (group.selected == group.recommended) return add(tr("Difference"), tr("none: the best score was tried first"), Tone::clear);
    add(tr("Difference"), tr("the recommended one is %1; %2 ahead").arg(words::decidedBy(group.decidingTerm), scoreText(group.recommendedScore - group.selectedScore)), Tone::caution);
    add(tr("Deciding term"), words::term(group.decidingTerm));
}

// What it lacked for this request, where that was recorded.
QString GroupReceipt::cutText(const TermRow& row) const {
    QStringList lacks;
    for (const auto& candidate : group.candidates)
        if (format::text(candidate.endpointId) == row.endpointId)
            for (const std::string& capability : candidate.missing) lacks << words::capability(capability);
    lacks.removeDuplicates();
    const QString cut = words::cut(format::utf8(row.cut));
    return lacks.isEmpty() ? cut : tr("%1: it lacks %2").arg(cut, lacks.join(tr(" and ")));
}

void GroupReceipt::addCandidates() {
    const TermDecision decision = toTermDecision(group);
    for (const TermRow& row : decision.rows) {
        if (row.isEligible()) addDrawn(tr("Candidate"), sentenceOf(row));
        else add(tr("Cut"), tr("%1: %2").arg(row.endpointId, cutText(row)), Tone::gap);
    }
    if (!holdsAllCandidates(group))
        add(tr("Not recorded"), tr("%1 of the group's %2 candidates").arg(group.candidatesTotal - group.candidates.size()).arg(group.candidatesTotal));
    if (group.selected.empty()) return;
    const char* names[] = {"quality", "cost", "latency", "reliability"};
    QStringList weights;
    for (std::size_t i = 0; i < group.weights.size(); ++i)
        weights << tr("%1 %2 %").arg(words::term(names[i]), QLocale().toString(100 * group.weights[i], 'f', 1));
    addDrawn(tr("Weights"), weights.join(QStringLiteral(", ")));
}

void GroupReceipt::addSession() {
    if (group.affinity.empty()) return;
    QString text = words::affinity(group.affinity);
    if (!group.affinityFavourite.empty()) text = tr("%1; it leans to %2").arg(text, format::text(group.affinityFavourite));
    add(tr("Session"), text, words::affinityTone(group.affinity));
}

void GroupReceipt::addReasons() {
    QStringList reasons;
    for (const std::string& reason : group.reasons) reasons << words::groupReason(reason);
    if (!reasons.isEmpty()) add(tr("Reasons"), reasons.join(QStringLiteral(", ")));
}

void GroupReceipt::addOtherProfiles() {
    const auto plan = planOf(group);
    if (!plan) return;
    const QString name = tr("Another profile");
    if (!holdsAllCandidates(group)) return add(name, tr("cannot be told: not every candidate was recorded"));
    const auto weights = weightsOfVersion(record.policyVersion, workspace);
    if (!weights) return add(name, tr("cannot be told: the weights of %1 are not known here").arg(format::text(record.policyVersion)));
    for (const smart::Profile profile : smart::kProfiles) {
        if (smart::toString(profile) == group.profile) continue;
        const std::uint16_t choice = smart::choiceUnder(*plan, smart::weightsOf(*weights, profile));
        const QString endpoint = format::text(group.candidates[choice].endpointId);
        add(tr("Under %1").arg(words::profile(smart::toString(profile))), choice == plan->recommended ? tr("the same: %1").arg(endpoint) : tr("%1 instead").arg(endpoint));
    }
}

void GroupReceipt::addTable() {
    if (group.selected.empty() || record.reason.empty()) return;
    const QString preset = record.presetKey ? tr("preset %1").arg(format::text(*record.presetKey)) : tr("no preset");
    add(tr("Group and table"), tr("the group said %1; the table, asked for presets of its provider, said %2 (%3)")
                                   .arg(format::text(group.selected), preset, words::coverage(record)));
}

}  // namespace

std::optional<smart::WeightTable> weightsOfVersion(const std::string& policyVersion, const policy::LoadedWorkspace* workspace) {
    if (policyVersion == smart::kBuiltinVersion) return smart::builtinWeights();
    if (workspace == nullptr || !workspace->snapshot || workspace->snapshot->smart.settings().policyVersion != policyVersion) return std::nullopt;
    return workspace->snapshot->smart.settings().weights;
}

ReceiptPart groupPart(const evidence::DecisionRecord& record, const policy::LoadedWorkspace* workspace) {
    GroupReceipt receipt{record, *record.group, workspace, {GroupReceipt::tr("What the group said"), {}, ReceiptPart::Picture::terms}};
    receipt.addHead();
    receipt.addRoutes();
    receipt.addCandidates();
    receipt.addSession();
    receipt.addReasons();
    receipt.addOtherProfiles();
    receipt.addTable();
    return std::move(receipt.part);
}

QString groupClause(const evidence::DecisionRecord& record) {
    if (!record.group || record.group->selected.empty() || record.group->selected == record.group->recommended) return {};
    return GroupReceipt::tr("; %1 in %2 would rather have tried %3")
        .arg(format::text(record.group->groupId), words::mode(record.mode), format::text(record.group->recommended));
}

}  // namespace signalbox::ui
