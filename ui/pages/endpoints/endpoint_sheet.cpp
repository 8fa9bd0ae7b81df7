// SPDX-License-Identifier: MIT
#include "ui/pages/endpoints/endpoint_sheet.h"

#include "ui/models/event_words.h"
#include "ui/models/pool_words.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/live_facts.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/section.h"
#include "ui/widgets/tone_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

using engine::EndpointAction;

static Section* sectionWith(const QString& title, QWidget* content) {
    auto* section = new Section(title);
    if (content != nullptr) section->body()->addWidget(content);
    return section;
}

// As wide as the widest of its texts, so that the one beside it stays where it is, too.
static void reserveWidth(QPushButton* button, const QStringList& texts) {
    const QString shown = button->text();
    int widest = 0;
    for (const QString& text : texts) {
        button->setText(text);
        widest = std::max(widest, button->sizeHint().width());
    }
    button->setText(shown);
    button->setMinimumWidth(widest);
}

EndpointSheet::EndpointSheet(QWidget* parent)
    : QWidget(parent), m_drain(makeButton(tr("Drain"))), m_circuit(makeButton(tr("Open its circuit"))), m_state(new LiveFacts), m_measured(new LiveFacts), m_engine(new LiveFacts),
      m_pools(new QVBoxLayout), m_events(new QVBoxLayout), m_decisions(makeButton(tr("Its decisions"), QStringLiteral("history"))) {
    setObjectName(QStringLiteral("endpointSheet"));
    m_drain->setObjectName(QStringLiteral("drain"));
    m_circuit->setObjectName(QStringLiteral("circuit"));
    reserveWidth(m_drain, {tr("Drain…"), tr("Take it back")});
    reserveWidth(m_circuit, {tr("Open its circuit…"), tr("Close its circuit")});
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(Theme::kGap);
    buttons->addWidget(m_drain);
    buttons->addWidget(m_circuit);
    buttons->addStretch();
    m_engineSection = sectionWith(tr("What its engine says"), m_engine);
    m_poolSection = sectionWith(tr("Its pools"), nullptr);
    m_poolSection->body()->addLayout(m_pools);
    m_history = sectionWith(tr("How its circuit went"), nullptr);
    m_history->body()->addLayout(m_events);
    m_events->setSpacing(6);
    m_events->addWidget(makeMuted(tr("Asking the history…")));
    m_decisions->setObjectName(QStringLiteral("decisions"));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kMargin);
    // Above what grows and shrinks by itself: a button stays under the pointer.
    layout->addLayout(buttons);
    layout->addWidget(m_state);
    layout->addWidget(sectionWith(tr("What was measured"), m_measured));
    layout->addWidget(m_engineSection);
    layout->addWidget(m_poolSection);
    layout->addWidget(m_history);
    layout->addWidget(m_decisions, 0, Qt::AlignLeft);
    layout->addStretch();
    connect(m_drain, &QPushButton::clicked, this, [this] { Q_EMIT actionWanted(m_drained ? EndpointAction::undrain : EndpointAction::drain); });
    connect(m_circuit, &QPushButton::clicked, this, [this] { Q_EMIT actionWanted(m_open ? EndpointAction::reset : EndpointAction::trip); });
    connect(m_decisions, &QPushButton::clicked, this, &EndpointSheet::decisionsWanted);
}

static void setText(QPushButton* button, const QString& text, const QString& help) {
    button->setText(text);
    button->setAccessibleName(text);
    button->setToolTip(plainTip(help));
}

