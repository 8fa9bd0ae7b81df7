// SPDX-License-Identifier: MIT
#include "ui/pages/rules/gap_form.h"

#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/coverage/table_words.h"

#include <QComboBox>
#include <QEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <bit>

namespace signalbox::ui {

static constexpr int kLines = 3;

static QPlainTextEdit* makeLines() {
    auto* edit = new QPlainTextEdit;
    edit->setTabChangesFocus(true);
    edit->setFixedHeight(kLines * edit->fontMetrics().lineSpacing() + Theme::kMargin);
    return edit;
}

std::string proseOf(const table::Cell& cell) {
    return "workload_class=" + std::string(toString(cell.workload)) + " AND expected_output_length=" + std::string(toString(cell.length)) +
           " AND concurrency_mode=" + std::string(toString(cell.concurrency));
}

GapForm::GapForm(RuleForm::Purpose purpose, const TableNames& names, QWidget* parent)
    : RecordForm(parent), m_purpose(purpose), m_cell(makeLines()), m_fallback(makeNameBox(names.presets)), m_next(makeLines()),
      m_family(makeNameBox(QStringList{format::text(table::kEveryFamily)} + names.families)) {
    const auto addNames = [this](const QString& key, const QString& name, QComboBox* box) {
        addField(key, name, box);
        connect(box, &QComboBox::activated, this, [this, key, name] { tell(key, name); });
        connect(box->lineEdit(), &QLineEdit::editingFinished, this, [this, key, name] { tell(key, name); });
    };
    addField(QStringLiteral("missing_cell"), tr("Missing"), m_cell);
    connect(m_cell, &QPlainTextEdit::textChanged, this, &GapForm::sayCells);
    addNames(QStringLiteral("fallback_preset"), tr("Fallback until then"), m_fallback);
    addField(QStringLiteral("next_phase"), tr("Next step"), m_next);
    addNames(QStringLiteral("model_family"), tr("Family, or all"), m_family);
    m_cell->installEventFilter(this);
    m_next->installEventFilter(this);
    if (purpose == RuleForm::Purpose::change) return;
    auto* add = makeButton(tr("Declare the gap"), QStringLiteral("plus"), ButtonRole::primary);
    add->setObjectName(QStringLiteral("add"));
    body()->addWidget(add);
    connect(add, &QPushButton::clicked, this, &GapForm::added);
}

QString GapForm::whyNot(const table::CoverageGap& gap) {
    for (const std::string& text : {gap.modelFamily, gap.fallbackPreset})
        if (!fitsALine(format::text(text))) return RuleForm::tr("One of its texts has characters that a field cannot show as they are.");
    for (const std::string& text : {gap.missingCell, gap.nextPhase})
        if (!fitsLines(format::text(text))) return RuleForm::tr("One of its texts has characters that a field cannot show as they are.");
    return {};
}

void GapForm::display(const table::CoverageGap& gap) {
    // As of RuleForm: another gap stands at this place.
    if (m_shown && (m_shown->modelFamily != gap.modelFamily) + (m_shown->missingCell != gap.missingCell) + (m_shown->fallbackPreset != gap.fallbackPreset) + (m_shown->nextPhase != gap.nextPhase) > 1)
        m_shown.reset();
    const auto changed = [this, &gap](auto member) { return !m_shown || (*m_shown).*member != gap.*member; };
    if (changed(&table::CoverageGap::missingCell)) m_cell->setPlainText(format::text(gap.missingCell));
    if (changed(&table::CoverageGap::fallbackPreset)) m_fallback->setEditText(format::text(gap.fallbackPreset));
    if (changed(&table::CoverageGap::nextPhase)) m_next->setPlainText(format::text(gap.nextPhase));
    if (changed(&table::CoverageGap::modelFamily)) m_family->setEditText(format::text(gap.modelFamily));
    m_shown = gap;
}

table::CoverageGap GapForm::gap() const {
    return {format::utf8(m_family->currentText()), format::utf8(m_cell->toPlainText()), format::utf8(m_fallback->currentText()),
            format::utf8(m_next->toPlainText())};
}

/// What the prose names, while it is typed.
void GapForm::sayCells() {
    const auto when = table::parseMissingCell(format::utf8(m_cell->toPlainText()));
    FormField* at = field(QStringLiteral("missing_cell"));
    if (!when) at->remark(Tone::info, tr("Names no cell, so it stands beside the matrix. Begin with axis=value/value AND axis=value."));
    else at->remark(Tone::idle, tr("Names %n cell(s): %1", nullptr, std::popcount(table::cellsOf(*when))).arg(words::when(*when)));
}

void GapForm::explain() {
    if (field(QStringLiteral("missing_cell"))->message().isEmpty()) sayCells();
}

void GapForm::tell(const QString& key, const QString& name) {
    if (m_purpose == RuleForm::Purpose::add) return;
    if (m_shown && gap() == *m_shown) accept();
    else Q_EMIT edited(key, name);
}

bool GapForm::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusOut && watched == m_cell) tell(QStringLiteral("missing_cell"), tr("Missing"));
    if (event->type() == QEvent::FocusOut && watched == m_next) tell(QStringLiteral("next_phase"), tr("Next step"));
    return RecordForm::eventFilter(watched, event);
}

}  // namespace signalbox::ui
