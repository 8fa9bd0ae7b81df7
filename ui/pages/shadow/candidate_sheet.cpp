// SPDX-License-Identifier: MIT
#include "ui/pages/shadow/candidate_sheet.h"

#include "ui/pages/shadow/candidate_models.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/fact_list.h"

#include <QCoreApplication>
#include <QPushButton>
#include <QVBoxLayout>

namespace signalbox::ui {

namespace {
struct CandidateSheetWords {
    Q_DECLARE_TR_FUNCTIONS(CandidateSheet)
};
}  // namespace

QWidget* makeCandidateSheet(const CandidateFacts& facts, const std::function<void(const QString& page, const QVariantMap& arguments)>& go) {
    auto* sheet = new QWidget;
    auto* layout = new QVBoxLayout(sheet);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    const QString endpoint = format::text(facts.endpointId);
    const auto& calls = facts.calls;
    auto* list = new FactList;
    list->addId(CandidateSheetWords::tr("Endpoint"), endpoint);
    list->addText(CandidateSheetWords::tr("Tried first"), CandidateSheetWords::tr("%1 compared decisions").arg(format::count(facts.triedFirst)));
    list->addText(CandidateSheetWords::tr("Recommended"), CandidateSheetWords::tr("%1 compared decisions").arg(format::count(facts.recommended)));
    list->addText(CandidateSheetWords::tr("Cost, estimate"), CandidateSheetWords::tr("%1 USD a request").arg(dollars(facts.costUsd)));
    list->addText(CandidateSheetWords::tr("Cost, calls"), CandidateSheetWords::tr("%1 USD, mean of %2").arg(dollars(facts.measuredCostUsd()), format::count(calls.costCalls)));
    list->addText(CandidateSheetWords::tr("Time, estimate"), format::milliseconds(facts.latencyMs));
    list->addText(CandidateSheetWords::tr("Time, calls"), CandidateSheetWords::tr("%1, median of %2").arg(format::milliseconds(calls.totalP50Ms), format::count(calls.timedCalls)));
    list->addText(CandidateSheetWords::tr("First content"), format::milliseconds(calls.firstContentP50Ms));
    list->addTone(CandidateSheetWords::tr("Failed"), calls.failed > 0 ? Tone::danger : Tone::clear, format::share(calls.failed, calls.attempts));
    list->addText(CandidateSheetWords::tr("Rate limited"), format::count(calls.rateLimited));
    list->addTone(CandidateSheetWords::tr("Cut for cooling"), calls.cutForCooling > 0 ? Tone::caution : Tone::clear, CandidateSheetWords::tr("%1 decisions").arg(format::count(calls.cutForCooling)));
    layout->addWidget(list);
    const auto way = [&](const QString& text, const QVariantMap& conditions) {
        auto* button = makeButton(text, QStringLiteral("history"));
        QObject::connect(button, &QPushButton::clicked, sheet, [go, conditions] { go(QStringLiteral("history"), conditions); });
        layout->addWidget(button, 0, Qt::AlignLeft);
    };
    way(CandidateSheetWords::tr("Requests that tried it"), {{QStringLiteral("attempted"), endpoint}});
    if (facts.recommended > 0) way(CandidateSheetWords::tr("Where it was recommended and not tried"), {{QStringLiteral("recommended"), endpoint}, {QStringLiteral("differs"), true}});
    layout->addStretch();
    return sheet;
}

}  // namespace signalbox::ui
