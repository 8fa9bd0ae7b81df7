// SPDX-License-Identifier: MIT
#include "ui/pages/rules/family_view.h"

#include "ui/pages/rules/near_misses.h"
#include "ui/widgets/coverage/table_words.h"
#include "ui/widgets/findings_list.h"
#include "ui/theme/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace signalbox::ui {

namespace {

struct FamilyViewWords {
    Q_DECLARE_TR_FUNCTIONS(FamilyView)
};

/// True for the value at `pointer` itself and for everything inside it.
bool isAt(const Finding& finding, const std::string& pointer) {
    return finding.pointer.starts_with(pointer) && (finding.pointer.size() == pointer.size() || finding.pointer[pointer.size()] == '/');
}

QString requests(std::uint64_t hits) { return FamilyViewWords::tr("%1 hit(s)", nullptr, static_cast<int>(hits)).arg(format::count(hits)); }

Card gapCard(const table::CoverageGap& gap, const QString& title) {
    Card card;
    card.title = title;
    card.tone = Tone::gap;
    card.status = gap.modelFamily == table::kEveryFamily ? FamilyViewWords::tr("declared for every family") : FamilyViewWords::tr("declared gap");
    card.detail = FamilyViewWords::tr("Next: %1").arg(format::text(gap.nextPhase));
    return card;
}

}  // namespace

FamilyView::FamilyView(std::shared_ptr<const policy::LoadedWorkspace> workspace, const table::Coverage& coverage, std::size_t family)
    : m_workspace(std::move(workspace)), m_coverage(coverage.families[family]) {
    for (std::size_t i = 0; i < table().rules.size(); ++i)
        if (table().rules[i].modelFamily == m_coverage.family) m_rules.push_back(i);
    for (std::size_t i = 0; i < table().gaps.size(); ++i) {
        const std::string& concerned = table().gaps[i].modelFamily;
        if (concerned != m_coverage.family && concerned != table::kEveryFamily) continue;
        const bool prose = std::find(coverage.unplacedGaps.begin(), coverage.unplacedGaps.end(), i) != coverage.unplacedGaps.end();
        (prose ? m_proseGaps : m_placedGaps).push_back(i);
    }
}

table::CellSet FamilyView::cellsOfRule(std::size_t rule) const {
    table::CellSet cells = 0;
    for (const table::CellCoverage& cell : m_coverage.cells)
        if (cell.ruleIndex == rule) cells |= table::CellSet{1} << cell.cell.index();
    return cells;
}

table::CellSet FamilyView::cellsOfGap(std::size_t gap) const {
    const auto cells = table::parseMissingCell(table().gaps[gap].missingCell);
    return cells ? table::cellsOf(*cells) : 0;
}

std::uint64_t FamilyView::sum(table::CellSet cells, const evidence::CellHits& hits) const {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < table::kCellCount; ++i)
        if ((cells >> i & 1U) != 0) total += hits.hits[i];
    return total;
}

std::uint64_t FamilyView::hitsOfRule(std::size_t rule, const evidence::CellHits& hits) const { return sum(cellsOfRule(rule), hits); }
std::uint64_t FamilyView::hitsOfGap(std::size_t gap, const evidence::CellHits& hits) const { return sum(cellsOfGap(gap), hits); }

