// SPDX-License-Identifier: MIT
#include "ui/pages/rules/rules_page.h"

#include "ui/document/policy_document.h"
#include "ui/pages/place_after.h"
#include "ui/pages/read_only_banner.h"
#include "ui/pages/rules/gaps_panel.h"
#include "ui/pages/rules/rules_column.h"
#include "ui/pages/rules/rules_editor.h"
#include "ui/pages/rules/rules_inspector.h"
#include "ui/pages/whose_records.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/cards/card_list.h"
#include "ui/widgets/coverage/coverage_legend.h"
#include "ui/widgets/coverage/coverage_matrix.h"
#include "ui/widgets/coverage/coverage_model.h"
#include "ui/widgets/coverage/family_strip.h"
#include "ui/widgets/coverage/table_words.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fact_list.h"
#include "ui/widgets/forms/row_commands.h"
#include "ui/theme/format.h"
#include "ui/widgets/section.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace signalbox::ui {

using namespace std::chrono_literals;

static constexpr int kRulesShare = 3, kMatrixShare = 5, kMatrixHeight = 348;

RulesPage::RulesPage(PageContext context, QWidget* parent)
    : Page(std::move(context), parent), m_stack(new QStackedWidget), m_banner(new ReadOnlyBanner(m_context)),
      m_empty(new EmptyState(QStringLiteral("rules"), tr("No routing table is open"),
                             tr("Here stand the rules of each model family in the order in which they are asked, beside a matrix of "
                                "where every kind of request lands. Open a workspace or a routing table to see them."))),
      m_strip(new FamilyStrip), m_rules(new RulesColumn), m_gaps(new GapsPanel), m_matrix(new CoverageMatrix), m_attended(makeMuted({})),
      m_editor(new RulesEditor(m_context, this)) {
    makeLayout();
    connectSources();
    connectLists();
    connectEditing();
    takeTable();
}

// A child that has the focus lets go of it while it dies, when this is no page any more.
RulesPage::~RulesPage() {
    m_gaps->letGo();
    for (QObject* part : QList<QObject*>{m_rules->list(), m_gaps, m_matrix}) part->disconnect(this);
}

QString RulesPage::question() const { return tr("Does each rule pay off, and why does it not fire?"); }

QWidget* RulesPage::makeMatrixColumn() {
    m_matrixSection = new Section(tr("Where every kind of request lands"));
    m_matrix->setMinimumHeight(kMatrixHeight);
    m_attended->setMinimumHeight(2 * fontMetrics().lineSpacing());
    m_attended->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_matrixSection->body()->addWidget(m_matrix, 1);
    m_matrixSection->body()->addWidget(m_attended);
    m_matrixSection->body()->addWidget(new CoverageLegend);
    auto* column = new QWidget;
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kMargin);
    layout->addWidget(m_matrixSection, 1);
    layout->addWidget(m_gaps);
    return inScrollArea(column);
}

void RulesPage::makeLayout() {
    auto* content = new QWidget;
    auto* columns = new QHBoxLayout;
    columns->setSpacing(Theme::kSection);
    columns->addWidget(m_rules, kRulesShare);
    columns->addWidget(makeMatrixColumn(), kMatrixShare);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(Theme::kSection, 0, Theme::kSection, Theme::kMargin);
    layout->setSpacing(Theme::kMargin);
    layout->addWidget(makeHairline());
    layout->addWidget(m_banner);
    layout->addWidget(new WhoseRecords(m_context));
    layout->addWidget(m_strip);
    layout->addLayout(columns, 1);
    m_stack->addWidget(content);
    m_stack->addWidget(m_empty);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);
}

