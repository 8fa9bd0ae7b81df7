// SPDX-License-Identifier: MIT
#include "ui/pages/shadow/shadow_page.h"

#include "router/policy/group_route.h"
#include "router/policy/smart/what_if.h"
#include "ui/bridge/event_question.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/heat_map/heat_chart.h"
#include "ui/charts/rate_chart.h"
#include "ui/document/policy_document.h"
#include "ui/models/group_words.h"
#include "ui/pages/shadow/candidate_models.h"
#include "ui/pages/shadow/comparison_strip.h"
#include "ui/pages/shadow/shadow_words.h"
#include "ui/pages/whose_records.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/tone_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

using namespace std::chrono_literals;
using evidence::CancelToken;
using evidence::HistoryReader;

static constexpr int kNarrowestPoint = 8, kLeastMap = 230, kMostTableRows = 8;
// More would say no more and make the bands slow to draw.
static constexpr std::size_t kMostPoints = 80;

// As high as its rows, within reason; the page scrolls.
static void fitRows(TableView* view, std::size_t rows) {
    const int shown = std::clamp(static_cast<int>(rows), 1, kMostTableRows);
    view->setFixedHeight(view->horizontalHeader()->sizeHint().height() + shown * view->verticalHeader()->defaultSectionSize() + 4);
}

ShadowPage::ShadowPage(PageContext context, QWidget* parent)
    : Page(std::move(context), parent), m_groupChoice(new QComboBox), m_profileChoice(new QComboBox), m_session(new ToneText),
      m_silence(new ErrorBanner), m_rates(new RateChart(tr("How often does the recommendation differ, and for whom?"))),
      m_pairs(new HeatChart(tr("What would have been tried instead of what?"))), m_terms(new BarChart(tr("Why does it differ?"), BarView::Direction::lying)),
      m_margins(new BarChart(tr("By how much does it differ?"), BarView::Direction::upright)), m_comparison(new ComparisonStrip),
      m_estimates(new EstimatesModel(this)), m_failures(new FailuresModel(this)), m_estimatesView(new TableView(tr("Estimates beside real calls"))),
      m_failuresView(new TableView(tr("How real calls ended"))), m_empty(new EmptyState(QStringLiteral("shadow"), {}, {})), m_stack(new QStackedWidget) {
    m_groupChoice->setObjectName(QStringLiteral("shadowGroup"));
    m_groupChoice->setAccessibleName(tr("Group"));
    m_profileChoice->setObjectName(QStringLiteral("shadowProfile"));
    m_profileChoice->setAccessibleName(tr("Profile"));
    makeLayout();
    connectSources();
    connectCharts();
    offerGroups();
}

ShadowPage::~ShadowPage() = default;

QWidget* ShadowPage::makeTables() {
    m_estimatesView->setSortableModel(m_estimates);
    m_failuresView->setSortableModel(m_failures);
    for (TableView* view : {m_estimatesView, m_failuresView}) fitRows(view, 3);
    auto* estimates = new Section(tr("Are the estimates true?"));
    estimates->setNote(tr("estimates beside what real calls of any mode measured"));
    estimates->body()->addWidget(m_comparison);
    estimates->body()->addWidget(m_estimatesView);
    auto* failures = new Section(tr("Which candidates fail?"));
    failures->setNote(tr("real calls of the range, and cuts for cooling"));
    failures->body()->addWidget(m_failuresView);
    auto* both = new QWidget;
    auto* layout = new QVBoxLayout(both);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kSection);
    layout->addWidget(estimates);
    layout->addWidget(failures);
    return both;
}

void ShadowPage::makeLayout() {
    auto* choices = new QHBoxLayout;
    choices->setSpacing(Theme::kGap);
    choices->addWidget(m_groupChoice);
    choices->addWidget(m_profileChoice);
    choices->addStretch();

    m_rates->setMinimumHeight(300);
    m_pairs->setMinimumHeight(kLeastMap);
    m_margins->setMinimumHeight(230);
    auto* details = new QHBoxLayout;
    details->setSpacing(Theme::kSection);
    details->addWidget(m_pairs, 3);
    details->addWidget(m_terms, 2);

    m_content = new QWidget;
    m_content->setProperty("role", QStringLiteral("canvas"));
    auto* content = new QVBoxLayout(m_content);
    content->setContentsMargins(Theme::kSection, 0, Theme::kSection, Theme::kMargin);
    content->setSpacing(Theme::kSection);
    content->addLayout(choices);
    content->addWidget(m_session);
    content->addWidget(m_rates);
    content->addLayout(details);
    content->addWidget(m_margins);
    content->addWidget(makeTables());
    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(m_content);
    m_stack->addWidget(area);
    m_stack->addWidget(m_empty);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGapWide);
    auto* whose = new QHBoxLayout;
    whose->setContentsMargins(Theme::kSection, 0, Theme::kSection, 0);
    whose->addWidget(new WhoseRecords(m_context));
    layout->addWidget(m_silence);
    layout->addLayout(whose);
    layout->addWidget(m_stack, 1);
}

