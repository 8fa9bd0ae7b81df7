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
struct Words {
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
    list->addId(Words::tr("Endpoint"), endpoint);
    list->addText(Words::tr("Tried first"), Words::tr("%1 compared decisions").arg(format::count(facts.triedFirst)));
    list->addText(Words::tr("Recommended"), Words::tr("%1 compared decisions").arg(format::count(facts.recommended)));
    list->addText(Words::tr("Cost, estimate"), Words::tr("%1 USD a request").arg(dollars(facts.costUsd)));
    list->addText(Words::tr("Cost, calls"), Words::tr("%1 USD, mean of %2").arg(dollars(facts.measuredCostUsd()), format::count(calls.costCalls)));
    list->addText(Words::tr("Time, estimate"), format::milliseconds(facts.latencyMs));
    list->addText(Words::tr("Time, calls"), Words::tr("%1, median of %2").arg(format::milliseconds(calls.totalP50Ms), format::count(calls.timedCalls)));
    list->addText(Words::tr("First content"), format::milliseconds(calls.firstContentP50Ms));
    list->addTone(Words::tr("Failed"), calls.failed > 0 ? Tone::danger : Tone::clear, format::share(calls.failed, calls.attempts));
    list->addText(Words::tr("Rate limited"), format::count(calls.rateLimited));
    list->addTone(Words::tr("Cut for cooling"), calls.cutForCooling > 0 ? Tone::caution : Tone::clear, Words::tr("%1 decisions").arg(format::count(calls.cutForCooling)));
    layout->addWidget(list);
    const auto way = [&](const QString& text, const QVariantMap& conditions) {
        auto* button = makeButton(text, QStringLiteral("history"));
        QObject::connect(button, &QPushButton::clicked, sheet, [go, conditions] { go(QStringLiteral("history"), conditions); });
        layout->addWidget(button, 0, Qt::AlignLeft);
    };
    way(Words::tr("Requests that tried it"), {{QStringLiteral("attempted"), endpoint}});
    if (facts.recommended > 0) way(Words::tr("Where it was recommended and not tried"), {{QStringLiteral("recommended"), endpoint}, {QStringLiteral("differs"), true}});
    layout->addStretch();
    return sheet;
}

}  // namespace signalbox::ui
