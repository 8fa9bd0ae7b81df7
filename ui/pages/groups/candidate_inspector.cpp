// SPDX-License-Identifier: MIT
#include "ui/pages/groups/candidate_inspector.h"

#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/fact_list.h"

#include <QCoreApplication>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

namespace signalbox::ui {

namespace {

struct CandidateInspectorWords {
    Q_DECLARE_TR_FUNCTIONS(CandidateSheet)
};

QString measuredText(const std::optional<MeasuredLatency>& measured) {
    return measured ? CandidateInspectorWords::tr("%1 over %n call(s)", nullptr, static_cast<int>(measured->calls)).arg(format::milliseconds(measured->milliseconds)) : format::none();
}

Tone verdictTone(PriorVerdict verdict) {
    switch (verdict) {
    case PriorVerdict::holds: return Tone::clear;
    case PriorVerdict::slower:
    case PriorVerdict::faster: return Tone::caution;
    case PriorVerdict::unmeasured:
    case PriorVerdict::tooFewCalls: break;
    }
    return Tone::idle;
}

QString verdictWord(PriorVerdict verdict) {
    switch (verdict) {
    case PriorVerdict::holds: return CandidateInspectorWords::tr("holds");
    case PriorVerdict::slower: return CandidateInspectorWords::tr("slower than the prior");
    case PriorVerdict::faster: return CandidateInspectorWords::tr("faster than the prior");
    case PriorVerdict::unmeasured: return CandidateInspectorWords::tr("not measured");
    case PriorVerdict::tooFewCalls: return CandidateInspectorWords::tr("too few calls");
    }
    return {};
}

void addPriors(FactList& facts, const CandidateRow& row, const CandidatesModel::SourceOf& sourceOf) {
    const auto from = [&](const char* key) { return sourceOf ? sourceOf(row.index, key) : QString(); };
    facts.addText(CandidateInspectorWords::tr("Quality, prior"), CandidateInspectorWords::tr("%1 (%2)").arg(QLocale().toString(row.candidate.quality, 'g', QLocale::FloatingPointShortest), from("quality")));
    facts.addText(CandidateInspectorWords::tr("Latency, prior"), CandidateInspectorWords::tr("%1 (%2)").arg(format::milliseconds(double(row.candidate.latencyHintMs)), from("latency_hint_ms")));
    facts.addText(CandidateInspectorWords::tr("Median, range"), measuredText(row.median()));
    facts.addText(CandidateInspectorWords::tr("Average, running"), measuredText(row.average()));
    facts.addTone(CandidateInspectorWords::tr("Latency prior"), verdictTone(row.verdict()), verdictWord(row.verdict()));
}

void addCalls(FactList& facts, const CandidateRow& row) {
    if (!row.calls) return facts.addText(CandidateInspectorWords::tr("Calls"), CandidateInspectorWords::tr("none in the range"));
    const auto& calls = *row.calls;
    facts.addText(CandidateInspectorWords::tr("Calls"), format::count(calls.attempts));
    facts.addText(CandidateInspectorWords::tr("Served"), format::share(calls.served, calls.attempts));
    facts.addText(CandidateInspectorWords::tr("Failed"), CandidateInspectorWords::tr("%1, of them %2 with status 429").arg(format::count(calls.failed), format::count(calls.rateLimited)));
    if (row.toolCalls != ToolCallCount()) facts.addText(CandidateInspectorWords::tr("Tools valid"), toolCallsText(row.toolCalls));
    if (calls.cutForCooling > 0) facts.addText(CandidateInspectorWords::tr("Left out"), CandidateInspectorWords::tr("cooling in %n decision(s)", nullptr, static_cast<int>(calls.cutForCooling)));
    if (calls.costCalls > 0)
        facts.addText(CandidateInspectorWords::tr("Cost, estimate"), CandidateInspectorWords::tr("%1 USD a call over %n call(s)", nullptr, static_cast<int>(calls.costCalls)).arg(QLocale().toString(calls.costUsd / double(calls.costCalls), 'g', 3)));
}

}  // namespace

QWidget* makeCandidateSheet(const CandidateRow& row, const CandidatesModel::SourceOf& sourceOf, const QDate& today) {
    auto* sheet = new QWidget;
    auto* layout = new QVBoxLayout(sheet);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGapWide);
    const auto begin = [layout] {
        auto* facts = new FactList;
        layout->addWidget(facts);
        return facts;
    };
    auto* what = begin();
    what->addId(CandidateInspectorWords::tr("Endpoint"), format::text(row.endpointId));
    const StateWords state = stateOf(row);
    what->addTone(CandidateInspectorWords::tr("State"), state.tone, state.text);
    what->addText(CandidateInspectorWords::tr("Why"), state.why);
    if (row.health) what->addText(CandidateInspectorWords::tr("Opened"), CandidateInspectorWords::tr("%n time(s) since the start", nullptr, static_cast<int>(row.health->openedTotal)));
    layout->addWidget(makeHairline());
    addPriors(*begin(), row, sourceOf);
    layout->addWidget(makeHairline());
    addCalls(*begin(), row);
    layout->addWidget(makeHairline());
    auto* price = begin();
    price->addText(CandidateInspectorWords::tr("Price"), CandidateInspectorWords::tr("%1 USD a million tokens in / out").arg(priceText(row)));
    price->addText(CandidateInspectorWords::tr("Source"), priceSource(row, today));
    return sheet;
}

}  // namespace signalbox::ui
