// SPDX-License-Identifier: MIT
#include "ui/pages/endpoints/pool_sheet.h"

#include "ui/models/pool_words.h"
#include "ui/widgets/live_facts.h"
#include "ui/pages/endpoints/mix_plot.h"
#include "ui/pages/endpoints/pool_candidates_model.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/tone_text.h"

#include <nlohmann/json.hpp>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

static constexpr int kMostRows = 8;

std::optional<std::uint64_t> envelopeNeeds(const config::Model& model) {
    const auto read = nlohmann::json::parse(model.parametersJson, nullptr, false);
    if (!read.is_object()) return std::nullopt;
    // A local-first pool keeps the cloud's parameters in a table of their own.
    const auto& holder = read.contains("cloud") && read.at("cloud").is_object() ? read.at("cloud") : read;
    const auto found = holder.find("envelope_min_samples");
    return found != holder.end() && found->is_number_unsigned() ? std::optional(found->get<std::uint64_t>()) : std::nullopt;
}

static Section* sectionWith(const QString& title, std::initializer_list<QWidget*> parts) {
    auto* section = new Section(title);
    for (QWidget* part : parts) section->body()->addWidget(part);
    return section;
}

PoolSheet::PoolSheet(QWidget* parent)
    : QWidget(parent), m_head(new LiveFacts), m_table(new TableView(tr("Candidates of the pool"))), m_candidates(new PoolCandidatesModel(this)), m_verdict(new ToneText),
      m_plot(new MixPlot), m_mix(new LiveFacts), m_envelopeVerdict(new ToneText), m_envelope(new LiveFacts), m_hedge(new LiveFacts), m_local(new LiveFacts) {
    setObjectName(QStringLiteral("poolSheet"));
    m_table->setSortableModel(m_candidates);
    m_mixSection = sectionWith(tr("The mix it draws from"), {m_verdict, m_plot, m_mix});
    m_envelopeSection = sectionWith(tr("What its quotas are worth"), {m_envelopeVerdict, m_envelope});
    m_hedgeSection = sectionWith(tr("Backup requests (hedging)"), {m_hedge});
    m_localSection = sectionWith(tr("Local server"), {m_local});
    auto* candidates = sectionWith(tr("Candidates"), {m_table});
    candidates->setNote(tr("for a request of 1,000 tokens"));
    auto* simulate = makeButton(tr("Simulate a request"), QStringLiteral("simulator"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kMargin);
    layout->addWidget(m_head);
    layout->addWidget(candidates);
    for (Section* section : {m_localSection, m_mixSection, m_envelopeSection, m_hedgeSection}) layout->addWidget(section);
    layout->addWidget(simulate, 0, Qt::AlignLeft);
    layout->addStretch();
    connect(m_table, &TableView::rowOpened, this, [this](int row) {
        if (const auto* member = m_candidates->at(row)) Q_EMIT endpointWanted(format::text(member->endpointId));
    });
    connect(simulate, &QPushButton::clicked, this, &PoolSheet::simulationWanted);
}

using Facts = std::vector<LiveFact>;

static Facts headFacts(const dispatch::PoolView& pool) {
    QStringList aliases;
    for (const std::string& alias : pool.aliases) aliases << format::text(alias);
    Facts facts{{PoolSheet::tr("Model"), format::text(pool.id), std::nullopt, true}};
    if (!aliases.isEmpty()) facts.push_back({PoolSheet::tr("Also"), aliases.join(QStringLiteral(", "))});
    facts.push_back({PoolSheet::tr("Router"), words::router(pool.router), words::isExperimental(pool.router) ? Tone::caution : Tone::info, false, words::routerHelp(pool.router)});
    facts.push_back({PoolSheet::tr("How"), words::routerHelp(pool.router)});
    facts.push_back({PoolSheet::tr("Requests"), PoolSheet::tr("%1 since the start").arg(format::count(pool.requests))});
    return facts;
}

static Facts mixFacts(const dispatch::MixView& mix) {
    const QLocale locale;
    return {{PoolSheet::tr("Budget"), PoolSheet::tr("%1 USD a request").arg(words::usd(mix.budgetUsd)), std::nullopt, false,
             PoolSheet::tr("Between the cheapest and the dearest candidate, as far up as alpha says: %1").arg(locale.toString(mix.alpha))},
            {PoolSheet::tr("Budget alpha"), locale.toString(mix.alpha), std::nullopt, false, PoolSheet::tr("0: only the cheapest; 1: money is no object")},
            {PoolSheet::tr("Expected cost"), PoolSheet::tr("%1 USD (estimate)").arg(words::usd(mix.expectedCostUsd))},
            {PoolSheet::tr("Expected wait"), mix.objectiveS ? PoolSheet::tr("%1 to the first token (estimate)").arg(format::milliseconds(*mix.objectiveS * 1000)) : format::none()},
            {PoolSheet::tr("Priced for"), PoolSheet::tr("%1 tokens in, %2 out").arg(format::count(mix.promptTokens), locale.toString(mix.predictedOutputTokens, 'f', 0))},
            {PoolSheet::tr("Output, estimate"), words::predictionSource(mix.predictionSource), std::nullopt, false, PoolSheet::tr("Where the expected length of the answer comes from")}};
}

static Facts envelopeFacts(const dispatch::MixView& mix) {
    if (!mix.envelopeLowerUsd || !mix.envelopeUpperUsd) return {};
    return {{PoolSheet::tr("Cheap request"), PoolSheet::tr("%1 USD").arg(words::usd(mix.envelopeLowerUsd)), std::nullopt, false, PoolSheet::tr("Lower percentile of what recent requests would have cost by the token")},
            {PoolSheet::tr("Dear request"), PoolSheet::tr("%1 USD").arg(words::usd(mix.envelopeUpperUsd)), std::nullopt, false, PoolSheet::tr("Upper percentile of the same")}};
}

static Facts hedgeFacts(const dispatch::HedgeView& hedge) {
    if (!hedge.enabled) return {{PoolSheet::tr("Backups"), words::hedge("disabled"), Tone::idle}};
    const auto count = [](std::uint64_t value) { return format::count(value); };
    const QString cap = hedge.spendCapUsd ? PoolSheet::tr("%1 of at most %2 USD (estimate)").arg(words::usd(hedge.spentLastHourUsd), words::usd(hedge.spendCapUsd))
                                          : PoolSheet::tr("%1 USD (estimate), no cap is set").arg(words::usd(hedge.spentLastHourUsd));
    const bool atCap = hedge.spendCapUsd && hedge.spentLastHourUsd >= *hedge.spendCapUsd;
    return {{PoolSheet::tr("Objective"), PoolSheet::tr("first token within %1").arg(format::milliseconds(hedge.sloMs)), std::nullopt, false, PoolSheet::tr("A backup is sent as late as it still makes this likely enough")},
            {PoolSheet::tr("Sent"), PoolSheet::tr("%1 of %2 requests").arg(count(hedge.sent), count(hedge.requests))},
            {PoolSheet::tr("Won"), PoolSheet::tr("%1 answered first").arg(count(hedge.won))},
            {PoolSheet::tr("Lost"), PoolSheet::tr("%1 were not needed").arg(count(hedge.lost))},
            {PoolSheet::tr("Failed"), count(hedge.failed)},
            {PoolSheet::tr("Not sent, cap"), count(hedge.skippedForSpend), std::nullopt, false, PoolSheet::tr("Backups that would have gone over the cap on spending")},
            {PoolSheet::tr("Spent, last hour"), cap, atCap ? Tone::caution : Tone::clear}};
}

static Facts localFacts(const dispatch::LocalLoadView& local) {
    const auto number = [](std::int64_t value) { return format::count(static_cast<quint64>(std::max<std::int64_t>(0, value))); };
    const auto tone = [](std::int64_t now, std::int64_t most) { return most > 0 && now >= most ? Tone::caution : Tone::clear; };
    Facts facts{{PoolSheet::tr("Running"), PoolSheet::tr("%1 of %2 requests").arg(number(local.runningRequests), number(local.maxRunningRequests)), tone(local.runningRequests, local.maxRunningRequests)},
                {PoolSheet::tr("Reserved"), PoolSheet::tr("%1 of %2 tokens").arg(number(local.reservedTokens), number(local.maxReservedTokens)), tone(local.reservedTokens, local.maxReservedTokens), false,
                 PoolSheet::tr("Memory that its requests may need: prompt and predicted answer")},
                {PoolSheet::tr("Taken"), PoolSheet::tr("%1 requests since the start").arg(format::count(local.admitted))},
                {PoolSheet::tr("Counts on"), local.usesEngineMetrics ? PoolSheet::tr("the engine's own numbers, too") : PoolSheet::tr("this gateway's requests alone"), local.usesEngineMetrics ? Tone::clear : Tone::idle, false,
                 PoolSheet::tr("With fresh metrics of the engine, requests of its other users count, too")}};
    for (const auto& [reason, count] : local.refusedBy) facts.push_back({PoolSheet::tr("Left %1 to the cloud").arg(format::count(count)), words::admission(reason)});
    return facts;
}

static void showEnvelope(ToneText* verdict, const dispatch::MixView& mix, const config::Model* model) {
    if (mix.envelopeLowerUsd) return verdict->set(Tone::clear, PoolSheet::tr("Calibrated from %1 requests (estimate).").arg(format::count(mix.envelopeSamples)));
    const auto needed = model == nullptr ? std::nullopt : envelopeNeeds(*model);
    if (!needed) return verdict->set(Tone::caution, PoolSheet::tr("Not calibrated yet: %1 requests seen, more are needed.").arg(format::count(mix.envelopeSamples)));
    const std::uint64_t missing = *needed - std::min(*needed, mix.envelopeSamples);
    verdict->set(Tone::caution, PoolSheet::tr("Not calibrated yet: needs %n more request(s), has %1.", nullptr, static_cast<int>(missing)).arg(format::count(mix.envelopeSamples)));
}

void PoolSheet::show(const dispatch::PoolView& pool, const config::Model* model) {
    m_head->set(headFacts(pool));
    m_candidates->set(pool);
    const int shown = std::clamp(m_candidates->rows(), 1, kMostRows);
    m_table->setFixedHeight(m_table->horizontalHeader()->height() + shown * m_table->verticalHeader()->defaultSectionSize() + 18);
    m_mixSection->setVisible(pool.mix.has_value());
    m_envelopeSection->setVisible(pool.mix && std::any_of(pool.members.begin(), pool.members.end(), [](const auto& member) { return member.billing == "quota"; }));
    m_hedgeSection->setVisible(pool.hedge.has_value());
    m_localSection->setVisible(pool.local.has_value());
    if (pool.mix) {
        m_verdict->set(words::mixTone(pool.mix->status), words::mixStatus(pool.mix->status));
        m_plot->set(pool);
        m_mix->set(mixFacts(*pool.mix));
        showEnvelope(m_envelopeVerdict, *pool.mix, model);
        m_envelope->set(envelopeFacts(*pool.mix));
    }
    if (pool.hedge) m_hedge->set(hedgeFacts(*pool.hedge));
    if (pool.local) m_local->set(localFacts(*pool.local));
}

}  // namespace signalbox::ui