void ShadowPage::connectSources() {
    m_settle.setSingleShot(true);
    m_settle.setInterval(10s);
    m_retry.setSingleShot(true);
    m_retry.setInterval(3s);
    connect(&m_settle, &QTimer::timeout, this, [this] {
        if (m_stale && isVisible()) ask();
    });
    connect(&m_retry, &QTimer::timeout, this, &ShadowPage::ask);
    m_nextPart.setSingleShot(true);
    m_nextPart.setInterval(16ms);  // a frame: what was set is painted before the next part begins
    connect(&m_nextPart, &QTimer::timeout, this, &ShadowPage::showNextPart);
    connect(m_context.view, &ViewState::rangeChanged, this, [this] {
        m_stale = true;
        // A live range moves by itself; whoever chose another one wants to see it now.
        const bool onlyMoved = m_context.view->isLive() && m_context.view->span() == m_askedSpan;
        if (isVisible() && !(onlyMoved && m_settle.isActive())) ask();
    });
    connect(m_context.document, &PolicyDocument::changed, this, &ShadowPage::offerGroups);
    connect(m_empty, &EmptyState::triggered, this, [this] {
        if (m_messagePage.isEmpty()) ask();
        else m_context.go(m_messagePage, m_messageArguments);
    });
    const auto choose = [this] { setChoice(m_groupChoice->currentData().toString(), m_profileChoice->currentData().toString()); };
    connect(m_groupChoice, &QComboBox::currentIndexChanged, this, choose);
    connect(m_profileChoice, &QComboBox::currentIndexChanged, this, choose);
}

std::array<ChartFrame*, 4> ShadowPage::charts() const { return {m_rates, m_pairs, m_terms, m_margins}; }

QList<QAction*> ShadowPage::pageActions() const { return m_rates->chartActions(); }

QList<Page::Findable> ShadowPage::findables() const {
    QList<Findable> all;
    for (int i = 1; i < m_groupChoice->count(); ++i)
        all << Findable{tr("Shadow decisions of %1").arg(m_groupChoice->itemText(i)), tr("shadow"), {{QStringLiteral("group"), m_groupChoice->itemData(i)}}};
    return all;
}

void ShadowPage::open(const QVariantMap& arguments) {
    setChoice(arguments.value(QStringLiteral("group")).toString(), arguments.value(QStringLiteral("profile")).toString());
}

QVariantMap ShadowPage::state() const {
    QVariantMap state;
    if (!m_group.isEmpty()) state.insert(QStringLiteral("group"), m_group);
    if (!m_profile.isEmpty()) state.insert(QStringLiteral("profile"), m_profile);
    return state;
}

// Groups of the draft, and those that decided in the range and have gone since.
void ShadowPage::offerGroups() {
    QStringList groups;
    const WorkspacePtr workspace = m_context.document->workspace();
    if (workspace && workspace->snapshot)
        for (const auto& group : workspace->snapshot->smart.groups()) groups << format::text(group.id);
    for (const std::string& group : m_answer.groups) groups << format::text(group);
    if (!m_group.isEmpty()) groups << m_group;
    groups.removeDuplicates();
    if (m_groupChoice->count() > 0 && groups == m_offered && m_groupChoice->currentData().toString() == m_group && m_profileChoice->currentData().toString() == m_profile) return;
    m_offered = groups;
    const QSignalBlocker quietGroups(m_groupChoice), quietProfiles(m_profileChoice);
    m_groupChoice->clear();
    m_groupChoice->addItem(tr("All groups"), QString());
    for (const QString& group : std::as_const(m_offered)) m_groupChoice->addItem(group, group);
    m_groupChoice->setCurrentIndex(std::max(0, m_groupChoice->findData(m_group)));
    if (m_profileChoice->count() == 0) {
        m_profileChoice->addItem(tr("All profiles"), QString());
        for (const auto profile : policy::smart::kProfiles) m_profileChoice->addItem(words::profile(policy::smart::toString(profile)), format::text(policy::smart::toString(profile)));
    }
    m_profileChoice->setCurrentIndex(std::max(0, m_profileChoice->findData(m_profile)));
}

void ShadowPage::setChoice(const QString& group, const QString& profile) {
    if (group == m_group && profile == m_profile) return;
    m_group = group;
    m_profile = profile;
    offerGroups();
    m_stale = true;
    if (isVisible()) ask();
}

void ShadowPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    // Once this size is known, so that the chart asks for as many points as it can show.
    if (m_stale) QTimer::singleShot(0, this, &ShadowPage::ask);
}