Findings FamilyView::findingsOfRule(std::size_t rule) const {
    const std::string pointer = "/routing_rules/" + std::to_string(rule);
    Findings found;
    for (const Findings* list : {&m_workspace->table.findings, &m_workspace->table.advisories})
        for (const Finding& finding : *list)
            if (isAt(finding, pointer)) found.push_back(finding);
    std::stable_sort(found.begin(), found.end(), [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
    return found;
}

QString FamilyView::sentence() const {
    const auto& cells = m_coverage.cells;
    const auto count = [&cells](table::Landing landing) {
        return std::count_if(cells.begin(), cells.end(), [landing](const auto& cell) { return cell.landing == landing; });
    };
    QStringList parts;
    const auto add = [&parts](qsizetype number, const QString& what) {
        if (number > 0) parts << QStringLiteral("%1 %2").arg(number).arg(what);
    };
    add(count(table::Landing::ruleMeasured), FamilyViewWords::tr("on a measured rule"));
    add(count(table::Landing::ruleInferred), FamilyViewWords::tr("on an inferred rule"));
    add(count(table::Landing::ruleUntagged), FamilyViewWords::tr("on a rule without evidence tag"));
    add(count(table::Landing::familyDefault), FamilyViewWords::tr("on the default"));
    add(count(table::Landing::declaredGap), FamilyViewWords::tr("on a declared gap"));
    add(count(table::Landing::nothing), m_coverage.singlePresetByDesign ? FamilyViewWords::tr("on its single preset by design") : FamilyViewWords::tr("on nothing"));
    return FamilyViewWords::tr("Of the %1 kinds of request to %2, %3 land %4.")
        .arg(table::kCellCount)
        .arg(format::text(m_coverage.family), parts.value(0).section(QLatin1Char(' '), 0, 0),
             QStringList(QStringList{parts.value(0).section(QLatin1Char(' '), 1)} + parts.mid(1)).join(QStringLiteral(", ")));
}

QString FamilyView::trafficSentence(const evidence::CellHits& hits, std::chrono::seconds span) const {
    if (hits.total == 0) return FamilyViewWords::tr("No request to it was recorded in the last %1.").arg(format::seconds(span));
    std::uint64_t byRule = 0;
    for (const std::size_t rule : m_rules) byRule += hitsOfRule(rule, hits);
    return FamilyViewWords::tr("Its rules decide %1 of %2 requests of the last %3.").arg(format::share(byRule, hits.total), format::count(hits.total), format::seconds(span));
}

std::vector<Card> FamilyView::ruleCards(const std::optional<evidence::CellHits>& hits, const std::optional<evidence::CellCaps>& caps) const {
    std::vector<Card> cards;
    for (const std::size_t index : m_rules) {
        const table::RoutingRule& rule = table().rules[index];
        Card card;
        card.mark = QString::number(cards.size() + 1);
        card.title = words::when(rule.when);
        card.id = format::text(rule.presetKey);
        card.tone = words::evidenceTone(rule.evidenceTag);
        card.status = words::evidenceTag(rule.evidenceTag);
        if (const auto date = words::evidenceDate(rule.evidence)) card.status += QStringLiteral(", ") + words::date(*date);
        if (hits) card.figure = requests(hitsOfRule(index, *hits));
        card.detail = format::text(rule.evidence);
        if (const Findings findings = findingsOfRule(index); !findings.empty()) {
            card.remarkTone = toneOf(findings.front().severity);
            card.remark = format::text(findings.front().message);
        } else if (cellsOfRule(index) == 0) {
            card.remarkTone = Tone::caution;
            card.remark = FamilyViewWords::tr("decides no cell: it never fires");
        } else if (const QString missed = hits ? largestMiss(nearMisses(*this, index, *hits, caps)) : QString(); !missed.isEmpty()) {
            card.remarkTone = Tone::info;
            card.remark = missed;
        }
        cards.push_back(std::move(card));
    }
    return cards;
}

std::vector<Card> FamilyView::gapCards(const std::optional<evidence::CellHits>& hits) const {
    std::vector<Card> cards;
    for (const std::size_t index : m_placedGaps) {
        const table::CoverageGap& gap = table().gaps[index];
        Card card = gapCard(gap, words::gapCells(gap).value_or(QString()));
        if (hits) card.figure = requests(hitsOfGap(index, *hits));
        cards.push_back(std::move(card));
    }
    return cards;
}

std::vector<Card> FamilyView::proseGapCards() const {
    std::vector<Card> cards;
    for (const std::size_t index : m_proseGaps) {
        Card card = gapCard(table().gaps[index], format::text(table().gaps[index].missingCell));
        card.remarkTone = Tone::info;
        card.remark = FamilyViewWords::tr("names no cell, so it is not in the matrix");
        cards.push_back(std::move(card));
    }
    return cards;
}

}  // namespace signalbox::ui
