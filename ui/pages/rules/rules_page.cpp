// SPDX-License-Identifier: MIT
#include "ui/pages/rules/rules_page.h"

#include "ui/document/policy_document.h"
#include "ui/pages/rules/rules_inspector.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/cards/card_list.h"
#include "ui/widgets/coverage/coverage_legend.h"
#include "ui/widgets/coverage/coverage_matrix.h"
#include "ui/widgets/coverage/coverage_model.h"
#include "ui/widgets/coverage/family_strip.h"
#include "ui/widgets/coverage/table_words.h"
#include "ui/widgets/empty_state.h"
#include "ui/theme/format.h"
#include "ui/widgets/section.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

using namespace std::chrono_literals;

static constexpr int kMostGapsHeight = 216, kMostGapsAlone = 400, kMostProseHeight = 160, kRulesShare = 3, kMatrixShare = 5;

RulesPage::RulesPage(PageContext context, QWidget* parent)
    : Page(std::move(context), parent), m_stack(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("rules"), tr("No routing table is open"),
                             tr("Here stand the rules of each model family in the order in which they are asked, beside a matrix of "
                                "where every kind of request lands. Open a workspace or a routing table to see them."))),
      m_strip(new FamilyStrip), m_rules(new CardList(tr("Rules of the family"))), m_gaps(new CardList(tr("Declared gaps of the family"))),
      m_prose(new CardList(tr("Declared gaps that name no cell"))), m_matrix(new CoverageMatrix), m_attended(makeMuted({})), m_noRules(makeMuted({})) {
    makeLayout();
    connectSources();
    takeTable();
}

// A child that has the focus lets go of it while it dies, when this is no page any more.
RulesPage::~RulesPage() {
    for (QObject* part : QList<QObject*>{m_rules, m_gaps, m_prose, m_matrix}) part->disconnect(this);
}

QString RulesPage::question() const { return tr("Does each rule pay off, and why does it not fire?"); }

QWidget* RulesPage::makeRulesColumn() {
    m_rulesSection = new Section(tr("Rules"));
    m_rulesSection->body()->addWidget(m_noRules, 0, Qt::AlignTop);
    m_rulesSection->body()->addWidget(m_rules, 1);
    m_gapsSection = new Section(tr("Declared gaps"));
    m_gaps->fitContents(kMostGapsHeight);
    m_gapsSection->body()->addWidget(m_gaps);
    m_proseSection = new Section(tr("Gaps that name no cell"));
    m_prose->fitContents(kMostProseHeight);
    m_proseSection->body()->addWidget(m_prose);
    for (Section* section : {m_rulesSection, m_gapsSection, m_proseSection}) section->body()->setContentsMargins(0, 0, 0, 0);

    auto* column = new QWidget;
    m_rulesColumn = new QVBoxLayout(column);
    m_rulesColumn->setContentsMargins(0, 0, 0, 0);
    m_rulesColumn->setSpacing(Theme::kMargin);
    for (Section* section : {m_rulesSection, m_gapsSection, m_proseSection}) m_rulesColumn->addWidget(section);
    m_rulesColumn->addStretch();  // takes the room where there are no rules
    return column;
}

QWidget* RulesPage::makeMatrixColumn() {
    m_matrixSection = new Section(tr("Where every kind of request lands"));
    m_attended->setMinimumHeight(2 * fontMetrics().lineSpacing());
    m_attended->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_matrixSection->body()->addWidget(m_matrix, 1);
    m_matrixSection->body()->addWidget(m_attended);
    m_matrixSection->body()->addWidget(new CoverageLegend);
    return m_matrixSection;
}