void ShadowPage::ask() {
    m_stale = false;
    m_retry.stop();
    m_settle.start();
    for (ChartFrame* chart : charts()) chart->setLoading();
    evidence::ShadowFilter filter;
    filter.range = m_context.view->range();
    m_askedSpan = m_context.view->span();
    if (!m_group.isEmpty()) filter.group = format::utf8(m_group);
    if (!m_profile.isEmpty()) filter.profile = format::utf8(m_profile);
    if (const auto workspace = m_context.document->workspace(); workspace && workspace->snapshot)
        filter.servedBy = policy::endpointsBehindCandidates(*workspace->snapshot);
    const std::size_t points = std::min(kMostPoints, m_rates->usefulPoints(kNarrowestPoint));
    // Asked for and made ready on the worker: a report may hold a line for every group and profile.
    m_ticket = m_context.bridge->ask<ShadowAnswer>(
        [filter, points](HistoryReader& reader, const CancelToken& cancel) -> Result<ShadowAnswer> {
            auto report = reader.shadow(filter, points, cancel);
            if (!report) return tl::unexpected(report.error());
            auto lastHour = filter;
            lastHour.range.from = std::max(filter.range.from, filter.range.to - std::chrono::hours(1));
            auto hour = reader.shadow(lastHour, 1, cancel);
            if (!hour) return tl::unexpected(hour.error());
            auto requests = reader.summary(lastHour.range, cancel);
            if (!requests) return tl::unexpected(requests.error());
            return toShadowAnswer(*report, *hour, requests->requests, points);
        },
        [this](Result<ShadowAnswer> answer) { take(std::move(answer)); });
    m_eventsTicket = askEvents(*m_context.bridge, filter.range, [this](auto events) { m_rates->setEvents(std::move(events)); });
}

void ShadowPage::take(Result<ShadowAnswer> answer) {
    if (answer) return showAnswer(std::move(*answer));
    if (isVisible()) m_retry.start();  // nothing is lost while the database is away
    else m_stale = true;
    m_parts.clear();
    const ShadowMessage message = shadowUnreadable(m_context.bridge->ownStatus().evidence, answer.error());
    Q_EMIT answerChanged(message.title + QLatin1Char('.'));
    showMessage(message);
}

QString ShadowPage::when() const {
    return m_context.view->isLive() ? tr("the last %1").arg(format::seconds(m_context.view->span())) : rangeText(m_context.view->range());
}

// One part a turn of the event loop, so that the window goes on answering while a large report is laid out.
void ShadowPage::showAnswer(ShadowAnswer answer) {
    m_answer = std::move(answer);
    offerGroups();
    showSilence();
    const bool filtered = !m_group.isEmpty() || !m_profile.isEmpty();
    if (m_answer.groupDecisions == 0 && !filtered) {
        m_parts.clear();
        Q_EMIT answerChanged(shadowSentence(m_answer, when()));
        const WorkspacePtr workspace = m_context.document->workspace();
        return showMessage(nothingCompared(m_context.bridge->ownStatus(), workspace ? workspace->snapshot.get() : nullptr));
    }
    m_stack->setCurrentIndex(0);
    m_parts = {[this] { showRates(); },
               [this] { showPairs(); },
               [this] { showTerms(); },
               [this] { showMargins(); },
               [this] {
                   const SessionWords session = sessionWords(m_answer);
                   m_session->set(session.tone, session.text);
                   m_comparison->set(m_answer.chosen, m_answer.recommended);
               },
               [this] {
                   m_estimates->set(m_answer.candidates);
                   fitRows(m_estimatesView, m_answer.candidates.size());
               },
               [this] {
                   m_failures->set(m_answer.candidates);
                   fitRows(m_failuresView, m_answer.candidates.size());
                   Q_EMIT answerChanged(shadowSentence(m_answer, when()));
               }};
    m_nextPart.start();
}

void ShadowPage::showNextPart() {
    if (m_parts.empty()) return;
    const auto part = std::move(m_parts.front());
    m_parts.pop_front();
    part();
    if (!m_parts.empty()) m_nextPart.start();
}

bool ShadowPage::sayNothingCompared(ChartFrame* chart) const {
    if (m_answer.overall.whole > 0) return false;
    chart->setMessage(tr("Nothing to compare"), tr("No decision of this range was compared. Only those in shadow and in the control part of a canary are."));
    return true;
}

void ShadowPage::showRates() {
    if (!sayNothingCompared(m_rates)) m_rates->setSeries(m_answer.rates);
}

void ShadowPage::showPairs() {
    if (sayNothingCompared(m_pairs)) return;
    m_pairs->setGrid(m_answer.pairs);
    m_pairs->setMinimumHeight(std::max(kLeastMap, m_pairs->map()->sizeHint().height() + 50));
    m_pairs->setNote(tr("rows: tried first, columns: recommended"));
}

void ShadowPage::showTerms() {
    if (sayNothingCompared(m_terms)) return;
    m_terms->setBars(termBars(m_answer));
    m_terms->setNote(tr("disagreements by the term that decided"));
}

void ShadowPage::showMargins() {
    if (sayNothingCompared(m_margins)) return;
    m_margins->setBars(marginBars(m_answer));
    m_margins->setNote(tr("disagreements by score margin"));
}

void ShadowPage::showMessage(const ShadowMessage& message) {
    m_empty->setTexts(message.title, message.explanation);
    m_empty->setAction(message.button);
    m_messagePage = message.page;
    m_messageArguments = message.arguments;
    m_stack->setCurrentWidget(m_empty);
}

}  // namespace signalbox::ui
