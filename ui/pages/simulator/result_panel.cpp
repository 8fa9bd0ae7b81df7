// SPDX-License-Identifier: MIT
#include "ui/pages/simulator/result_panel.h"

#include "router/policy/explain.h"
#include "ui/models/group_words.h"
#include "ui/models/record_words.h"
#include "ui/pages/simulator/answer_words.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/fact_list.h"
#include "ui/widgets/receipt/group_part.h"
#include "ui/widgets/section.h"
#include "ui/widgets/terms/recorded_plan.h"
#include "ui/widgets/terms/term_chart.h"
#include "ui/widgets/tone_label.h"

#include <QGridLayout>
#include <QGuiApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace signalbox::ui {

namespace smart = policy::smart;

static QWidget* verdictBox(const QString& name, ElidedLabel* result, ToneLabel* mode) {
    auto* box = new QWidget;
    auto* layout = new QGridLayout(box);
    layout->setContentsMargins(0, Theme::kGap, 0, 0);
    layout->setHorizontalSpacing(Theme::kGap);
    layout->setVerticalSpacing(2);
    auto* label = makeMuted(name);
    label->setWordWrap(false);
    label->setMinimumWidth(64);
    layout->addWidget(label, 0, 0);
    layout->addWidget(result, 0, 1);
    layout->addWidget(mode, 1, 1);
    layout->setColumnStretch(1, 1);
    return box;
}

static Section* plainSection(const QString& title) {
    auto* section = new Section(title);
    section->body()->setContentsMargins(0, Theme::kGap, 0, 0);
    return section;
}

ResultPanel::ResultPanel(QWidget* parent)
    : QWidget(parent), m_verdict(plainSection(tr("Result"))), m_draftResult(ElidedLabel::forId({})), m_draftMode(new ToneLabel), m_runningResult(ElidedLabel::forId({})),
      m_runningMode(new ToneLabel), m_scores(plainSection(tr("Scores"))), m_terms(new TermChart), m_change(plainSection(tr("Smallest change that turns it"))),
      m_smallest(makeLabel({})), m_why(plainSection(tr("Why not the others"))), m_whyList(new QVBoxLayout), m_profiles(plainSection(tr("What each profile would recommend"))),
      m_profileFacts(new FactList), m_recorded(plainSection(tr("As it was recorded"))), m_recordedFacts(new FactList) {
    m_smallest->setObjectName(QStringLiteral("smallestChange"));
    m_draftResult->setObjectName(QStringLiteral("draftResult"));
    m_runningResult->setObjectName(QStringLiteral("runningResult"));
    m_runningBox = verdictBox(tr("Running"), m_runningResult, m_runningMode);
    m_verdict->body()->addWidget(verdictBox(tr("Draft"), m_draftResult, m_draftMode));
    m_verdict->body()->addWidget(m_runningBox);
    auto* copy = makeButton(tr("Copy as text"), QStringLiteral("copy"), ButtonRole::quiet);
    m_verdict->addControl(copy);
    m_scores->body()->addWidget(m_terms);
    m_change->body()->addWidget(m_smallest);
    m_whyList->setSpacing(2);
    m_why->body()->addLayout(m_whyList);
    m_profiles->body()->addWidget(m_profileFacts);
    m_recorded->body()->addWidget(m_recordedFacts);
    m_recorded->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kMargin);
    for (Section* section : {m_verdict, m_change, m_scores, m_why, m_profiles, m_recorded}) layout->addWidget(section);
    layout->addStretch(1);  // while it still has the height of a longer answer
    connect(m_terms, &TermChart::rowChosen, this, [this](int row) {
        m_terms->setCurrent(row);
        Q_EMIT candidateChosen(row);
    });
    connect(copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_text);
        Q_EMIT copied();
    });
}

