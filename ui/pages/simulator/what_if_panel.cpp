// SPDX-License-Identifier: MIT
#include "ui/pages/simulator/what_if_panel.h"

#include "ui/models/group_words.h"
#include "ui/pages/simulator/form_rows.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/section.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

#include <cmath>

namespace signalbox::ui {

namespace smart = policy::smart;

static constexpr int kMostLatencyMs = 600'000, kMostCalls = 1'000'000, kValueWidth = 52;
static constexpr std::array kWeightTerms{smart::Term::quality, smart::Term::cost, smart::Term::latency, smart::Term::reliability};

static QSlider* makeSlider(const QString& name) {
    auto* slider = new QSlider(Qt::Horizontal);
    slider->setRange(0, 100);
    slider->setPageStep(10);
    slider->setAccessibleName(name);
    return slider;
}

static QLabel* makeValue() {
    auto* label = new QLabel;
    label->setFont(Theme::instance().numberFont());
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    label->setMinimumWidth(kValueWidth);
    return label;
}

static QWidget* beside(QWidget* control, QLabel* value) {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(control, 1);
    layout->addWidget(value);
    row->setFocusProxy(control);
    return row;
}

WhatIfPanel::WhatIfPanel(QWidget* parent)
    : QWidget(parent), m_mode(new QComboBox), m_percent(makeSlider(tr("Active for"))), m_percentText(makeValue()), m_candidate(new QComboBox), m_health(new QComboBox),
      m_cooling(new QCheckBox(tr("cooling down"))), m_hint(new QSpinBox), m_attempts(new QSpinBox), m_successes(new QSpinBox), m_average(new QSpinBox),
      m_reset(makeButton(tr("Reset what-ifs"), QStringLiteral("refresh"), ButtonRole::quiet)), m_note(makeMuted({})) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kMargin);
    for (QWidget* part : {makePolicyRows(), makeWeightRows(), makeCandidateRows()}) layout->addWidget(part);
    connectControls();
    tell();
}

WhatIfPanel::~WhatIfPanel() {
    for (QObject* child : findChildren<QObject*>()) child->disconnect(this);
}

QWidget* WhatIfPanel::makePolicyRows() {
    m_mode->setObjectName(QStringLiteral("mode"));
    for (const auto mode : {config::RoutingMode::off, config::RoutingMode::shadow, config::RoutingMode::active})
        m_mode->addItem(mode == config::RoutingMode::off ? tr("off") : mode == config::RoutingMode::shadow ? tr("shadow") : tr("active"), static_cast<int>(mode));
    m_percent->setObjectName(QStringLiteral("percent"));
    m_reset->setObjectName(QStringLiteral("reset"));
    auto* section = new Section(tr("What if"));
    section->body()->setContentsMargins(0, 0, 0, 0);
    section->addControl(m_reset);
    FormRows rows;
    rows.add(tr("Mode"), m_mode);
    rows.add(tr("Active for"), beside(m_percent, m_percentText));
    rows.addWide(m_note);
    section->body()->addWidget(rows.widget());
    return section;
}

QWidget* WhatIfPanel::makeWeightRows() {
    m_weightsSection = new Section(tr("Weights"));
    m_weightsSection->body()->setContentsMargins(0, 0, 0, 0);
    FormRows rows;
    for (std::size_t i = 0; i < kWeightTerms.size(); ++i) {
        const QString name = words::term(toString(kWeightTerms[i]));
        m_weights[i] = makeSlider(name);
        m_weights[i]->setObjectName(QStringLiteral("weight_") + format::text(toString(kWeightTerms[i])));
        m_weightTexts[i] = makeValue();
        rows.add(name, beside(m_weights[i], m_weightTexts[i]));
    }
    m_weightsSection->body()->addWidget(rows.widget());
    return m_weightsSection;
}

