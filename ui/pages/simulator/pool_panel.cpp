// SPDX-License-Identifier: MIT
#include "ui/pages/simulator/pool_panel.h"

#include "ui/models/pool_words.h"
#include "ui/pages/simulator/draw_bar.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/live_facts.h"
#include "ui/widgets/receipt/pool_part.h"
#include "ui/widgets/section.h"
#include "ui/widgets/tone_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPointer>
#include <QSlider>
#include <QVBoxLayout>

namespace signalbox::ui {

static constexpr int kDrawSteps = 1000;

PoolPanel::PoolPanel(Fleet* fleet, QWidget* parent)
    : QWidget(parent), m_fleet(fleet), m_section(new Section(tr("What the model's router would choose"))), m_verdict(new ToneText), m_drawRow(new QWidget), m_draw(new QSlider(Qt::Horizontal)),
      m_u(makeMuted({})), m_bar(new DrawBar), m_facts(new LiveFacts), m_hedgeSection(new Section(tr("When a backup would be sent"))), m_hedge(new LiveFacts) {
    setObjectName(QStringLiteral("poolPanel"));
    m_draw->setObjectName(QStringLiteral("draw"));
    m_draw->setRange(0, kDrawSteps - 1);
    m_draw->setValue(kDrawSteps / 2);
    m_draw->setPageStep(kDrawSteps / 10);
    m_draw->setAccessibleName(tr("The draw"));
    m_draw->setToolTip(tr("The random number that the router would draw, from 0 to 1: it decides which share is hit"));
    m_u->setWordWrap(false);
    auto* name = makeMuted(tr("The draw"));
    name->setWordWrap(false);
    auto* row = new QHBoxLayout(m_drawRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Theme::kGap);
    row->addWidget(name);
    row->addWidget(m_draw, 1);
    row->addWidget(m_u);
    setGateway({});
    for (QWidget* part : QList<QWidget*>{m_verdict, m_drawRow, m_bar, m_facts}) m_section->body()->addWidget(part);
    m_hedgeSection->body()->addWidget(m_hedge);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kMargin);
    layout->addWidget(m_section);
    layout->addWidget(m_hedgeSection);
    connect(m_draw, &QSlider::valueChanged, this, &PoolPanel::forecast);
    clear();
}

void PoolPanel::clear() {
    m_pool.clear();
    m_fleet->dropForecast();
    hide();
}

void PoolPanel::showParts(bool answered) {
    for (QWidget* part : QList<QWidget*>{m_drawRow, m_bar, m_facts}) part->setVisible(answered);
    if (!answered) m_hedgeSection->hide();
}

void PoolPanel::setGateway(const QString& name) {
    m_section->setNote(name.isEmpty() ? tr("as it runs now") : tr("as it runs now at %1").arg(name));
}

void PoolPanel::sayNobodyToAsk(const std::string& poolId, const QString& why) {
    clear();
    m_verdict->set(Tone::idle, tr("%1 is served by a router, whose choice follows prices, queues and times of this moment. %2")
                                  .arg(format::text(poolId), why));
    showParts(false);
    show();
}

void PoolPanel::ask(const std::string& poolId, dispatch::PoolQuestion question) {
    m_pool = poolId;
    m_question = std::move(question);
    forecast();
}

void PoolPanel::forecast() {
    if (m_pool.empty()) return;
    m_question.u = double(m_draw->value()) / kDrawSteps;
    m_u->setText(QLocale().toString(m_question.u, 'f', 3));
    m_fleet->forecast(m_pool, m_question, [this, panel = QPointer(this)](const Result<dispatch::PoolForecast>& answer) {
        if (!panel) return;  // the bridge outlives it
        present(answer);
        Q_EMIT answered();
    });
}

void PoolPanel::present(const Result<dispatch::PoolForecast>& answer) {
    show();
    showParts(answer.has_value());
    if (answer) return presentChoice(*answer);
    m_verdict->set(Tone::caution, tr("The running gateway cannot forecast it: %1. Apply the draft if the model is new.").arg(format::text(answer.error().message)));
}

static std::vector<LiveFact> hedgeFacts(const dispatch::HedgePlanView& plan) {
    QStringList feasible;
    for (const double ms : plan.feasibleAtMs) feasible << format::milliseconds(ms);
    std::vector<LiveFact> facts{
        {PoolPanel::tr("Objective"), PoolPanel::tr("first token within %1").arg(format::milliseconds(plan.sloMs))},
        {PoolPanel::tr("Could be sent"), feasible.isEmpty() ? PoolPanel::tr("at no checkpoint: no other endpoint would be in time")
                                                           : PoolPanel::tr("after %1").arg(feasible.join(QStringLiteral(", ")))}};
    if (!plan.dispatchAtMs) return facts;
    facts.push_back({PoolPanel::tr("Is sent"), PoolPanel::tr("after %1, if nothing came until then").arg(format::milliseconds(*plan.dispatchAtMs))});
    facts.push_back({PoolPanel::tr("Backup"), format::text(plan.backup), std::nullopt, true});
    facts.push_back({PoolPanel::tr("Chance"), PoolPanel::tr("%1 % within the objective (estimate)").arg(QLocale().toString(100 * plan.probability, 'f', 0))});
    return facts;
}

void PoolPanel::presentChoice(const dispatch::PoolForecast& forecast) {
    const auto& choice = forecast.choice;
    if (choice.drawn.empty()) m_verdict->set(Tone::danger, tr("No endpoint could take it now."));
    else m_verdict->set(Tone::clear, tr("With this draw: %1.").arg(format::text(choice.drawn)));
    m_bar->set(choice, m_question.u);
    std::vector<LiveFact> facts;
    for (const ReceiptLine& line : poolLines(choice)) facts.push_back({line.name, line.value, line.tone, line.isId});
    m_facts->set(facts);
    m_hedgeSection->setVisible(forecast.hedge.has_value());
    if (forecast.hedge) m_hedge->set(hedgeFacts(*forecast.hedge));
}

}  // namespace signalbox::ui
