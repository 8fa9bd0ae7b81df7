// SPDX-License-Identifier: MIT
#include "ui/pages/groups/weights_panel.h"

#include "router/policy/smart/group.h"
#include "ui/document/config_edits.h"
#include "ui/document/policy_document.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/forms/field_message.h"
#include "ui/pages/groups/full_number.h"
#include "ui/pages/groups/weights_bar.h"
#include "ui/widgets/forms/wheel_guard.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/wrap_layout.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

namespace smart = policy::smart;

static constexpr std::array kKeys{"quality", "cost", "latency", "reliability"};
static constexpr double kMostWeight = 1e9;

static QString profileName(smart::Profile profile) {
    switch (profile) {
    case smart::Profile::quality: return WeightsPanel::tr("quality profile");
    case smart::Profile::balanced: return WeightsPanel::tr("balanced profile");
    case smart::Profile::economy: return WeightsPanel::tr("economy profile");
    case smart::Profile::latency: return WeightsPanel::tr("latency profile");
    }
    return {};
}

WeightsPanel::WeightsPanel(PolicyDocument* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_version(new QComboBox), m_profile(new QComboBox), m_bar(new WeightsBar), m_note(makeMuted({})),
      m_offer(makeOffer()), m_editor(makeEditor()) {
    makeLayout();
}

QWidget* WeightsPanel::makeOffer() {
    auto* offer = new QWidget;
    m_name = new QLineEdit;
    m_name->setObjectName(QStringLiteral("policyName"));
    m_name->setAccessibleName(tr("Name of your own policy version"));
    m_name->setPlaceholderText(tr("Name of the version"));
    m_nameMessage = new FieldMessage(m_name);
    m_make = makeButton(tr("Make an own version"), QStringLiteral("plus"));
    connect(m_make, &QPushButton::clicked, this, &WeightsPanel::makeOwn);
    connect(m_name, &QLineEdit::returnPressed, this, &WeightsPanel::makeOwn);
    connect(m_name, &QLineEdit::textEdited, this, [this](const QString& text) {
        const auto verdict = text.isEmpty() ? Result<void>() : edits::judge(*m_document, edits::ownPolicy(format::utf8(text), smart::builtinWeights()));
        if (verdict) m_nameMessage->clear();
        else m_nameMessage->show(verdict.error());
    });
    auto* line = new WrapLayout;
    line->insertWidget(0, m_name);
    line->insertWidget(1, m_make);
    auto* layout = new QVBoxLayout(offer);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(line);
    layout->addWidget(m_nameMessage);
    return offer;
}

QWidget* WeightsPanel::makeEditor() {
    auto* editor = new QWidget;
    auto* line = new QHBoxLayout;
    line->setSpacing(Theme::kGap);
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        auto* label = makeMuted(termName(i));
        label->setFont(Theme::instance().smallFont());
        label->setWordWrap(false);
        auto* box = m_parts[i] = new QDoubleSpinBox;
        box->setRange(0, kMostWeight);
        box->setSingleStep(0.05);
        box->setKeyboardTracking(false);
        box->setMinimumWidth(84);  // room for the largest weight is more than a narrow window has four times
        box->setAccessibleName(tr("Weight of %1, in any scale").arg(termName(i)));
        connect(box, &QDoubleSpinBox::valueChanged, this, [this, i](double value) { write(i, value); });
        auto* field = new QVBoxLayout;
        field->setSpacing(2);
        field->addWidget(label);
        field->addWidget(box);
        line->addLayout(field, 1);
    }
    m_partsMessage = new FieldMessage(m_parts[0]);
    auto* layout = new QVBoxLayout(editor);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(line);
    layout->addWidget(m_partsMessage);
    return editor;
}

void WeightsPanel::makeLayout() {
    m_version->setAccessibleName(tr("Policy version"));
    m_profile->setAccessibleName(tr("Profile whose weights are shown"));
    for (const smart::Profile profile : smart::kProfiles) m_profile->addItem(profileName(profile));
    connect(m_profile, &QComboBox::activated, this, &WeightsPanel::render);
    connect(m_version, &QComboBox::activated, this, [this] {
        if (const auto done = edits::setPolicyVersion(*m_document, format::utf8(m_version->currentText())); !done) m_nameMessage->show(done.error());
    });
    auto* choices = new QHBoxLayout;
    choices->setSpacing(Theme::kGap);
    choices->addWidget(m_version, 1);
    choices->addWidget(m_profile, 1);
    guardFromWheel({m_version, m_profile, m_parts[0], m_parts[1], m_parts[2], m_parts[3]});
    m_note->setFont(Theme::instance().smallFont());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    layout->addLayout(choices);
    layout->addWidget(m_bar);
    layout->addWidget(m_note);
    layout->addWidget(m_offer);
    layout->addWidget(m_editor);
    layout->addStretch();
}

