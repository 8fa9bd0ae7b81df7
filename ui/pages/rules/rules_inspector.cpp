// SPDX-License-Identifier: MIT
#include "ui/pages/rules/rules_inspector.h"

#include "ui/pages/rules/near_misses.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/coverage/table_words.h"
#include "ui/widgets/fact_list.h"
#include "ui/widgets/findings_list.h"
#include "ui/theme/format.h"
#include "ui/widgets/tone_label.h"
#include "ui/models/record_words.h"

#include <QCoreApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <bit>

namespace signalbox::ui {

namespace {

struct RulesInspectorWords {
    Q_DECLARE_TR_FUNCTIONS(RulesInspector)
};

struct Sheet {
    QWidget* widget = new QWidget;
    QVBoxLayout* layout = new QVBoxLayout(widget);
    Sheet() {
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(Theme::kGapWide);
    }
    FactList* facts() {
        auto* list = new FactList;
        layout->addWidget(list);
        return list;
    }
    void passage(const QString& heading, const QString& text) {
        layout->addWidget(makeHairline());
        layout->addWidget(makeHeading(heading));
        layout->addWidget(makeLabel(text));
    }
};

QString cellCount(table::CellSet cells) { return RulesInspectorWords::tr("%1 of %2").arg(std::popcount(cells)).arg(table::kCellCount); }

QString hitsText(std::uint64_t part, const evidence::CellHits& hits) {
    return RulesInspectorWords::tr("%1, %2 of the family").arg(format::count(part), format::share(part, hits.total));
}

void addGap(Sheet& sheet, const table::CoverageGap& gap) {
    auto* facts = sheet.facts();
    facts->addText(RulesInspectorWords::tr("Missing"), format::text(gap.missingCell));
    facts->addText(RulesInspectorWords::tr("Fallback"), format::text(gap.fallbackPreset));
    facts->addText(RulesInspectorWords::tr("Next step"), format::text(gap.nextPhase));
}

}  // namespace

QWidget* RulesInspector::withRequestsButton(QWidget* content, const QVariantMap& filter) const {
    auto* button = makeButton(RulesInspectorWords::tr("Show these requests"), QStringLiteral("history"));
    QObject::connect(button, &QPushButton::clicked, content, [show = showRequests, filter] { show(filter); });
    content->layout()->addWidget(button);
    return content;
}

/// Why what is selected cannot be edited here (F82).
static void addWhyNot(Sheet& sheet, const QString& why) {
    if (why.isEmpty()) return;
    sheet.layout->addWidget(new ToneLabel(Tone::caution, RulesInspectorWords::tr("to be changed in the file only")));
    sheet.layout->addWidget(makeMuted(why));
}

void RulesInspector::addMisses(FactList* facts, std::size_t index) const {
    if (!hits) return;
    for (const auto& [name, text] : allMisses(nearMisses(view, index, *hits, caps))) facts->addText(name, text);
}

void RulesInspector::fillRule(FactList* facts, std::size_t index) const {
    facts->clear();
    facts->addText(RulesInspectorWords::tr("Cells it decides"), cellCount(view.cellsOfRule(index)));
    if (hits) facts->addText(RulesInspectorWords::tr("Requests"), hitsText(view.hitsOfRule(index, *hits), *hits));
    addMisses(facts, index);
}

void RulesInspector::fillGap(FactList* facts, std::size_t index) const {
    facts->clear();
    facts->addText(RulesInspectorWords::tr("Cells it names"), cellCount(view.cellsOfGap(index)));
    if (hits) facts->addText(RulesInspectorWords::tr("Requests there"), hitsText(view.hitsOfGap(index, *hits), *hits));
}

QWidget* RulesInspector::rule(std::size_t index, const QString& why) const {
    const table::RoutingRule& rule = view.table().rules[index];
    Sheet sheet;
    addWhyNot(sheet, why);
    sheet.layout->addWidget(makeHeading(words::when(rule.when)));
    auto* facts = sheet.facts();
    facts->addId(RulesInspectorWords::tr("Preset"), format::text(rule.presetKey));
    facts->addId(RulesInspectorWords::tr("Family"), format::text(rule.modelFamily));
    facts->addText(RulesInspectorWords::tr("Place"), RulesInspectorWords::tr("rule %1 of the table").arg(index + 1));
    facts->addTone(RulesInspectorWords::tr("Evidence"), words::evidenceTone(rule.evidenceTag), words::evidenceTag(rule.evidenceTag));
    if (const auto date = words::evidenceDate(rule.evidence))
        facts->addText(RulesInspectorWords::tr("Dated"), RulesInspectorWords::tr("%1, %n day(s) ago", nullptr, static_cast<int>(date->daysTo(QDate::currentDate()))).arg(words::date(*date)));
    facts->addText(RulesInspectorWords::tr("Cells it decides"), cellCount(view.cellsOfRule(index)));
    if (const auto permitted = rule.when.canMatch ? table::cellsOf(rule.when) : 0; permitted != view.cellsOfRule(index))
        facts->addText(RulesInspectorWords::tr("Cells it permits"), RulesInspectorWords::tr("%1; an earlier rule decides the others").arg(cellCount(permitted)));
    if (hits) facts->addText(RulesInspectorWords::tr("Requests"), hitsText(view.hitsOfRule(index, *hits), *hits));
    addMisses(facts, index);
    sheet.passage(RulesInspectorWords::tr("Evidence as written"), format::text(rule.evidence));
    if (const Findings findings = view.findingsOfRule(index); !findings.empty()) {
        sheet.layout->addWidget(makeHairline());
        sheet.layout->addWidget(new FindingsList(findings));
    }
    return withRequestsButton(sheet.widget, historyFilterOfRule(view, index));
}

QWidget* RulesInspector::gap(std::size_t index, const QString& why) const {
    const table::CoverageGap& gap = view.table().gaps[index];
    Sheet sheet;
    addWhyNot(sheet, why);
    sheet.layout->addWidget(makeHeading(words::gapCells(gap).value_or(RulesInspectorWords::tr("A gap whose text names no cell"))));
    addGap(sheet, gap);
    auto* facts = sheet.facts();
    facts->addText(RulesInspectorWords::tr("Family"), gap.modelFamily == table::kEveryFamily ? RulesInspectorWords::tr("every family") : format::text(gap.modelFamily));
    facts->addText(RulesInspectorWords::tr("Cells it names"), cellCount(view.cellsOfGap(index)));
    if (hits) facts->addText(RulesInspectorWords::tr("Requests there"), hitsText(view.hitsOfGap(index, *hits), *hits));
    return withRequestsButton(sheet.widget, historyFilterOfCells(view, view.cellsOfGap(index)));
}

QWidget* RulesInspector::cell(const table::Cell& cell) const {
    const table::CellCoverage& covered = view.coverage().cells[cell.index()];
    const bool byDesign = view.coverage().singlePresetByDesign && covered.landing == table::Landing::nothing;
    Sheet sheet;
    sheet.layout->addWidget(makeHeading(words::cell(cell)));
    auto* facts = sheet.facts();
    facts->addTone(RulesInspectorWords::tr("Lands on"), words::landingTone(covered.landing), byDesign ? RulesInspectorWords::tr("single preset by design") : words::landing(covered.landing));
    if (covered.presetKey) facts->addId(RulesInspectorWords::tr("Preset"), format::text(*covered.presetKey));
    else facts->addText(RulesInspectorWords::tr("Preset"), RulesInspectorWords::tr("the model's natural preset"));
    if (hits) facts->addText(RulesInspectorWords::tr("Requests"), hitsText(hits->hits[cell.index()], *hits));
    if (covered.ruleIndex) {
        const table::RoutingRule& rule = view.table().rules[*covered.ruleIndex];
        sheet.passage(RulesInspectorWords::tr("Decided by rule %1").arg(*covered.ruleIndex + 1), words::when(rule.when));
        sheet.layout->addWidget(makeMuted(format::text(rule.evidence)));
    }
    for (const std::size_t gap : covered.gapIndexes) {
        sheet.layout->addWidget(makeHairline());
        sheet.layout->addWidget(makeHeading(RulesInspectorWords::tr("Declared gap")));
        addGap(sheet, view.table().gaps[gap]);
    }
    return withRequestsButton(sheet.widget, historyFilterOfCells(view, table::CellSet{1} << cell.index()));
}

QWidget* makeFormSheet(QWidget* form, QWidget* buttons, FactList* facts, const std::function<void()>& showRequests) {
    Sheet sheet;
    auto* button = makeButton(RulesInspectorWords::tr("Show these requests"), QStringLiteral("history"));
    QObject::connect(button, &QPushButton::clicked, sheet.widget, showRequests);
    for (QWidget* part : {form, buttons, static_cast<QWidget*>(makeHairline()), static_cast<QWidget*>(facts), static_cast<QWidget*>(button)})
        sheet.layout->addWidget(part);
    return sheet.widget;
}

std::function<void(const QVariantMap&)> historyOpener(std::function<void(const QString& page, const QVariantMap& arguments)> go) {
    return [go = std::move(go)](const QVariantMap& filter) { go(QStringLiteral("history"), filter); };
}

QVariantMap historyFilterOfRule(const FamilyView& view, std::size_t rule) {
    return {{QStringLiteral("family"), format::text(view.coverage().family)}, {QStringLiteral("rule"), static_cast<int>(rule)}};
}

QVariantMap historyFilterOfCells(const FamilyView& view, table::CellSet cells) {
    QVariantList list;
    for (std::size_t i = 0; i < table::kCellCount; ++i)
        if ((cells >> i & 1U) != 0) list << static_cast<int>(i);
    return {{QStringLiteral("family"), format::text(view.coverage().family)}, {QStringLiteral("cells"), list}};
}

}  // namespace signalbox::ui
