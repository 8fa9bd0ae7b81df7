// SPDX-License-Identifier: MIT
#include "ui/pages/presets/preset_form.h"

#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/coverage/table_words.h"
#include "ui/widgets/forms/word_boxes.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

static constexpr int kMostNumber = 1'000'000;

PresetForm::PresetForm(Purpose purpose, const QStringList& families, QWidget* parent)
    : RecordForm(parent), m_purpose(purpose), m_key(addLine(QStringLiteral("preset_key"), tr("Key"), tr("required"))),
      m_model(addLine(QStringLiteral("model"), tr("Model"), tr("required: the weights"))),
      m_served(addLine(QStringLiteral("served_model_name"), tr("Served as"), tr("no other name"))),
      m_family(addNames(QStringLiteral("model_family"), tr("Family"), families)), m_k(addNumber(QStringLiteral("spec_decode_K"), tr("K, draft tokens; 1 is none"))),
      m_sequences(addNumber(QStringLiteral("max_num_seqs"), tr("Max sequences"))),
      m_role(addNames(QStringLiteral("role"), tr("Role"), {QStringLiteral("default"), QStringLiteral("structured"), QStringLiteral("gateway")})),
      m_workloads(new WordBoxes(words::axisChoices(table::Axis::workloadClass), {})), m_default(new QCheckBox(tr("serves its family where no rule matches"))) {
    m_role->lineEdit()->setPlaceholderText(tr("none"));
    addField(QStringLiteral("intended_workloads"), tr("Intended for; routing does not look at it"), m_workloads);
    connect(m_workloads, &WordBoxes::edited, this, [this] { tell(QStringLiteral("intended_workloads"), tr("Intended workloads")); });
    addField(QStringLiteral("default_for_family"), tr("Default"), m_default);
    connect(m_default, &QCheckBox::clicked, this, [this] { tell(QStringLiteral("default_for_family"), tr("Default")); });
    if (purpose == Purpose::change) return;
    auto* add = makeButton(tr("Add preset"), QStringLiteral("plus"), ButtonRole::primary);
    add->setObjectName(QStringLiteral("add"));
    body()->addWidget(add);
    connect(add, &QPushButton::clicked, this, &PresetForm::added);
}

QLineEdit* PresetForm::addLine(const QString& key, const QString& name, const QString& whenEmpty) {
    auto* line = new QLineEdit;
    line->setPlaceholderText(whenEmpty);
    addField(key, name, line);
    connect(line, &QLineEdit::editingFinished, this, [this, key, name] { tell(key, name); });
    return line;
}

QComboBox* PresetForm::addNames(const QString& key, const QString& name, const QStringList& names) {
    auto* box = new QComboBox;
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(12);
    box->addItems(names);
    addField(key, name, box);
    connect(box, &QComboBox::activated, this, [this, key, name] { tell(key, name); });
    connect(box->lineEdit(), &QLineEdit::editingFinished, this, [this, key, name] { tell(key, name); });
    return box;
}

QSpinBox* PresetForm::addNumber(const QString& key, const QString& name) {
    auto* box = new QSpinBox;
    box->setRange(1, kMostNumber);
    box->setKeyboardTracking(false);
    addField(key, name, box);
    connect(box, &QSpinBox::valueChanged, this, [this, key, name] { tell(key, name); });
    return box;
}

QString PresetForm::whyNot(const table::Preset& preset) {
    const auto isPlain = [](const std::string& text) { return fitsALine(format::text(text)); };
    if (preset.specDecodeK > kMostNumber || preset.maxNumSeqs > kMostNumber) return tr("One of its numbers is above %1, which no field of this form can hold.").arg(kMostNumber);
    if (preset.servedModelName == "" || preset.role == "") return tr("Its served name or role is an empty text, which a field cannot tell from none.");
    auto workloads = preset.intendedWorkloads;
    bool plain = isPlain(preset.presetKey) && isPlain(preset.model) && isPlain(preset.servedModelName.value_or("")) && isPlain(preset.modelFamily) &&
                 isPlain(preset.role.value_or("")) && std::all_of(workloads.begin(), workloads.end(), isPlain);
    if (!plain) return tr("One of its texts has characters that a field cannot show as they are.");
    std::sort(workloads.begin(), workloads.end());
    if (std::adjacent_find(workloads.begin(), workloads.end()) != workloads.end()) return tr("It lists a workload twice, which check boxes cannot show.");
    return {};
}

static int differences(const table::Preset& a, const table::Preset& b) {
    return (a.presetKey != b.presetKey) + (a.model != b.model) + (a.servedModelName != b.servedModelName) + (a.modelFamily != b.modelFamily) + (a.specDecodeK != b.specDecodeK) +
           (a.maxNumSeqs != b.maxNumSeqs) + (a.role != b.role) + (a.intendedWorkloads != b.intendedWorkloads) + (a.defaultForFamily != b.defaultForFamily);
}

void PresetForm::display(const table::Preset& preset) {
    // A step of ours changes one field, and what is being typed in another stays. More than one: another preset stands
    // at this place, and nothing that was typed for the last one may reach it.
    if (m_shown && differences(*m_shown, preset) > 1) m_shown.reset();
    const auto changed = [this, &preset](auto member) { return !m_shown || (*m_shown).*member != preset.*member; };
    const auto number = [](QSpinBox* box, std::int64_t value) {
        const QSignalBlocker quiet(box);
        box->setValue(static_cast<int>(value));
    };
    if (changed(&table::Preset::presetKey)) m_key->setText(format::text(preset.presetKey));
    if (changed(&table::Preset::model)) m_model->setText(format::text(preset.model));
    if (changed(&table::Preset::servedModelName)) m_served->setText(format::text(preset.servedModelName.value_or("")));
    if (changed(&table::Preset::modelFamily)) m_family->setEditText(format::text(preset.modelFamily));
    if (changed(&table::Preset::specDecodeK)) number(m_k, preset.specDecodeK);
    if (changed(&table::Preset::maxNumSeqs)) number(m_sequences, preset.maxNumSeqs);
    if (changed(&table::Preset::role)) m_role->setEditText(format::text(preset.role.value_or("")));
    if (changed(&table::Preset::intendedWorkloads)) m_workloads->set(preset.intendedWorkloads);
    if (changed(&table::Preset::defaultForFamily)) m_default->setChecked(preset.defaultForFamily);
    m_shown = preset;
}

static std::optional<std::string> orNone(const QString& text) { return text.isEmpty() ? std::nullopt : std::optional(format::utf8(text)); }

table::Preset PresetForm::preset() const {
    table::Preset preset;
    preset.presetKey = format::utf8(m_key->text());
    preset.model = format::utf8(m_model->text());
    preset.servedModelName = orNone(m_served->text());
    preset.modelFamily = format::utf8(m_family->currentText());
    preset.specDecodeK = m_k->value();
    preset.maxNumSeqs = m_sequences->value();
    preset.role = orNone(m_role->currentText());
    preset.intendedWorkloads = m_workloads->words().value_or(std::vector<std::string>());
    preset.defaultForFamily = m_default->isChecked();
    return preset;
}

void PresetForm::tell(const QString& key, const QString& name) {
    if (m_purpose == Purpose::add || !m_shown) return;
    if (preset() == *m_shown) accept();
    else Q_EMIT edited(key, name);
}

}  // namespace signalbox::ui
