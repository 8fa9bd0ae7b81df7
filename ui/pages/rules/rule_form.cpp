// SPDX-License-Identifier: MIT
#include "ui/pages/rules/rule_form.h"

#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/coverage/table_words.h"
#include "ui/widgets/forms/word_boxes.h"

#include <nlohmann/json.hpp>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

static constexpr int kEvidenceLines = 6;

TableNames namesOf(const table::RoutingTable& table) {
    TableNames names;
    for (const std::string& family : table.families()) names.families << format::text(family);
    for (const table::Preset& preset : table.presets) names.presets << format::text(preset.presetKey);
    return names;
}

QComboBox* makeNameBox(const QStringList& names) {
    auto* box = new QComboBox;
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(12);
    box->addItems(names);
    return box;
}

static QString axisName(table::Axis axis) {
    switch (axis) {
    case table::Axis::workloadClass: return RuleForm::tr("Kind of request");
    case table::Axis::expectedOutputLength: return RuleForm::tr("Expected output");
    case table::Axis::concurrencyMode: return RuleForm::tr("In flight");
    }
    return {};
}

static QString keyOf(table::Axis axis) { return QStringLiteral("when/") + format::text(toString(axis)); }

RuleForm::RuleForm(Purpose purpose, const TableNames& names, QWidget* parent)
    : RecordForm(parent), m_purpose(purpose), m_family(makeNameBox(names.families)), m_preset(makeNameBox(names.presets)), m_evidence(new QPlainTextEdit),
      m_tag(new QComboBox), m_markInferred(makeButton(tr("Mark as inferred"))) {
    for (const table::Axis axis : table::kAxes) {
        auto* boxes = new WordBoxes(words::axisChoices(axis), tr("any"));
        m_axes.insert(static_cast<int>(axis), boxes);
        addField(keyOf(axis), axisName(axis), boxes);
        connect(boxes, &WordBoxes::edited, this, [this, axis] { tell(keyOf(axis), axisName(axis)); });
    }
    const auto addNames = [this](const QString& key, const QString& name, QComboBox* box) {
        addField(key, name, box);
        connect(box, &QComboBox::activated, this, [this, key, name] { tell(key, name); });
        connect(box->lineEdit(), &QLineEdit::editingFinished, this, [this, key, name] { tell(key, name); });
    };
    addNames(QStringLiteral("preset_key"), tr("Preset"), m_preset);
    m_evidence->setTabChangesFocus(true);
    m_evidence->setFixedHeight(kEvidenceLines * m_evidence->fontMetrics().lineSpacing() + Theme::kMargin);
    m_evidence->setPlaceholderText(tr("The measurement or the reasoning that the rule rests on; required"));
    m_evidence->installEventFilter(this);
    addField(QStringLiteral("evidence"), tr("Evidence"), m_evidence);
    m_tag->addItem(tr("measured"), QStringLiteral("measured"));
    m_tag->addItem(tr("inferred"), QStringLiteral("inferred"));
    m_tag->addItem(tr("none"), QString());
    addField(QStringLiteral("evidence_tag"), tr("Evidence is"), m_tag);
    connect(m_tag, &QComboBox::activated, this, [this] { tell(QStringLiteral("evidence_tag"), tr("Evidence is")); });
    m_markInferred->setObjectName(QStringLiteral("markInferred"));
    m_markInferred->setAccessibleDescription(tr("Changes what the evidence of this rule is said to be; Undo takes it back"));
    m_markInferred->hide();
    body()->addWidget(m_markInferred, 0, Qt::AlignLeft);
    connect(m_markInferred, &QPushButton::clicked, this, [this] {
        m_tag->setFocus(Qt::OtherFocusReason);  // the button goes
        m_tag->setCurrentIndex(m_tag->findData(QStringLiteral("inferred")));
        tell(QStringLiteral("evidence_tag"), tr("Evidence is"));
    });
    addNames(QStringLiteral("model_family"), tr("Family"), m_family);
    if (purpose == Purpose::change) return;
    auto* add = makeButton(tr("Add rule"), QStringLiteral("plus"), ButtonRole::primary);
    add->setObjectName(QStringLiteral("add"));
    body()->addWidget(add);
    connect(add, &QPushButton::clicked, this, &RuleForm::added);
}