void RulesPage::makeLayout() {
    auto* content = new QWidget;
    auto* columns = new QHBoxLayout;
    columns->setSpacing(Theme::kSection);
    columns->addWidget(makeRulesColumn(), kRulesShare);
    columns->addWidget(makeMatrixColumn(), kMatrixShare);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(Theme::kSection, 0, Theme::kSection, Theme::kMargin);
    layout->setSpacing(Theme::kMargin);
    layout->addWidget(makeHairline());
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
    connect(&m_settle, &QTimer::timeout, this, &RulesPage::askHits);
    connect(m_context.view, &ViewState::rangeChanged, this, &RulesPage::askHits);
    connect(m_context.bridge, &Bridge::decisionsArrived, this, [this] {
        if (!m_settle.isActive()) m_settle.start();
    });
    connect(m_context.document, &PolicyDocument::changed, this, &RulesPage::takeTable);
    connect(m_strip, &FamilyStrip::chosen, this, [this](int index) { showFamily(static_cast<std::size_t>(index)); });

    connect(m_rules, &CardList::hovered, this, [this](int row) {
        m_matrix->light(row < 0 || !m_view ? 0 : m_view->cellsOfRule(m_view->rules()[static_cast<std::size_t>(row)]));
    });
    connect(m_gaps, &CardList::hovered, this, [this](int row) {
        m_matrix->light(row < 0 || !m_view ? 0 : m_view->cellsOfGap(m_view->placedGaps()[static_cast<std::size_t>(row)]));
    });
    connect(m_rules, &CardList::selected, this, &RulesPage::inspectRule);
    connect(m_gaps, &CardList::selected, this, [this](int row) { inspectGap(row, m_view->placedGaps()); });
    connect(m_prose, &CardList::selected, this, [this](int row) { inspectGap(row, m_view->proseGaps()); });
    connect(m_rules, &CardList::opened, this, [this](int row) {
        m_context.go(QStringLiteral("history"), historyFilterOfRule(*m_view, m_view->rules()[static_cast<std::size_t>(row)]));
    });
    connect(m_gaps, &CardList::opened, this, [this](int row) {
        m_context.go(QStringLiteral("history"), historyFilterOfCells(*m_view, m_view->cellsOfGap(m_view->placedGaps()[static_cast<std::size_t>(row)])));
    });
    connect(m_matrix, &CoverageMatrix::attended, this, &RulesPage::attendCell);
    connect(m_matrix, &CoverageMatrix::cellSelected, this, &RulesPage::inspectCell);
    connect(m_matrix, &CoverageMatrix::cellOpened, this, [this](const table::Cell& cell) {
        m_context.go(QStringLiteral("history"), historyFilterOfCells(*m_view, table::CellSet{1} << cell.index()));
    });
}

void RulesPage::takeTable() {
    const auto table = m_context.document->table();
    const std::string before = m_view ? m_view->coverage().family : std::string();
    m_view.reset();
    m_coverage = table ? table::computeCoverage(*table) : table::Coverage{};
    m_strip->setFamilies(m_coverage.families);
    if (m_coverage.families.empty()) {
        if (table) m_empty->setTexts(tr("This table names no family"), tr("Rules belong to model families. None of the presets of this table has one."));
        m_stack->setCurrentWidget(m_empty);
        say();
        return;
    }
    m_stack->setCurrentIndex(0);
    const auto same = std::find_if(m_coverage.families.begin(), m_coverage.families.end(), [&](const auto& f) { return f.family == before; });
    showFamily(same == m_coverage.families.end() ? 0 : static_cast<std::size_t>(same - m_coverage.families.begin()));
}

void RulesPage::showFamily(std::size_t index) {
    m_family = index;
    m_view.emplace(m_context.document->workspace(), m_coverage, index);
    m_hits.reset();
    m_strip->choose(static_cast<int>(index));
    m_matrix->setCoverage(m_view->coverage());
    m_attended->clear();
    showCards();
    askHits();
    say();
}

void RulesPage::showCards() {
    m_rules->cards()->set(m_view->ruleCards(m_hits));
    m_gaps->cards()->set(m_view->gapCards(m_hits));
    m_prose->cards()->set(m_view->proseGapCards());
    const auto& coverage = m_view->coverage();
    const bool hasRules = !m_view->rules().empty();
    m_rules->setVisible(hasRules);
    m_gaps->fitContents(hasRules ? kMostGapsHeight : kMostGapsAlone);
    m_rulesColumn->setStretchFactor(m_rulesSection, hasRules ? 1 : 0);
    m_rulesSection->setSizePolicy(QSizePolicy::Preferred, hasRules ? QSizePolicy::Expanding : QSizePolicy::Maximum);
    m_noRules->setVisible(!hasRules);
    if (coverage.singlePresetByDesign) m_noRules->setText(tr("No rules: every preset of this family has the same K, so there is nothing to route between."));
    else if (coverage.defaultPresetKey) m_noRules->setText(tr("No rules: every request of this family goes to its default, %1.").arg(format::text(*coverage.defaultPresetKey)));
    else m_noRules->setText(tr("No rules and no default: every request of this family goes to its model's natural preset."));
    m_rulesSection->setNote(hasRules ? tr("first match decides") : QString());
    m_gapsSection->setNote(m_view->placedGaps().empty() ? tr("none") : QString::number(m_view->placedGaps().size()));
    m_gaps->setVisible(!m_view->placedGaps().empty());
    m_proseSection->setVisible(!m_view->proseGaps().empty());
}

