// SPDX-License-Identifier: MIT
#include "ui/pages/groups/candidate_form.h"

#include "ui/document/config_edits.h"
#include "ui/document/policy_document.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/forms/field_message.h"
#include "ui/pages/groups/full_number.h"
#include "ui/pages/groups/new_groups.h"
#include "ui/widgets/forms/wheel_guard.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>

#include <cmath>

namespace signalbox::ui {

static constexpr int kSliderSteps = 100, kQualityDecimals = 3;

static bool isSame(const config::Candidate& a, const config::Candidate& b) {
    return a.provider == b.provider && a.model == b.model && a.pool == b.pool && a.quality == b.quality && a.latencyHintMs == b.latencyHintMs && a.enabled == b.enabled;
}

CandidateForm::CandidateForm(PolicyDocument* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_provider(new QComboBox), m_model(new QComboBox), m_enabled(new QCheckBox(tr("Enabled"))),
      m_slider(new QSlider(Qt::Horizontal)), m_quality(new QDoubleSpinBox), m_hint(new QSpinBox), m_measured(makeButton(tr("Use measured"))),
      m_add(makeButton(tr("Add to the group"), QStringLiteral("plus"), ButtonRole::primary)), m_cancel(makeButton(tr("Cancel"))),
      m_verdict(makeMuted({})), m_price(makeMuted({})), m_targetMessage(new FieldMessage(m_model)), m_enabledMessage(new FieldMessage(m_enabled)),
      m_qualityMessage(new FieldMessage(m_quality)), m_hintMessage(new FieldMessage(m_hint)) {
    makeFields();
    connectFields();
}

void CandidateForm::addField(QGridLayout* grid, int row, int column, int span, const QString& name, QWidget* field) {
    auto* label = makeMuted(name);
    label->setFont(Theme::instance().smallFont());
    label->setWordWrap(false);
    grid->addWidget(label, row, column, 1, span);
    grid->addWidget(field, row + 1, column, 1, span);
    field->setAccessibleName(name);
}

void CandidateForm::makeFields() {
    setObjectName(QStringLiteral("candidateForm"));
    m_model->setEditable(true);
    m_model->setInsertPolicy(QComboBox::NoInsert);
    m_model->lineEdit()->setAccessibleName(tr("Model"));
    m_slider->setRange(0, kSliderSteps);
    m_slider->setAccessibleName(tr("Quality prior, slider"));
    m_quality->setRange(0, 1);
    m_quality->setSingleStep(0.01);
    m_quality->setKeyboardTracking(false);
    m_hint->setRange(1, 600'000);
    m_hint->setGroupSeparatorShown(true);
    m_hint->setSuffix(tr(" ms"));
    m_hint->setSingleStep(50);
    m_hint->setKeyboardTracking(false);
    for (QLabel* label : {m_verdict, m_price}) label->setFont(Theme::instance().smallFont());

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Theme::kGapWide);
    grid->setVerticalSpacing(2);
    addField(grid, 0, 0, 1, tr("Provider"), m_provider);
    addField(grid, 0, 1, 2, tr("Model"), m_model);
    grid->addWidget(m_enabled, 1, 3);
    grid->addWidget(m_add, 1, 4);
    grid->addWidget(m_cancel, 1, 5);
    grid->addWidget(m_targetMessage, 2, 0, 1, 6);
    grid->addWidget(m_enabledMessage, 3, 0, 1, 6);
    addField(grid, 4, 0, 1, tr("Quality (prior, 0 to 1)"), m_quality);
    grid->addWidget(m_slider, 5, 1, 1, 2);
    addField(grid, 4, 3, 1, tr("Latency hint (prior)"), m_hint);
    grid->addWidget(m_measured, 5, 4, 1, 2);
    grid->addWidget(m_qualityMessage, 6, 0, 1, 3);
    grid->addWidget(m_hintMessage, 6, 3, 1, 3);
    grid->addWidget(m_verdict, 7, 0, 1, 6);
    grid->addWidget(m_price, 8, 0, 1, 6);
    grid->setColumnStretch(2, 1);
    for (QWidget* const field : {static_cast<QWidget*>(m_provider), static_cast<QWidget*>(m_quality), static_cast<QWidget*>(m_hint)}) field->setMinimumWidth(120);
    guardFromWheel({m_provider, m_model, m_slider, m_quality, m_hint});
    const QList<QWidget*> order{m_provider, m_model, m_enabled, m_add, m_cancel, m_quality, m_slider, m_hint, m_measured};
    for (int i = 1; i < order.size(); ++i) setTabOrder(order.at(i - 1), order.at(i));
}

void CandidateForm::connectFields() {
    connect(m_provider, &QComboBox::activated, this, [this] {
        // Its models are others; the first one stands there until somebody chooses.
        const QString before = m_model->currentText();
        fillModels();
        const int known = m_model->findText(before);
        m_model->setCurrentIndex(known >= 0 ? known : 0);
        if (!m_new) acceptTarget();
    });
    connect(m_model, &QComboBox::activated, this, [this] {
        if (!m_new) acceptTarget();
    });
    connect(m_model->lineEdit(), &QLineEdit::returnPressed, this, &CandidateForm::acceptTarget);
    connect(m_model->lineEdit(), &QLineEdit::editingFinished, this, [this] {
        if (!m_new) acceptTarget();
    });
    connect(m_add, &QPushButton::clicked, this, &CandidateForm::acceptTarget);
    connect(m_cancel, &QPushButton::clicked, this, &CandidateForm::abandoned);
    connect(m_enabled, &QCheckBox::clicked, this, [this](bool on) {
        if (m_new) return;
        if (const auto done = edits::setEnabled(*m_document, m_group, m_index, on); !done) m_enabledMessage->show(done.error());
        else m_enabledMessage->clear();
    });
    connect(m_slider, &QSlider::valueChanged, this, [this](int step) { writeQuality(double(step) / kSliderSteps); });
    connect(m_quality, &QDoubleSpinBox::valueChanged, this, &CandidateForm::writeQuality);
    connect(m_hint, &QSpinBox::valueChanged, this, &CandidateForm::writeHint);
    connect(m_measured, &QPushButton::clicked, this, &CandidateForm::takeMeasured);
}

void CandidateForm::clearMessages() {
    for (FieldMessage* message : {m_targetMessage, m_enabledMessage, m_qualityMessage, m_hintMessage}) message->clear();
}

bool CandidateForm::isPoolChosen() const { return m_provider->currentData().toBool(); }

void CandidateForm::fillModels() {
    const auto workspace = m_document->workspace();
    const QSignalBlocker quiet(m_model);
    m_model->clear();
    if (!workspace || !workspace->config.config) return;
    if (isPoolChosen()) {
        for (const config::Model& pool : workspace->config.config->models) m_model->addItem(format::text(pool.id));
        return;
    }
    for (const std::string& model : knownModels(*workspace->config.config, format::utf8(m_provider->currentText()))) m_model->addItem(format::text(model));
}

void CandidateForm::showCandidate(const config::Candidate& candidate) {
    const QSignalBlocker quietProvider(m_provider), quietModel(m_model), quietEnabled(m_enabled), quietSlider(m_slider), quietHint(m_hint);
    m_provider->clear();
    if (const auto workspace = m_document->workspace(); workspace && workspace->config.config)
        for (const config::Provider& provider : workspace->config.config->providers) m_provider->addItem(format::text(provider.id), false);
    const QString provider = format::text(candidate.provider);
    if (!candidate.pool && m_provider->findText(provider) < 0) m_provider->addItem(provider, false);
    // Always there: a pool can be chosen, and one that is configured stands in the form as it is.
    m_provider->addItem(tr("A pool of [models]"), true);
    m_provider->setCurrentIndex(candidate.pool ? m_provider->count() - 1 : m_provider->findText(provider));
    fillModels();
    m_model->setEditText(format::text(candidate.pool.value_or(candidate.model)));
    if (!m_model->lineEdit()->hasFocus()) m_model->lineEdit()->setCursorPosition(0);  // a name is told apart by its beginning
    m_enabled->setChecked(candidate.enabled);
    m_slider->setValue(static_cast<int>(std::lround(candidate.quality * kSliderSteps)));
    const bool whole = showInFull(m_quality, candidate.quality, kQualityDecimals);
    m_hint->setValue(static_cast<int>(candidate.latencyHintMs));
    clearMessages();
    m_slider->setEnabled(whole);
    if (!whole)
        m_qualityMessage->show({ErrorKind::badInput, "this quality has more digits than the field can show in full", {}, "Edit it in gateway.toml"});
    m_shown = candidate;
    m_filled = true;
}

void CandidateForm::showSources() {
    const auto workspace = m_document->workspace();
    if (!workspace || m_new) return;
    const auto tell = [&](QWidget* field, const char* key) {
        field->setToolTip(plainTip(tr("From: %1").arg(edits::sourceOf(*workspace, edits::candidatePath(m_group, m_index, key)))));
    };
    tell(m_provider, m_row.candidate.pool ? "pool" : "provider");
    tell(m_model, m_row.candidate.pool ? "pool" : "model");
    tell(m_enabled, "enabled");
    tell(m_quality, "quality");
    tell(m_hint, "latency_hint_ms");
}

void CandidateForm::showMeasured() {
    m_verdict->setText(m_new ? tr("Not in the group yet: choose an endpoint, then add it.") : verdictText(m_row));
    m_price->setText(m_new ? QString() : tr("Price %1 USD a million tokens in / out: %2.").arg(priceText(m_row), priceSource(m_row, QDate::currentDate())));
    m_price->setVisible(!m_new);
    const auto hint = m_new ? std::nullopt : m_row.measuredHint();
    m_measured->setEnabled(hint.has_value());
    m_measured->setText(hint ? tr("Use measured: %1 ms").arg(format::count(*hint)) : tr("Use measured"));
    m_measured->setAccessibleName(m_measured->text());
    m_measured->setToolTip(hint ? tr("Writes the measured latency, to two digits, as the hint; can be undone") : tr("Nothing is measured that differs from the hint"));
}

void CandidateForm::setRow(const std::string& group, const CandidateRow& row) {
    const bool other = m_new || !m_filled || group != m_group || row.index != m_index;
    m_new = false;
    m_group = group;
    m_index = row.index;
    m_row = row;
    m_add->setVisible(false);
    m_cancel->setVisible(false);
    if (other || !isSame(row.candidate, m_shown)) showCandidate(row.candidate);
    setEnabled(m_document->canEditConfig());
    showSources();
    showMeasured();
}

void CandidateForm::beginNew(const std::string& group, std::size_t place, const config::Candidate& candidate) {
    m_new = true;
    m_group = group;
    m_index = place;
    m_add->setVisible(true);
    m_cancel->setVisible(true);
    showCandidate(candidate);
    showMeasured();
    focusTarget();
}

void CandidateForm::focusTarget() {
    m_model->setFocus(Qt::OtherFocusReason);
    m_model->lineEdit()->selectAll();
}

void CandidateForm::acceptTarget() {
    const std::string provider = format::utf8(m_provider->currentText()), model = format::utf8(m_model->currentText());
    const bool pool = isPoolChosen();
    if (m_new) {
        config::Candidate candidate{pool ? std::string() : provider, pool ? std::string() : model, m_quality->value(),
                                    static_cast<std::uint32_t>(m_hint->value()), m_enabled->isChecked(), std::nullopt};
        if (pool) candidate.pool = model;
        if (const auto done = edits::addCandidate(*m_document, m_group, m_index, candidate); !done) return m_targetMessage->show(done.error());
        m_targetMessage->clear();
        m_new = false;
        m_filled = false;
        Q_EMIT added(static_cast<int>(m_index));
        return;
    }
    const bool same = pool ? m_shown.pool == model : !m_shown.pool && provider == m_shown.provider && model == m_shown.model;
    if (same) return m_targetMessage->clear();
    const auto done = pool ? edits::setPool(*m_document, m_group, m_index, model) : edits::setTarget(*m_document, m_group, m_index, provider, model);
    if (!done) m_targetMessage->show(done.error());
    else m_targetMessage->clear();
}

void CandidateForm::writeQuality(double quality) {
    {
        const QSignalBlocker quietSlider(m_slider);
        m_slider->setValue(static_cast<int>(std::lround(quality * kSliderSteps)));
        showInFull(m_quality, quality, kQualityDecimals);
    }
    if (m_new) return;
    if (const auto done = edits::setQuality(*m_document, m_group, m_index, quality); !done) m_qualityMessage->show(done.error());
    else m_qualityMessage->clear();
}

void CandidateForm::writeHint(int milliseconds) {
    if (m_new) return;
    if (const auto done = edits::setLatencyHint(*m_document, m_group, m_index, static_cast<std::uint32_t>(milliseconds)); !done) m_hintMessage->show(done.error());
    else m_hintMessage->clear();
}

void CandidateForm::takeMeasured() {
    const auto hint = m_new ? std::nullopt : m_row.measuredHint();
    if (!hint) return;
    if (const auto done = edits::setLatencyHint(*m_document, m_group, m_index, *hint); !done) m_hintMessage->show(done.error());
}

void CandidateForm::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape) return QWidget::keyPressEvent(event);
    if (m_new) Q_EMIT abandoned();
    else showCandidate(m_row.candidate);
}

}  // namespace signalbox::ui