QString RuleForm::whyNot(const table::RoutingRule& rule, const OrderedJson& when) {
    for (const auto& [key, value] : when.items())
        if (!table::parseAxis(key)) return tr("Its condition has an axis that this form does not know: %1.").arg(format::text(key));
    for (const table::Axis axis : table::kAxes) {
        auto words = table::wordsOf(rule.when, axis).value_or(std::vector<std::string>());
        for (const std::string& word : words)
            if (!fitsALine(format::text(word))) return tr("A value of its condition has characters that no check box shows.");
        std::sort(words.begin(), words.end());
        if (std::adjacent_find(words.begin(), words.end()) != words.end()) return tr("Its condition lists a value twice, which check boxes cannot show.");
    }
    if (rule.evidenceTag && *rule.evidenceTag != "measured" && *rule.evidenceTag != "inferred")
        return tr("Its evidence tag is neither measured nor inferred: %1.").arg(format::text(*rule.evidenceTag));
    if (!fitsALine(format::text(rule.presetKey)) || !fitsALine(format::text(rule.modelFamily)) || !fitsLines(format::text(rule.evidence)))
        return tr("One of its texts has characters that a field cannot show as they are.");
    return {};
}

static int differences(const table::RoutingRule& a, const table::RoutingRule& b) {
    int count = (a.modelFamily != b.modelFamily) + (a.presetKey != b.presetKey) + (a.evidence != b.evidence) + (a.evidenceTag != b.evidenceTag);
    for (const table::Axis axis : table::kAxes) count += table::wordsOf(a.when, axis) != table::wordsOf(b.when, axis);
    return count;
}

void RuleForm::display(const table::RoutingRule& rule) {
    // A step of ours changes one field, and what is being typed in another stays. More than one: another rule stands
    // at this place, and nothing that was typed for the last one may reach it.
    if (m_shown && differences(*m_shown, rule) > 1) m_shown.reset();
    const auto changed = [this, &rule](auto member) { return !m_shown || (*m_shown).*member != rule.*member; };
    if (changed(&table::RoutingRule::modelFamily)) m_family->setEditText(format::text(rule.modelFamily));
    if (changed(&table::RoutingRule::presetKey)) m_preset->setEditText(format::text(rule.presetKey));
    for (const table::Axis axis : table::kAxes)
        if (!m_shown || table::wordsOf(m_shown->when, axis) != table::wordsOf(rule.when, axis)) m_axes.value(static_cast<int>(axis))->set(table::wordsOf(rule.when, axis));
    if (changed(&table::RoutingRule::evidence)) m_evidence->setPlainText(format::text(rule.evidence));
    if (changed(&table::RoutingRule::evidenceTag)) m_tag->setCurrentIndex(m_tag->findData(format::text(rule.evidenceTag.value_or(""))));
    m_shown = rule;
}

table::RoutingRule RuleForm::rule() const {
    table::RoutingRule rule;
    rule.modelFamily = format::utf8(m_family->currentText());
    rule.presetKey = format::utf8(m_preset->currentText());
    for (const table::Axis axis : table::kAxes) table::wordsOf(rule.when, axis) = m_axes.value(static_cast<int>(axis))->words();
    table::updateMasks(rule.when);
    rule.evidence = format::utf8(m_evidence->toPlainText());
    if (const QString tag = m_tag->currentData().toString(); !tag.isEmpty()) rule.evidenceTag = format::utf8(tag);
    return rule;
}

void RuleForm::explain() {
    m_markInferred->setVisible(m_newlyPermitted > 0);
    if (m_newlyPermitted == 0) return;
    FormField* tag = field(QStringLiteral("evidence_tag"));
    QStringList said = {tr("Its condition permits %n kind(s) of request that no rule of this evidence did when it was marked as measured. Mark it as inferred unless its evidence covers the "
                           "new one(s), too.", nullptr, m_newlyPermitted)};
    if (!tag->message().isEmpty() && !tag->isRefused()) said.prepend(tag->message());
    tag->remark(Tone::caution, said.join(QLatin1Char('\n')));
}

void RuleForm::tell(const QString& key, const QString& name) {
    if (m_purpose == Purpose::add) return;
    if (m_shown && rule() == *m_shown) accept();  // typed back to what stands in the draft
    else Q_EMIT edited(key, name);
}

bool RuleForm::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_evidence && event->type() == QEvent::FocusOut) tell(QStringLiteral("evidence"), tr("Evidence"));
    return RecordForm::eventFilter(watched, event);
}

}  // namespace signalbox::ui