void ResultPanel::present(const AskedRequest& asked, const Simulated& draft, const Simulated* running, bool supposed) {
    showVerdicts(draft, running, supposed);
    const bool isPlanned = draft.plan && draft.plan->group;
    m_scores->setVisible(isPlanned || draft.refused);
    if (isPlanned) m_terms->setDecision(toTermDecision(draft.plan->group->plan, draft.policy->smart.groups()[draft.plan->group->group]));
    else if (draft.refused) m_terms->setDecision(toTermDecision(draft.refused->refusal, draft.policy->smart.groups()[draft.refused->group]));
    const QString change = smallestChange(asked, draft);
    m_smallest->setText(change);
    m_change->setVisible(!change.isEmpty());
    m_change->setTitle(draft.plan ? tr("Smallest change that turns it") : tr("What would mend it"));
    showWhyNot(draft);
    showProfiles(draft);
    m_text = format::text(policy::explainText(*draft.policy, asked.features, draft.plan, draft.refused ? &*draft.refused : nullptr, asked.isTyped ? format::utf8(saidByForm()) : std::string()));
}

static void showVerdict(const Simulated& answer, ElidedLabel* result, ToneLabel* mode, const QString& suffix) {
    result->setText(resultText(answer));
    if (!answer.plan) return mode->set(Tone::danger, QObject::tr("refused") + suffix);
    if (!answer.plan->group) return mode->set(Tone::clear, words::resolvedBy(toString(answer.plan->resolvedBy)) + suffix);
    const auto word = toString(answer.plan->group->plan.facts.mode);
    mode->set(words::modeTone(word), words::mode(word) + suffix);
}

void ResultPanel::showVerdicts(const Simulated& draft, const Simulated* running, bool supposed) {
    showVerdict(draft, m_draftResult, m_draftMode, supposed ? tr(", with what-ifs") : QString());
    m_runningBox->setVisible(running != nullptr);
    if (running == nullptr) return m_verdict->setNote({});
    showVerdict(*running, m_runningResult, m_runningMode, {});
    m_verdict->setNote(resultText(draft) == resultText(*running) ? tr("the running policy decides the same") : tr("the running policy decides otherwise"));
}

void ResultPanel::showWhyNot(const Simulated& draft) {
    clearLayout(m_whyList);
    m_why->setVisible(!draft.whyNot.empty());
    if (draft.whyNot.empty()) return;
    const auto& group = draft.policy->smart.groups()[draft.refused ? draft.refused->group : draft.plan->group->group];
    std::size_t shown = 0;
    for (const WhyNot& why : draft.whyNot) {
        if (shown++ == kMostFlips) break;
        m_whyList->addWidget(ElidedLabel::forId(format::text(group.candidates[why.candidate].endpointId)));
        m_whyList->addWidget(makeMuted(whyNotText(draft, why)));
        m_whyList->addSpacing(Theme::kGap);
    }
    m_why->setNote(draft.whyNot.size() > kMostFlips ? tr("the nearest %1 of %2").arg(kMostFlips).arg(draft.whyNot.size()) : QString());
}

void ResultPanel::showProfiles(const Simulated& draft) {
    m_profileFacts->clear();
    const auto profiles = byProfile(draft);
    m_profiles->setVisible(!profiles.empty());
    for (const auto& [profile, endpoint] : profiles) m_profileFacts->addId(profile, endpoint);
}

void ResultPanel::showRecorded(const RecordPtr& record, const WorkspacePtr& workspace) {
    m_recordedFacts->clear();
    m_recorded->setVisible(record != nullptr);
    if (!record) return;
    m_recorded->setNote(format::dateTime(record->createdAt));
    m_recordedFacts->addTone(tr("Outcome"), words::outcomeTone(record->outcome), words::outcome(record->outcome));
    if (!record->endpointId.empty()) m_recordedFacts->addId(tr("Answered by"), format::text(record->endpointId));
    if (!record->group) return;
    m_recordedFacts->addId(tr("Recommended"), format::text(record->group->recommended));
    const auto plan = planOf(*record->group);
    const auto weights = weightsOfVersion(record->policyVersion, workspace.get());
    if (!plan || !weights) return;
    for (const smart::Profile profile : smart::kProfiles) {
        const std::uint16_t choice = choiceUnder(*plan, weightsOf(*weights, profile));
        m_recordedFacts->addId(tr("Under %1").arg(words::profile(toString(profile))), format::text(record->group->candidates[choice].endpointId));
    }
}

}  // namespace signalbox::ui