void RulesPage::askHits() {
    if (!m_view) return;
    m_ticket = m_context.bridge->ask<evidence::CellHits>(
        [family = m_view->coverage().family, range = m_context.view->range()](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) {
            return reader.cellHits(family, range, cancel);
        },
        [this](Result<evidence::CellHits> hits) { takeHits(hits); });
}

void RulesPage::takeHits(const Result<evidence::CellHits>& hits) {
    m_hits = hits ? std::optional(*hits) : std::nullopt;
    m_hitsProblem = hits ? QString() : format::text(hits.error().message);
    m_matrix->setHits(m_hits);
    showCards();
    say();
}

QString RulesPage::coverageSentence() const {
    const auto& cells = m_view->coverage().cells;
    const auto count = [&cells](table::Landing landing) {
        return std::count_if(cells.begin(), cells.end(), [landing](const auto& cell) { return cell.landing == landing; });
    };
    QStringList parts;
    const auto add = [&parts](qsizetype number, const QString& what) {
        if (number > 0) parts << QStringLiteral("%1 %2").arg(number).arg(what);
    };
    add(count(table::Landing::ruleMeasured), tr("on a measured rule"));
    add(count(table::Landing::ruleInferred), tr("on an inferred rule"));
    add(count(table::Landing::ruleUntagged), tr("on a rule without evidence tag"));
    add(count(table::Landing::familyDefault), tr("on the default"));
    add(count(table::Landing::declaredGap), tr("on a declared gap"));
    add(count(table::Landing::nothing), m_view->coverage().singlePresetByDesign ? tr("on its single preset by design") : tr("on nothing"));
    return tr("Of the %1 kinds of request to %2, %3 land %4.")
        .arg(table::kCellCount)
        .arg(format::text(m_view->coverage().family), parts.value(0).section(QLatin1Char(' '), 0, 0),
             QStringList(QStringList{parts.value(0).section(QLatin1Char(' '), 1)} + parts.mid(1)).join(QStringLiteral(", ")));
}

void RulesPage::say() {
    if (!m_view) {
        Q_EMIT answerChanged(m_context.document->table() ? tr("No preset of this table has a family, so no rule can apply.") : tr("No routing table is open."));
        return;
    }
    QString traffic;
    if (m_hits && m_hits->total == 0) traffic = tr("No request to it was recorded in the last %1.").arg(format::seconds(m_context.view->span()));
    if (m_hits && m_hits->total > 0) {
        std::uint64_t byRule = 0;
        for (const std::size_t rule : m_view->rules()) byRule += m_view->hitsOfRule(rule, *m_hits);
        traffic = tr("Its rules decide %1 of %2 requests of the last %3.")
                      .arg(format::share(byRule, m_hits->total), format::count(m_hits->total), format::seconds(m_context.view->span()));
    }
    if (!m_hitsProblem.isEmpty()) traffic = tr("Hits are unknown: %1.").arg(m_hitsProblem);
    m_matrixSection->setNote(m_hits ? tr("bars: requests in the range") : QString());
    Q_EMIT answerChanged((coverageSentence() + QLatin1Char(' ') + traffic).trimmed());
}