QWidget* WhatIfPanel::makeCandidateRows() {
    m_candidate->setObjectName(QStringLiteral("candidate"));
    m_candidate->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_health->setObjectName(QStringLiteral("health"));
    m_health->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_health->addItem(tr("as the gateway sees it"), true);
    m_health->addItem(tr("priors alone"), false);
    m_cooling->setObjectName(QStringLiteral("cooling"));
    m_hint->setObjectName(QStringLiteral("hint"));
    setUpNumber(m_hint, 1, kMostLatencyMs, 1000, {}, tr(" ms"));
    m_hint->setSingleStep(50);
    setUpNumber(m_attempts, 0, kMostCalls, 0, {}, {});
    m_attempts->setObjectName(QStringLiteral("attempts"));
    setUpNumber(m_successes, 0, kMostCalls, 0, {}, {});
    m_successes->setObjectName(QStringLiteral("successes"));
    setUpNumber(m_average, 0, kMostLatencyMs, 0, tr("none"), tr(" ms"));
    m_average->setObjectName(QStringLiteral("average"));
    m_candidateSection = new Section(tr("One candidate"));
    m_candidateSection->body()->setContentsMargins(0, 0, 0, 0);
    FormRows rows;
    rows.add(tr("Health"), m_health);
    rows.add(tr("Candidate"), m_candidate);
    rows.add(tr("Latency hint"), m_hint);
    rows.add(tr("Calls"), m_attempts);
    rows.add(tr("Successes"), m_successes);
    rows.add(tr("Average"), m_average);
    rows.add(tr("Circuit"), m_cooling);
    m_candidateSection->body()->addWidget(rows.widget());
    return m_candidateSection;
}

void WhatIfPanel::connectControls() {
    const auto suppose = [this](auto change) {
        return [this, change](auto value) {
            if (m_filling) return;
            change(value);
            tell();
            Q_EMIT changed();
        };
    };
    connect(m_mode, &QComboBox::activated, this, suppose([this](int) { m_whatIf.mode = static_cast<config::RoutingMode>(m_mode->currentData().toInt()); }));
    connect(m_percent, &QSlider::valueChanged, this, suppose([this](int value) { m_whatIf.percent = static_cast<std::uint8_t>(value); }));
    for (QSlider* slider : m_weights) connect(slider, &QSlider::valueChanged, this, suppose([this](int) { supposeWeights(); }));
    connect(m_hint, &QSpinBox::valueChanged, this, suppose([this](int value) { supposeCandidate([=](auto& c) { c.latencyHintMs = value; }); }));
    connect(m_attempts, &QSpinBox::valueChanged, this, suppose([this](int value) {
                supposeCandidate([=](auto& c) { c.attempts = static_cast<std::uint64_t>(value); });
            }));
    connect(m_successes, &QSpinBox::valueChanged, this, suppose([this](int value) {
                supposeCandidate([=](auto& c) { c.successes = static_cast<std::uint64_t>(value); });
            }));
    connect(m_average, &QSpinBox::valueChanged, this, suppose([this](int value) { supposeCandidate([=](auto& c) { c.latencyEwmaMs = value; }); }));
    connect(m_cooling, &QCheckBox::toggled, this, suppose([this](bool on) { supposeCandidate([=](auto& c) { c.cooling = on; }); }));
    connect(m_candidate, &QComboBox::currentIndexChanged, this, [this] { showCandidate(); });
    connect(m_health, &QComboBox::currentIndexChanged, this, &WhatIfPanel::changed);
    connect(m_reset, &QPushButton::clicked, this, &WhatIfPanel::reset);
}

void WhatIfPanel::reset() {
    m_whatIf = {};
    tell();
    Q_EMIT changed();
}

// All four together are one supposition; four zeros are none.
void WhatIfPanel::supposeWeights() {
    std::array<double, 4> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = m_weights[i]->value();
    const config::WrittenWeights written{values[0], values[1], values[2], values[3]};
    if (smart::makeWeights({written.quality, written.cost, written.latency, written.reliability})) m_whatIf.weights = written;
    else m_whatIf.weights.reset();
}

void WhatIfPanel::supposeCandidate(const std::function<void(CandidateWhatIf&)>& change) {
    const int index = m_candidate->currentIndex();
    if (index < 0 || static_cast<std::size_t>(index) >= m_known.size()) return;
    change(m_whatIf.candidates[m_known[static_cast<std::size_t>(index)].endpointId]);
}

void WhatIfPanel::tell() {
    m_reset->setEnabled(!m_whatIf.isEmpty());
    m_note->setText(m_whatIf.isEmpty() ? tr("Nothing is supposed. What you move here changes no file and no gateway.")
                                       : tr("Suppositions hold on this page alone; files and gateways stay as they are."));
}