void RulesPage::connectSources() {
    m_settle.setSingleShot(true);
    m_settle.setInterval(2s);
    m_capsSettle.setSingleShot(true);
    m_capsSettle.setInterval(20s);
    connect(&m_settle, &QTimer::timeout, this, [this] {
        askHits();
        if (!m_capsSettle.isActive()) askCaps();
    });
    connect(m_context.view, &ViewState::rangeChanged, this, [this] {
        askHits();
        if (!m_context.view->isLive() || !m_capsSettle.isActive()) askCaps();
    });
    connect(m_context.bridge, &Bridge::ownDecisionsArrived, this, [this] {
        if (!m_settle.isActive()) m_settle.start();
    });
    connect(m_context.document, &PolicyDocument::changed, this, &RulesPage::takeTable);
    connect(m_strip, &FamilyStrip::chosen, this, [this](int index) { chooseFamily(static_cast<std::size_t>(index)); });

    connect(m_matrix, &CoverageMatrix::attended, this, &RulesPage::attendCell);
    connect(m_matrix, &CoverageMatrix::cellSelected, this, &RulesPage::inspectCell);
    connect(m_matrix, &CoverageMatrix::cellOpened, this, [this](const table::Cell& cell) {
        m_context.go(QStringLiteral("history"), historyFilterOfCells(*m_view, table::CellSet{1} << cell.index()));
    });
}

void RulesPage::connectLists() {
    const auto ruleAt = [this](int row) { return m_view->rules()[static_cast<std::size_t>(row)]; };
    connect(m_rules->list(), &CardList::hovered, this, [this, ruleAt](int row) { m_matrix->light(row < 0 || !m_view ? 0 : m_view->cellsOfRule(ruleAt(row))); });
    connect(m_rules->list(), &CardList::selected, this, [this, ruleAt](int row) {
        if (m_view && row >= 0) inspectRule(ruleAt(row));
    });
    connect(m_rules->list(), &CardList::opened, this,
            [this, ruleAt](int row) { m_context.go(QStringLiteral("history"), historyFilterOfRule(*m_view, ruleAt(row))); });
    connect(m_gaps, &GapsPanel::hovered, this, [this](std::optional<std::size_t> gap) { m_matrix->light(gap && m_view ? m_view->cellsOfGap(*gap) : 0); });
    connect(m_gaps, &GapsPanel::selected, this, &RulesPage::inspectGap);
    connect(m_gaps, &GapsPanel::opened, this, [this](std::size_t gap) {
        if (const auto cells = m_view->cellsOfGap(gap); cells != 0) m_context.go(QStringLiteral("history"), historyFilterOfCells(*m_view, cells));
    });
}

void RulesPage::connectEditing() {
    const auto ruleAt = [this](int row) { return m_view->rules()[static_cast<std::size_t>(row)]; };
    connect(m_rules->commands(), &RowCommands::addWanted, this, [this] {
        if (m_view) m_editor->startRule(m_view->coverage().family, m_matrix->currentCell());
    });
    connect(m_rules->commands(), &RowCommands::duplicateWanted, m_editor, [this, ruleAt](int row) { m_editor->duplicateRule(ruleAt(row)); });
    connect(m_rules->commands(), &RowCommands::removeWanted, m_editor, [this, ruleAt](int row) {
        m_editor->removeRule(ruleAt(row));
        if (m_view && !m_view->rules().empty()) m_rules->list()->selectRow(std::min(row, static_cast<int>(m_view->rules().size()) - 1));
    });
    connect(m_rules->commands(), &RowCommands::moveWanted, m_editor, [this, ruleAt](int from, int to) { m_editor->moveRule(ruleAt(from), ruleAt(to)); });
    connect(m_gaps, &GapsPanel::addWanted, this, [this] {
        if (m_view) m_editor->startGap(m_view->coverage().family, m_matrix->currentCell());
    });
    connect(m_gaps, &GapsPanel::duplicateWanted, m_editor, &RulesEditor::duplicateGap);
    connect(m_gaps, &GapsPanel::removeWanted, m_editor, &RulesEditor::removeGap);
    connect(m_gaps, &GapsPanel::moveWanted, m_editor, &RulesEditor::moveGap);
    connect(m_editor, &RulesEditor::wantsRule, this, &RulesPage::goToRule);
    connect(m_editor, &RulesEditor::wantsGap, this, &RulesPage::goToGap);
}