static std::vector<LiveFact> measuredFacts(const EndpointRow& row) {
    const engine::EndpointHealth& health = row.health;
    const auto times = [&](std::optional<double> ms) {
        if (!ms) return EndpointSheet::tr("no call in the last day");
        return EndpointSheet::tr("%1, of %2 calls of late").arg(format::milliseconds(*ms), format::count(health.ttftSamples));
    };
    const QString reliability = EndpointSheet::tr("%1, since the start").arg(format::share(row.attempts() - row.errors(), row.attempts()));
    const QString failed = format::count(row.errors()), attempts = format::count(row.attempts());
    const QString errors = EndpointSheet::tr("%1 of %2 attempts, since the start").arg(failed, attempts);
    const auto openings = static_cast<int>(health.openedTotal);
    const QString opened = EndpointSheet::tr("%n time(s) since the start, failed probes included", nullptr, openings);
    const QString probes = EndpointSheet::tr("A probe that failed opened it once more, which the list below does not show");
    const QString late = EndpointSheet::tr("Of the last 15 minutes, else of the last day");
    const QString provider = EndpointSheet::tr("Since this gateway's program started, at its provider, whichever of its models it was for");
    std::vector<LiveFact> facts{
        {EndpointSheet::tr("In flight"), format::count(health.inFlight), std::nullopt, false, EndpointSheet::tr("Now")},
        {EndpointSheet::tr("First token p50"), times(health.ttftP50Ms), std::nullopt, false, late},
        {EndpointSheet::tr("First token p95"), times(health.ttftP95Ms), std::nullopt, false, late},
        {EndpointSheet::tr("Reliability"), reliability, std::nullopt, false, provider},
        {EndpointSheet::tr("Errors"), errors, std::nullopt, false, provider},
        {EndpointSheet::tr("Failures in a row"), format::count(health.consecutiveFailures)},
        {EndpointSheet::tr("Circuit opened"), opened, std::nullopt, false, probes}};
    if (row.slots) facts.push_back({EndpointSheet::tr("Slots"), EndpointSheet::tr("%1 of %2").arg(slotsText(row), format::text(row.slots->name)), std::nullopt, false, EndpointSheet::tr("Concurrent calls of the resource, taken by every endpoint that uses it")});
    if (row.quota)
        facts.push_back({EndpointSheet::tr("Quota"), EndpointSheet::tr("%1, of %2 (%3)").arg(quotaText(row), format::count(row.quota->limit), format::text(row.quota->name))});
    return facts;
}

static std::vector<LiveFact> engineFacts(const EndpointRow& row) {
    std::vector<LiveFact> facts;
    const EndpointWords reading = readingWords(row), version = versionWords(row);
    facts.push_back({EndpointSheet::tr("Read"), reading.tone == Tone::caution ? reading.brief + QStringLiteral(". ") + reading.full : reading.brief, reading.tone, false, reading.full});
    const auto& engine = row.health.engine;
    if (engine) {
        const auto count = [](std::optional<std::uint64_t> value) { return value ? format::count(*value) : format::none(); };
        facts.push_back({EndpointSheet::tr("Engine"), format::text(toString(engine->engine))});
        facts.push_back({EndpointSheet::tr("Running"), count(engine->running), std::nullopt, false, EndpointSheet::tr("Requests in its batch, everybody's")});
        facts.push_back({EndpointSheet::tr("Waiting"), count(engine->waiting), std::nullopt, false, EndpointSheet::tr("Requests that it has and does not run yet")});
        facts.push_back({EndpointSheet::tr("KV cache"), EndpointSheet::tr("%1 taken").arg(percentText(engine->kvUsed)), std::nullopt, false, EndpointSheet::tr("The memory of running requests")});
        facts.push_back({EndpointSheet::tr("Preempted"), EndpointSheet::tr("%1 since it started").arg(count(engine->preemptionsTotal)), std::nullopt, false, EndpointSheet::tr("Requests put back because memory ran out")});
        facts.push_back({EndpointSheet::tr("Prefix cache"), EndpointSheet::tr("%1 of prompt tokens found").arg(percentText(engine->prefixCacheHits)), std::nullopt, false, EndpointSheet::tr("Between the last two readings")});
        facts.push_back({EndpointSheet::tr("Drafts"), EndpointSheet::tr("%1 of draft tokens accepted").arg(percentText(engine->draftAcceptance)), std::nullopt, false, EndpointSheet::tr("Speculative decoding, between the last two readings")});
    }
    facts.push_back({EndpointSheet::tr("Version"), version.full, version.tone});
    return facts;
}