void WhatIfPanel::setMeasured(const QString& gateway, const QString& whyNot) {
    m_health->setEnabled(whyNot.isEmpty());
    const QString seen = gateway.isEmpty() ? tr("as the gateway sees it") : tr("as %1 sees it").arg(gateway);
    m_health->setItemText(0, whyNot.isEmpty() ? seen : tr("not known: priors alone"));
    m_health->setToolTip(plainTip(whyNot));
}

bool WhatIfPanel::usesMeasured() const { return m_health->isEnabled() && m_health->currentData().toBool(); }

void WhatIfPanel::chooseCandidate(int index) {
    if (index >= 0 && index < m_candidate->count()) m_candidate->setCurrentIndex(index);
}

void WhatIfPanel::present(const Simulated& answer) {
    m_filling = true;
    showPolicy(answer);
    const bool isPlanned = answer.plan && answer.plan->group;
    const bool hasGroup = isPlanned || answer.refused;
    m_weightsSection->setVisible(hasGroup);
    m_candidateSection->setVisible(hasGroup);
    m_known.clear();
    if (hasGroup) {
        const auto& group = answer.policy->smart.groups()[isPlanned ? answer.plan->group->group : answer.refused->group];
        const auto& judged = isPlanned ? answer.plan->group->signals : answer.refused->signals;
        QStringList names;
        for (std::size_t i = 0; i < group.candidates.size(); ++i) {
            m_known.push_back({group.candidates[i].endpointId, group.candidates[i].latencyHintMs, judged[i]});
            names << format::text(group.candidates[i].endpointId);
        }
        QStringList shown;
        for (int i = 0; i < m_candidate->count(); ++i) shown << m_candidate->itemText(i);
        if (shown != names) {
            m_candidate->clear();
            m_candidate->addItems(names);
        }
    }
    m_filling = false;
    showCandidate();
}

void WhatIfPanel::showPolicy(const Simulated& answer) {
    const smart::Settings& settings = answer.policy->smart.settings();
    m_mode->setCurrentIndex(m_mode->findData(static_cast<int>(settings.mode)));
    m_percent->setValue(settings.activationPercent);
    m_percent->setEnabled(settings.mode == config::RoutingMode::active);
    m_percentText->setText(tr("%1 %").arg(settings.activationPercent));
    if (!answer.plan || !answer.plan->group) return;
    const smart::Plan& plan = answer.plan->group->plan;
    const std::array shares{plan.weights.quality, plan.weights.cost, plan.weights.latency, plan.weights.reliability};
    for (std::size_t i = 0; i < shares.size(); ++i) {
        // What the user moved stays where it was put; the figures beside it are shares that total 100 (F66).
        if (!m_whatIf.weights) m_weights[i]->setValue(static_cast<int>(std::lround(shares[i] * 100)));
        m_weightTexts[i]->setText(tr("%1 %").arg(QLocale().toString(shares[i] * 100, 'f', 1)));
    }
    m_weightsSection->setNote(m_whatIf.weights                                          ? tr("supposed")
                              : plan.facts.policyVersion == std::string(smart::kBuiltinVersion) ? tr("%1, built in and read-only").arg(words::profile(plan.facts.profile))
                                                                                        : tr("%1 of %2").arg(words::profile(plan.facts.profile), format::text(plan.facts.policyVersion)));
}

void WhatIfPanel::showCandidate() {
    const int index = m_candidate->currentIndex();
    if (m_filling || index < 0 || static_cast<std::size_t>(index) >= m_known.size()) return;
    m_filling = true;
    const Known& known = m_known[static_cast<std::size_t>(index)];
    const auto supposed = m_whatIf.candidates.find(known.endpointId);
    m_hint->setValue(static_cast<int>(known.latencyHintMs));
    m_attempts->setValue(static_cast<int>(std::min<std::uint64_t>(known.now.attempts, kMostCalls)));
    m_successes->setValue(static_cast<int>(std::min<std::uint64_t>(known.now.providerSuccesses, kMostCalls)));
    m_average->setValue(static_cast<int>(std::lround(known.now.latencyEwmaMs)));
    m_cooling->setChecked(known.now.cooling);
    m_candidateSection->setNote(supposed != m_whatIf.candidates.end() && !supposed->second.isEmpty() ? tr("supposed") : QString());
    m_filling = false;
}

}  // namespace signalbox::ui
