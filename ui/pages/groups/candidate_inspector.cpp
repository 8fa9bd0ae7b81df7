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

struct Words {
    Q_DECLARE_TR_FUNCTIONS(CandidateSheet)
};

QString measuredText(const std::optional<MeasuredLatency>& measured) {
    return measured ? Words::tr("%1 over %n call(s)", nullptr, static_cast<int>(measured->calls)).arg(format::milliseconds(measured->milliseconds)) : format::none();
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
    case PriorVerdict::holds: return Words::tr("holds");
    case PriorVerdict::slower: return Words::tr("slower than the prior");
    case PriorVerdict::faster: return Words::tr("faster than the prior");
    case PriorVerdict::unmeasured: return Words::tr("not measured");
    case PriorVerdict::tooFewCalls: return Words::tr("too few calls");
    }
    return {};
}

void addPriors(FactList& facts, const CandidateRow& row, const CandidatesModel::SourceOf& sourceOf) {
    const auto from = [&](const char* key) { return sourceOf ? sourceOf(row.index, key) : QString(); };
    facts.addText(Words::tr("Quality, prior"), Words::tr("%1 (%2)").arg(QLocale().toString(row.candidate.quality, 'g', QLocale::FloatingPointShortest), from("quality")));
    facts.addText(Words::tr("Latency, prior"), Words::tr("%1 (%2)").arg(format::milliseconds(double(row.candidate.latencyHintMs)), from("latency_hint_ms")));
    facts.addText(Words::tr("Median, range"), measuredText(row.median()));
    facts.addText(Words::tr("Average, running"), measuredText(row.average()));
    facts.addTone(Words::tr("Latency prior"), verdictTone(row.verdict()), verdictWord(row.verdict()));
}

void addCalls(FactList& facts, const CandidateRow& row) {
    if (!row.calls) return facts.addText(Words::tr("Calls"), Words::tr("none in the range"));
    const auto& calls = *row.calls;
    facts.addText(Words::tr("Calls"), format::count(calls.attempts));
    facts.addText(Words::tr("Served"), format::share(calls.served, calls.attempts));
    facts.addText(Words::tr("Failed"), Words::tr("%1, of them %2 with status 429").arg(format::count(calls.failed), format::count(calls.rateLimited)));
    if (calls.cutForCooling > 0) facts.addText(Words::tr("Left out"), Words::tr("cooling in %n decision(s)", nullptr, static_cast<int>(calls.cutForCooling)));
    if (calls.costCalls > 0)
        facts.addText(Words::tr("Cost, estimate"), Words::tr("%1 USD a call over %n call(s)", nullptr, static_cast<int>(calls.costCalls)).arg(QLocale().toString(calls.costUsd / double(calls.costCalls), 'g', 3)));
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
    what->addId(Words::tr("Endpoint"), format::text(row.endpointId));
    const StateWords state = stateOf(row);
    what->addTone(Words::tr("State"), state.tone, state.text);
    what->addText(Words::tr("Why"), state.why);
    if (row.health) what->addText(Words::tr("Opened"), Words::tr("%n time(s) since the start", nullptr, static_cast<int>(row.health->openedTotal)));
    layout->addWidget(makeHairline());
    addPriors(*begin(), row, sourceOf);
    layout->addWidget(makeHairline());
    addCalls(*begin(), row);
    layout->addWidget(makeHairline());
    auto* price = begin();
    price->addText(Words::tr("Price"), Words::tr("%1 USD a million tokens in / out").arg(priceText(row)));
    price->addText(Words::tr("Source"), priceSource(row, today));
    return sheet;
}

}  // namespace signalbox::ui