void RulesPage::attendCell(const std::optional<table::Cell>& cell) {
    m_attended->setText(cell ? m_matrix->cells()->sentence(m_matrix->cells()->indexOf(*cell)) : QString());
    QSet<int> rules, gaps;
    if (cell && m_view) {
        const table::CellCoverage& covered = m_view->coverage().cells[cell->index()];
        const auto add = [](QSet<int>& rows, const std::vector<std::size_t>& list, std::size_t wanted) {
            if (const auto it = std::find(list.begin(), list.end(), wanted); it != list.end()) rows << static_cast<int>(it - list.begin());
        };
        if (covered.ruleIndex) add(rules, m_view->rules(), *covered.ruleIndex);
        for (const std::size_t gap : covered.gapIndexes) add(gaps, m_view->placedGaps(), gap);
    }
    m_rules->setLit(rules);
    m_gaps->setLit(gaps);
}

static std::function<void(const QVariantMap&)> historyOpener(const PageContext& context) {
    return [go = context.go](const QVariantMap& filter) { go(QStringLiteral("history"), filter); };
}

void RulesPage::inspectRule(int row) {
    if (!m_view || row < 0) return;
    const std::size_t rule = m_view->rules()[static_cast<std::size_t>(row)];
    m_context.inspect(RulesInspector{*m_view, m_hits, historyOpener(m_context)}.rule(rule), tr("Rule"));
}

void RulesPage::inspectGap(int row, const std::vector<std::size_t>& gaps) {
    if (!m_view || row < 0) return;
    m_context.inspect(RulesInspector{*m_view, m_hits, historyOpener(m_context)}.gap(gaps[static_cast<std::size_t>(row)]), tr("Declared gap"));
}

void RulesPage::inspectCell(const table::Cell& cell) {
    if (!m_view) return;
    m_context.inspect(RulesInspector{*m_view, m_hits, historyOpener(m_context)}.cell(cell), tr("Kind of request"));
}

std::optional<std::size_t> RulesPage::familyOfRule(std::size_t rule) const {
    const auto table = m_context.document->table();
    if (!table || rule >= table->rules.size()) return std::nullopt;
    for (std::size_t i = 0; i < m_coverage.families.size(); ++i)
        if (m_coverage.families[i].family == table->rules[rule].modelFamily) return i;
    return std::nullopt;
}

void RulesPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    say();
}

void RulesPage::open(const QVariantMap& arguments) {
    const std::string family = format::utf8(arguments.value(QStringLiteral("family")).toString());
    for (std::size_t i = 0; i < m_coverage.families.size(); ++i)
        if (m_coverage.families[i].family == family && i != m_family) showFamily(i);
    if (arguments.contains(QStringLiteral("rule"))) {
        const auto rule = arguments.value(QStringLiteral("rule")).toULongLong();
        if (const auto of = familyOfRule(rule)) {
            if (*of != m_family) showFamily(*of);
            const auto& rules = m_view->rules();
            m_rules->selectRow(static_cast<int>(std::find(rules.begin(), rules.end(), rule) - rules.begin()));
        }
    }
    const auto cell = arguments.value(QStringLiteral("cell"), -1).toInt();
    if (m_view && cell >= 0 && cell < static_cast<int>(table::kCellCount)) m_matrix->selectCell(table::Cell::fromIndex(static_cast<std::size_t>(cell)));
}

QVariantMap RulesPage::state() const {
    if (!m_view) return {};
    QVariantMap state{{QStringLiteral("family"), format::text(m_view->coverage().family)}};
    if (const auto cell = m_matrix->currentCell()) state.insert(QStringLiteral("cell"), static_cast<int>(cell->index()));
    else if (m_rules->currentIndex().isValid())
        state.insert(QStringLiteral("rule"), static_cast<int>(m_view->rules()[static_cast<std::size_t>(m_rules->currentIndex().row())]));
    return state;
}

QList<Page::Findable> RulesPage::findables() const {
    QList<Findable> all;
    for (const table::FamilyCoverage& family : m_coverage.families)
        all << Findable{format::text(family.family), tr("family"), {{QStringLiteral("family"), format::text(family.family)}}};
    const auto table = m_context.document->table();
    for (std::size_t i = 0; table && i < table->rules.size(); ++i)
        all << Findable{tr("%1 → %2").arg(words::when(table->rules[i].when), format::text(table->rules[i].presetKey)), tr("rule"),
                        {{QStringLiteral("rule"), static_cast<int>(i)}}};
    return all;
}

}  // namespace signalbox::ui