void RulesPage::takeTable() {
    const auto table = m_context.document->table();
    const std::string before = m_view ? m_view->coverage().family : std::string();
    m_coverage = table ? table::computeCoverage(*table) : table::Coverage{};
    const Kind chosen = m_chosen;
    const auto place = table && m_view ? placeOfChosen(m_view->table(), *table) : std::nullopt;
    m_view.reset();
    m_strip->setFamilies(m_coverage.families);
    m_rules->setEditable(m_editor->canEdit());
    m_gaps->setEditable(m_editor->canEdit());
    if (m_coverage.families.empty()) {
        if (table) m_empty->setTexts(tr("This table names no family"), tr("Rules belong to model families. None of the presets of this table has one."));
        m_stack->setCurrentWidget(m_empty);
        m_sheet.drop();
        m_chosen = Kind::nothing;
        say();
        return;
    }
    m_stack->setCurrentIndex(0);
    showFamily(indexOfFamily(before).value_or(0));
    follow(chosen, place);
}

std::optional<std::size_t> RulesPage::placeOfChosen(const table::RoutingTable& before, const table::RoutingTable& now) const {
    switch (m_chosen) {
    case Kind::rule: return placeAfter(before.rules, now.rules, m_chosenIndex);
    case Kind::gap: return placeAfter(before.gaps, now.gaps, m_chosenIndex);
    case Kind::cell: return indexOfFamily(m_view->coverage().family) ? std::optional(m_chosenIndex) : std::nullopt;
    case Kind::nothing: break;
    }
    return std::nullopt;
}

/// Its sheet goes with what was chosen, wherever that stands by now, and goes when that is gone.
void RulesPage::follow(Kind chosen, std::optional<std::size_t> place) {
    const bool editable = m_editor->canEdit();
    const bool turned = std::exchange(m_wasEditable, editable) != editable;
    const bool moved = std::exchange(m_chosenIndex, place.value_or(0)) != place;
    m_chosen = place ? chosen : Kind::nothing;
    const bool isToBeRead = m_sheet.facts() == nullptr;  // and says what is so by now, as that of a cell: what decides it may be another
    if (!place) m_sheet.drop();
    else if (m_sheet.isShown() && (!select(m_chosen, m_chosenIndex) || turned || moved || isToBeRead)) showChosen();
    m_editor->refresh();
    fillFacts();
}

void RulesPage::showChosen() {
    switch (m_chosen) {
    case Kind::rule: return goToRule(m_chosenIndex);
    case Kind::gap: return goToGap(m_chosenIndex);
    case Kind::cell: return goToCell(table::Cell::fromIndex(m_chosenIndex));
    case Kind::nothing: break;
    }
}

/// Without a word of it; false where it is not among what is shown.
bool RulesPage::select(Kind kind, std::size_t index) {
    if (kind == Kind::gap) {
        const QSignalBlocker quiet(m_gaps);
        return m_gaps->select(index);
    }
    if (kind == Kind::rule) {
        const QSignalBlocker quiet(m_rules->list());
        const auto& rules = m_view->rules();
        const auto found = std::find(rules.begin(), rules.end(), index);
        m_rules->list()->selectRow(static_cast<int>(found - rules.begin()));
        return found != rules.end();
    }
    return kind == Kind::cell;
}

void RulesPage::chooseNothing() {
    m_sheet.drop();
    m_chosen = Kind::nothing;
    m_rules->list()->selectionModel()->clear();
    m_gaps->selectNone();
    m_matrix->selectionModel()->clear();
    attendCell(std::nullopt);
}

void RulesPage::chooseFamily(std::size_t index) {
    if (index != m_family) m_sheet.drop();  // nothing of one stands beside another
    showFamily(index);
}

void RulesPage::showFamily(std::size_t index) {
    const std::string& family = m_coverage.families[index].family;
    if (m_hitsFamily != family) m_chosen = Kind::nothing;
    // An edit changes where requests land, not which were recorded.
    const bool sameHits = m_hits && m_hitsFamily == family;
    m_family = index;
    m_view.emplace(m_context.document->workspace(), m_coverage, index);
    m_hitsFamily = family;
    if (!sameHits) {
        m_hits.reset();
        m_caps.reset();
    }
    m_strip->choose(static_cast<int>(index));
    m_matrix->setCoverage(m_view->coverage());
    m_matrix->setHits(m_hits);
    m_attended->clear();
    showCards();
    if (!sameHits) {
        askHits();
        askCaps();
    }
    say();
}

void RulesPage::showCards() {
    m_rules->show(*m_view, m_hits, m_caps);
    m_gaps->show(*m_view, m_hits);
}