void WeightsPanel::set(const config::Routing& routing, smart::Profile profile) {
    m_routing = routing;
    if (m_groupProfile != profile) {
        m_groupProfile = profile;
        m_profile->setCurrentIndex(static_cast<int>(profile));
    }
    const QSignalBlocker quiet(m_version);
    m_version->clear();
    QStringList versions{format::text(smart::kBuiltinVersion)};
    for (const config::NamedPolicy& policy : routing.policies) versions << format::text(policy.name);
    if (const QString used = format::text(routing.policyVersion); !versions.contains(used)) versions << used;
    m_version->addItems(versions);
    m_version->setCurrentText(format::text(routing.policyVersion));
    if (const auto workspace = m_document->workspace())
        m_version->setToolTip(plainTip(tr("From: %1").arg(edits::sourceOf(*workspace, edits::routingPath("policy_version")))));
    m_version->setEnabled(m_document->canEditConfig());
    render();
}

smart::Profile WeightsPanel::shownProfile() const { return static_cast<smart::Profile>(std::max(0, m_profile->currentIndex())); }

const config::NamedPolicy* WeightsPanel::named() const {
    const auto found = std::find_if(m_routing.policies.begin(), m_routing.policies.end(), [this](const auto& p) { return p.name == m_routing.policyVersion; });
    return found == m_routing.policies.end() ? nullptr : &*found;
}

std::array<double, 4> WeightsPanel::written() const {
    if (const config::NamedPolicy* policy = named())
        if (const auto own = policy->profiles.find(std::string(toString(shownProfile()))); own != policy->profiles.end())
            return {own->second.quality.value_or(0), own->second.cost.value_or(0), own->second.latency.value_or(0), own->second.reliability.value_or(0)};
    const smart::Weights& weights = weightsOf(smart::builtinWeights(), shownProfile());
    return {weights.quality, weights.cost, weights.latency, weights.reliability};
}

void WeightsPanel::render() {
    m_bar->setWeights(weightsOf(smart::weightsOfVersion(m_routing, m_routing.policyVersion), shownProfile()));
    const config::NamedPolicy* policy = named();
    const bool own = policy != nullptr;
    m_offer->setVisible(!own);
    m_editor->setVisible(own);
    m_offer->setEnabled(m_document->canEditConfig());
    if (m_routing.policyVersion == smart::kBuiltinVersion) m_note->setText(tr("%1 is read-only. A version of your own begins with its weights.").arg(format::text(smart::kBuiltinVersion)));
    else if (!own) m_note->setText(tr("Nobody defines the weights of %1, so it has the built-in ones.").arg(format::text(m_routing.policyVersion)));
    else if (!policy->profiles.contains(std::string(toString(shownProfile())))) m_note->setText(tr("%1 does not name this profile, so it has the built-in weights.").arg(format::text(policy->name)));
    else m_note->setText(tr("Any scale will do: the shares always total 100 %."));
    if (!own) {
        if (m_name->text().isEmpty()) {
            QString name = QStringLiteral("own-v1");
            for (int i = 2; m_version->findText(name) >= 0; ++i) name = QStringLiteral("own-v%1").arg(i);
            m_name->setText(m_routing.policyVersion == smart::kBuiltinVersion ? name : format::text(m_routing.policyVersion));
        }
        return;
    }
    m_partsMessage->clear();
    const auto values = written();
    const auto workspace = m_document->workspace();
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (!showInFull(m_parts[i], values[i], 2)) m_partsMessage->show({ErrorKind::badInput, "a weight has more digits than its field can show in full", {}, "Edit it in gateway.toml"});
        if (workspace) m_parts[i]->setToolTip(plainTip(tr("From: %1").arg(edits::sourceOf(*workspace, edits::weightPath(policy->name, shownProfile(), kKeys[i])))));
    }
}

void WeightsPanel::write(std::size_t changed, double value) {
    const config::NamedPolicy* policy = named();
    if (policy == nullptr) return;
    std::array<double, 4> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = m_parts[i]->value();
    values[changed] = value;
    const smart::Weights weights{values[0], values[1], values[2], values[3]};
    const auto done = edits::setWeights(*m_document, policy->name, shownProfile(), weights);
    if (!done) m_partsMessage->show(done.error());
}

void WeightsPanel::makeOwn() {
    const std::string name = format::utf8(m_name->text());
    const auto done = edits::makeOwnPolicy(*m_document, name, smart::weightsOfVersion(m_routing, m_routing.policyVersion));
    if (!done) return m_nameMessage->show(done.error());
    m_nameMessage->clear();
    m_name->clear();
}

}  // namespace signalbox::ui