void EndpointSheet::show(const EndpointRow& row) {
    const EndpointWords state = stateWords(row.health);
    m_drained = row.health.drained;
    m_open = row.health.circuit != "closed";
    setText(m_drain, m_drained ? tr("Take it back") : tr("Drain…"),
            m_drained ? tr("New attempts may come again") : tr("Keep new attempts away; what is in flight finishes"));
    setText(m_circuit, m_open ? tr("Close its circuit") : tr("Open its circuit…"),
            m_open ? tr("End its rest now; attempts may come again") : tr("Let it rest for its cooling time; what is in flight finishes"));
    m_state->set({{tr("Endpoint"), format::text(row.health.endpointId), std::nullopt, true}, {tr("State"), state.brief + QStringLiteral(". ") + state.full, state.tone}});
    m_measured->set(measuredFacts(row));
    m_engineSection->setVisible(row.health.enginePage.isConfigured() || row.health.engine || !row.health.vllmPin.empty());
    m_engine->set(engineFacts(row));
    showPools(row);
}

// A pool's share changes as prices and times do, so the buttons stay and their texts follow.
void EndpointSheet::showPools(const EndpointRow& row) {
    QStringList ids;
    for (const Membership& pool : row.pools) ids << format::text(pool.pool);
    m_poolSection->setVisible(!ids.isEmpty());
    if (ids != m_poolIds) {
        m_poolIds = ids;
        clearLayout(m_pools);
        for (const QString& id : std::as_const(m_poolIds)) {
            auto* button = makeButton({}, QStringLiteral("chevron-right"), ButtonRole::quiet);
            connect(button, &QPushButton::clicked, this, [this, id] { Q_EMIT poolWanted(id); });
            m_pools->addWidget(button, 0, Qt::AlignLeft);
        }
    }
    for (std::size_t i = 0; i < row.pools.size(); ++i) {
        const Membership& pool = row.pools[i];
        auto* button = qobject_cast<QPushButton*>(m_pools->itemAt(static_cast<int>(i))->widget());
        const bool isIn = pool.member.excluded.empty();
        setText(button, isIn ? tr("%1: share %2").arg(format::text(pool.pool), percentText(pool.member.share)) : tr("%1: left out").arg(format::text(pool.pool)),
                isIn ? tr("Show this pool, routed by %1").arg(words::router(pool.router)) : tr("Left out now: %1. Show this pool").arg(words::excluded(pool.member.excluded)));
    }
}

void EndpointSheet::showNoHistory(const QString& why) {
    clearLayout(m_events);
    m_events->addWidget(makeMuted(why));
    m_decisions->setEnabled(false);
    m_decisions->setToolTip(plainTip(why));
}

void EndpointSheet::showEvents(const Result<std::vector<evidence::Event>>& events, const QString& when) {
    clearLayout(m_events);
    m_history->setNote(when);  // the only window here that is the page's
    if (!events) {
        m_events->addWidget(new ToneText(Tone::caution, tr("The history cannot be read: %1").arg(format::sentence(events.error().message))));
        return;
    }
    if (events->empty()) m_events->addWidget(makeMuted(tr("It neither opened nor was drained in this range.")));
    for (const evidence::Event& event : *events) {
        auto* line = new ToneText(words::eventTone(event), tr("%1: %2").arg(words::eventKind(event.kind), format::dateTime(event.createdAt)));
        line->setToolTip(plainTip(words::eventLine(event) + QLatin1Char('\n') + format::utc(event.createdAt)));
        m_events->addWidget(line);
    }
    if (events->size() == kMostCircuitEvents) m_events->addWidget(makeMuted(tr("Older ones stand in the history.")));
}

}  // namespace signalbox::ui