void RulesPage::attendCell(const std::optional<table::Cell>& cell) {
    m_attended->setText(cell ? m_matrix->cells()->sentence(m_matrix->cells()->indexOf(*cell)) : QString());
    QSet<int> rules;
    std::vector<std::size_t> gaps;
    if (cell && m_view) {
        const table::CellCoverage& covered = m_view->coverage().cells[cell->index()];
        gaps = covered.gapIndexes;
        const auto& list = m_view->rules();
        for (std::size_t row = 0; row < list.size(); ++row)
            if (covered.ruleIndex == list[row]) rules << static_cast<int>(row);
    }
    m_rules->list()->setLit(rules);
    m_gaps->light(gaps);
}

RulesInspector RulesPage::inspector() const { return {*m_view, m_hits, m_caps, historyOpener(m_context.go)}; }

void RulesPage::inspectForm(QWidget* form, QWidget* buttons, const QString& title) {
    auto* facts = new FactList;
    QWidget* sheet = makeFormSheet(form, buttons, facts, [page = QPointer<RulesPage>(this)] {
        if (page && page->m_view) page->m_context.go(QStringLiteral("history"), page->filterOfChosen());
    });
    m_sheet.show(sheet, title, facts);
    fillFacts();
}

void RulesPage::fillFacts() {
    if (m_sheet.facts() == nullptr) return;
    if (m_chosen == Kind::rule) inspector().fillRule(m_sheet.facts(), m_chosenIndex);
    if (m_chosen == Kind::gap) inspector().fillGap(m_sheet.facts(), m_chosenIndex);
}

QVariantMap RulesPage::filterOfChosen() const {
    return m_chosen == Kind::rule ? historyFilterOfRule(*m_view, m_chosenIndex) : historyFilterOfCells(*m_view, m_view->cellsOfGap(m_chosenIndex));
}

void RulesPage::inspectRule(std::size_t rule) {
    if (!m_view) return;
    m_chosen = Kind::rule;
    m_chosenIndex = rule;
    QString why;
    if (QWidget* form = m_editor->ruleForm(rule, why)) return inspectForm(form, m_rules->commands()->makeRowButtons(), tr("Rule %1").arg(rule + 1));
    m_sheet.show(inspector().rule(rule, why), tr("Rule"));
}

void RulesPage::inspectGap(std::size_t gap) {
    if (!m_view) return;
    m_chosen = Kind::gap;
    m_chosenIndex = gap;
    QString why;
    if (QWidget* form = m_editor->gapForm(gap, why)) return inspectForm(form, m_gaps->commandsOf(gap)->makeRowButtons(), tr("Declared gap"));
    m_sheet.show(inspector().gap(gap, why), tr("Declared gap"));
}

void RulesPage::inspectCell(const table::Cell& cell) {
    if (!m_view) return;
    m_chosen = Kind::cell;
    m_chosenIndex = cell.index();
    m_sheet.show(inspector().cell(cell), tr("Kind of request"));
}

std::optional<std::size_t> RulesPage::indexOfFamily(const std::string& family) const {
    for (std::size_t i = 0; i < m_coverage.families.size(); ++i)
        if (m_coverage.families[i].family == family) return i;
    return std::nullopt;
}

void RulesPage::goToRule(std::size_t rule) {
    const auto table = m_context.document->table();
    if (!table || rule >= table->rules.size()) return;
    const auto family = indexOfFamily(table->rules[rule].modelFamily);
    if (!family) return;
    if (*family != m_family) showFamily(*family);
    select(Kind::rule, rule);
    inspectRule(rule);
}

void RulesPage::goToGap(std::size_t gap) {
    const auto table = m_context.document->table();
    if (!table || gap >= table->gaps.size()) return;
    if (const auto family = indexOfFamily(table->gaps[gap].modelFamily); family && *family != m_family) showFamily(*family);
    if (m_view && select(Kind::gap, gap)) inspectGap(gap);
}

void RulesPage::goToCell(table::Cell cell) {
    m_matrix->selectCell(cell);
    inspectCell(cell);  // nothing is told where it was the current one already
}

void RulesPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    say();
}

QList<QAction*> RulesPage::pageActions() const { return m_rules->commands()->actions() + QList<QAction*>{m_gaps->commands()->addAction()}; }

}  // namespace signalbox::ui
