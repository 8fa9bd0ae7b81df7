// SPDX-License-Identifier: MIT
#include "ui/pages/history/history_page.h"

#include "ui/bridge/event_question.h"
#include "ui/bridge/status_words.h"
#include "ui/charts/time_chart.h"
#include "ui/document/policy_document.h"
#include "ui/pages/history/filter_bar.h"
#include "ui/pages/history/history_model.h"
#include "ui/pages/history/history_words.h"
#include "ui/pages/whose_records.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/receipt/receipt_dialog.h"
#include "ui/widgets/receipt/receipt_view.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"

#include <QAction>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollBar>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

using namespace std::chrono_literals;
using evidence::CancelToken;
using evidence::HistoryReader;

static constexpr auto kLateRows = 30s;
static constexpr auto kCatchUp = 500ms;
static constexpr int kMostLooksInVain = 10;

HistoryPage::HistoryPage(PageContext context, QWidget* parent)
    : Page(std::move(context), parent), m_model(new HistoryModel(this)), m_chart(new TimeChart(tr("Which presets served my requests over time?"))),
      m_filters(new FilterBar), m_decisions(new Section(tr("Decisions"))), m_search(makeButton(tr("Stop searching"))), m_view(new TableView(tr("Decisions, newest first"))),
      m_nothing(new EmptyState(QStringLiteral("history"), {}, {})), m_filterAction(new QAction(tr("Add a filter…"), this)) {
    m_view->setObjectName(QStringLiteral("historyTable"));
    m_view->setModel(m_model);
    m_view->setEmptyState(m_nothing);
    m_filterAction->setShortcut(QKeySequence::Find);
    m_filterAction->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(m_filterAction);
    makeLayout();
    connectSources();
    connectChart();
}

HistoryPage::~HistoryPage() = default;

QString HistoryPage::question() const { return tr("What happened, and why did each request go where it went?"); }

void HistoryPage::makeLayout() {
    m_decisions->setNote(tr("newest first"));
    m_search->setObjectName(QStringLiteral("historySearch"));
    m_search->hide();
    connect(m_search, &QPushButton::clicked, this, &HistoryPage::stopOrGoOn);
    m_decisions->addControl(m_search);
    m_decisions->body()->addWidget(m_filters);
    m_decisions->body()->addWidget(m_view, 1);
    auto* parts = new QSplitter(Qt::Vertical);
    parts->setChildrenCollapsible(false);
    parts->setHandleWidth(1);
    m_decisions->setContentsMargins(0, Theme::kGapWide, 0, 0);
    m_chart->setContentsMargins(0, 0, 0, Theme::kGap);
    parts->addWidget(m_chart);
    parts->addWidget(m_decisions);
    parts->setStretchFactor(0, 2);
    parts->setStretchFactor(1, 3);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Theme::kSection, 0, Theme::kSection, Theme::kMargin);
    layout->addWidget(new WhoseRecords(m_context));
    layout->addWidget(parts, 1);
}

void HistoryPage::connectSources() {
    m_settle.setSingleShot(true);
    m_settle.setInterval(2s);
    m_retry.setSingleShot(true);
    m_retry.setInterval(3s);
    m_catchUp.setSingleShot(true);
    m_catchUp.setInterval(kCatchUp);
    connect(&m_settle, &QTimer::timeout, this, [this] {
        askChart();
        askSummary();
    });
    connect(&m_retry, &QTimer::timeout, this, &HistoryPage::askAll);
    connect(&m_catchUp, &QTimer::timeout, this, &HistoryPage::catchUp);
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        if (!m_catchUp.isActive()) readWhatWasSkipped();
    });
    connect(m_context.view, &ViewState::rangeChanged, this, &HistoryPage::rangeMoved);
    connect(m_context.bridge, &Bridge::ownDecisionsArrived, this, &HistoryPage::follow);
    // What to do about an empty table depends on which gateway the other pages show.
    connect(m_context.bridge, &Bridge::targetChanged, this, [this] {
        if (m_model->rows() > 0) return;
        if (isVisible()) askAll();
        else m_stale = true;
    });
    connect(m_context.document, &PolicyDocument::changed, this, &HistoryPage::offerFilters);
    offerFilters();
    connect(m_filters, &FilterBar::changed, this, &HistoryPage::setQuery);
    connect(m_filterAction, &QAction::triggered, m_filters, &FilterBar::openMenu);
    connect(m_model, &HistoryModel::moreWanted, this, &HistoryPage::askMore);
    connect(m_view, &TableView::rowSelected, this, [this](int row) {
        if (auto record = m_model->at(row)) {
            m_findTicket.reset();  // the receipt that is still on its way was wanted before this one
            inspect(std::move(record));
        }
    });
    connect(m_view, &TableView::rowOpened, this, &HistoryPage::openReceipt);
    m_view->viewport()->installEventFilter(this);
}

void HistoryPage::connectChart() {
    connect(m_chart, &TimeChart::rangeChosen, m_context.view, &ViewState::setRange);
    connect(m_chart, &TimeChart::pointChosen, this, &HistoryPage::goToPoint);
    connect(m_chart, &TimeChart::lineChosen, this, &HistoryPage::emphasise);
    connect(m_chart, &TimeChart::said, this, [this](const QString& text) { m_context.say(text); });
    connect(m_chart, &TimeChart::failed, this, [this](const Error& error) { m_context.complain(error); });
}

QList<QAction*> HistoryPage::pageActions() const { return QList<QAction*>{m_filterAction} + m_chart->chartActions(); }

void HistoryPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    // Once this size is known, so that the chart asks for as many points as it can show.
    if (m_stale) QTimer::singleShot(0, this, &HistoryPage::askAll);
}

bool HistoryPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view->viewport() && event->type() == QEvent::Resize) chooseColumns(static_cast<QResizeEvent*>(event)->size().width());
    return Page::eventFilter(watched, event);
}

// Beside an open inspector there is no room for all columns: those go that the receipt shows anyway, rather than every
// text becoming unreadable.
void HistoryPage::chooseColumns(int width) {
    using M = HistoryModel;
    int needed = 0;
    for (const auto& column : m_model->columns()) needed += column.width;
    for (const int column : {M::Team, M::Status, M::Total, M::Tokens, M::Endpoint, M::Rule}) {
        const bool hide = needed * 9 > width * 10;  // texts may give way a little
        m_view->setColumnHidden(column, hide);
        if (hide) needed -= m_model->columns()[static_cast<std::size_t>(column)].width;
    }
}

void HistoryPage::open(const QVariantMap& arguments) {
    const QString decision = arguments.value(QStringLiteral("decision")).toString();
    if (decision.isEmpty() || arguments.size() > 1) setQuery(HistoryQuery::fromArguments(arguments, m_context.document->table().get()));
    if (decision.isEmpty()) return;
    if (const auto id = DecisionId::parse(format::utf8(decision))) select(*id);
    else m_context.say(tr("%1 is not a decision id").arg(decision));
}

QVariantMap HistoryPage::state() const {
    QVariantMap state = m_query.toArguments();
    state.insert(QStringLiteral("back"), true);  // so that coming back to no filter at all removes later ones
    if (m_selected) state.insert(QStringLiteral("decision"), format::text(m_selected->text()));
    return state;
}

void HistoryPage::offerFilters() {
    m_filters->setTable(m_context.document->table());
    std::vector<std::string> groups;
    const WorkspacePtr workspace = m_context.document->workspace();
    if (workspace && workspace->snapshot)
        for (const auto& group : workspace->snapshot->smart.groups()) groups.push_back(group.id);
    m_filters->setGroups(std::move(groups));
}

void HistoryPage::setQuery(const HistoryQuery& query) {
    if (query == m_query) return;
    m_query = query;
    if (!m_readable) showSession();
    m_filters->setQuery(query);
    m_chart->setMarked(query.slice);
    m_chart->setEmphasis(query.preset ? std::optional(format::text(*query.preset)) : std::nullopt);
    if (isVisible()) askAll();
    else m_stale = true;
}

// A live range moves every few seconds. The table then keeps its rows, selection and place: new decisions come by
// themselves. Any other change asks for everything.
void HistoryPage::rangeMoved() {
    const auto range = m_context.view->range();
    const bool onlyMoved = m_context.view->isLive() && range.to - range.from == m_shown.range.to - m_shown.range.from && !m_query.slice;
    if (!isVisible()) {
        m_stale = true;
    } else if (onlyMoved && m_readable) {
        m_shown.range = range;
        // What another process decides does not come live.
        if (onlyObserves(m_context.bridge->ownStatus().evidence)) askNewest();
        askChart();
        askSummary();
    } else {
        if (!m_readable && !onlyMoved) showSession();
        askAll();
    }
}

void HistoryPage::askAll() {
    m_stale = false;
    m_retry.stop();
    askFirstPage();
    askChart();
    askSummary();
}

void HistoryPage::askChart() {
    if (!isVisible()) return;
    m_chart->setLoading();
    m_chartTicket = m_context.bridge->ask<evidence::PresetSeries>(
        [filter = m_query.chartFilter(m_context.view->range()), points = m_chart->usefulPoints()](HistoryReader& reader, const CancelToken& cancel) {
            return reader.presetsOverTime(filter, points, cancel);
        },
        [this](const Result<evidence::PresetSeries>& answer) { takeChart(answer); });
    m_eventsTicket = askEvents(*m_context.bridge, m_context.view->range(), [this](auto events) { m_chart->setEvents(std::move(events)); });
}

void HistoryPage::takeChart(const Result<evidence::PresetSeries>& answer) {
    if (!answer) {
        const HistoryMessage why = explain(answer.error());
        return m_chart->setMessage(why.title, why.explanation);
    }
    const HistoryMessage nothing = whyNothing();
    if (answer->total == 0) m_chart->setMessage(nothing.title, nothing.explanation);
    else m_chart->setSeries(toTimeSeries(*answer));
    showCount();
}

void HistoryPage::askSummary() {
    if (!isVisible()) return;
    m_summaryTicket = m_context.bridge->ask<evidence::HistorySummary>(
        [range = m_context.view->range()](HistoryReader& reader, const CancelToken& cancel) { return reader.summary(range, cancel); },
        [this](const Result<evidence::HistorySummary>& answer) {
            if (!answer) {
                Q_EMIT answerChanged(explain(answer.error()).title + QStringLiteral(". ") + tr("The table shows the decisions of this session only."));
                return;
            }
            const auto range = m_context.view->range();
            const QString when = m_context.view->isLive() ? tr("the last %1").arg(format::seconds(m_context.view->span())) : rangeText(range);
            Q_EMIT answerChanged(summarySentence(*answer, when));
        });
}

void HistoryPage::askFirstPage() {
    m_shown = m_query.tableFilter(m_context.view->range());
    // What happens until the answer comes belongs to the range, too.
    auto filter = m_shown;
    if (m_context.view->isLive() && !m_query.slice) filter.range.to = format::now() + 1s;
    m_moreTicket.reset();
    m_newestTicket.reset();
    m_searchStopped = false;
    m_found = 0;
    m_pageTicket = m_context.bridge->ask<evidence::HistoryPage>(
        [filter](HistoryReader& reader, const CancelToken& cancel) { return reader.page(filter, std::nullopt, kPageRows, cancel); },
        [this](Result<evidence::HistoryPage> answer) { takeFirstPage(std::move(answer)); });
}

void HistoryPage::takeFirstPage(Result<evidence::HistoryPage> answer) {
    if (!answer) {
        m_nothing->setTexts(explain(answer.error()).title, tr("This session has decided nothing that matches."));
        if (std::exchange(m_readable, false)) showSession();
        return;
    }
    m_readable = true;
    m_isBehind = m_catchUp.isActive();  // then what was skipped may still be on its way
    noteNewest(answer);
    m_readTo = m_newestRead;
    const HistoryMessage nothing = whyNothing();
    m_nothing->setTexts(nothing.title, nothing.explanation);
    const auto to = answer->searchedTo;
    const std::size_t found = answer->rows.size();
    m_model->setFirst(std::move(*answer));
    // The newest may still be on their way into the database.
    if (!m_isBehind) addLive(m_context.bridge->ownRecent());
    searched(to, found);
    if (m_selected) m_view->selectSourceRow(m_model->rowOf(*m_selected));
}

// What another process recorded: it takes its places above what is being read, unless so much came that a page does not
// reach down to what is here. A search that ended early goes on until it does.
void HistoryPage::askNewest(const std::optional<evidence::PageKey>& after) {
    auto filter = m_shown;
    if (m_context.view->isLive() && !m_query.slice) filter.range.to = format::now() + 1s;
    m_newestTicket = m_context.bridge->ask<evidence::HistoryPage>(
        [filter, after](HistoryReader& reader, const CancelToken& cancel) { return reader.page(filter, after, kPageRows, cancel); },
        [this, isFirst = !after](Result<evidence::HistoryPage> answer) { takeNewest(std::move(answer), isFirst); });
}

void HistoryPage::takeNewest(Result<evidence::HistoryPage> answer, bool isFirst) {
    const bool isBelow = answer && (!answer->next || answer->next->createdAt <= m_readTo);
    if (!answer || (isFirst && !isBelow && !answer->searchedTo)) {
        // What was still to come belongs to the rows that go now.
        m_moreTicket.reset();
        m_searchStopped = false;
        m_found = 0;
        return takeFirstPage(std::move(answer));
    }
    if (isFirst) noteNewest(answer);
    std::vector<RecordPtr> records;
    for (auto& record : answer->rows) records.push_back(std::make_shared<const evidence::DecisionRecord>(std::move(record)));
    addLive(records);
    showCount();
    if (!isBelow) return askNewest(answer->next);
    m_readTo = m_newestRead;
}

// Without a row at the top, what was recorded by now is read all the same; but a row may come a little later than its time.
void HistoryPage::noteNewest(const Result<evidence::HistoryPage>& answer) {
    m_newestRead = format::now() - kLateRows;
    if (!answer->rows.empty()) m_newestRead = std::max(m_newestRead, answer->rows.front().createdAt);
}

void HistoryPage::searched(const std::optional<Timestamp>& to, std::size_t found) {
    m_searchedTo = to;
    m_found = to ? m_found + found : 0;
    const bool goesOn = to && m_found < kPageRows && !m_searchStopped;
    m_search->setVisible(to.has_value());
    m_search->setText(goesOn ? tr("Stop searching") : tr("Search further back"));
    showCount();
    if (goesOn) m_model->fetchMore({});
}

void HistoryPage::stopOrGoOn() {
    const bool stops = m_moreTicket != nullptr && !m_searchStopped && m_found < kPageRows;
    m_searchStopped = stops;
    if (stops) {
        m_moreTicket.reset();  // its question is called off
        m_model->appendFailed();
    } else {
        m_found = 0;
    }
    searched(m_searchedTo, 0);
}

void HistoryPage::askMore(const evidence::PageKey& after) {
    m_moreTicket = m_context.bridge->ask<evidence::HistoryPage>(
        [filter = m_shown, after](HistoryReader& reader, const CancelToken& cancel) { return reader.page(filter, after, kPageRows, cancel); },
        [this](Result<evidence::HistoryPage> answer) {
            m_moreTicket.reset();
            if (answer) {
                const auto to = answer->searchedTo;
                const std::size_t found = answer->rows.size();
                m_model->append(std::move(*answer));
                return searched(to, found);
            }
            m_model->appendFailed();
            m_context.complain(answer.error());
        });
}

// Asks again soon: nothing is lost while the database is away.
HistoryMessage HistoryPage::explain(const Error& error) {
    if (isVisible()) m_retry.start();
    else m_stale = true;
    return unreadable(m_context.bridge->ownStatus().evidence, error);
}

HistoryMessage HistoryPage::whyNothing() const {
    return nothingFound(m_context.bridge->ownStatus(), !m_query.isUnfiltered(), m_context.bridge->looksElsewhere());
}

// What stays readable without a database.
void HistoryPage::showSession() {
    m_shown = m_query.tableFilter(m_context.view->range());
    m_isBehind = false;
    m_model->clear();
    m_searchedTo.reset();
    m_search->hide();
    addLive(m_context.bridge->ownRecent());
    showCount();
}

void HistoryPage::follow(const std::vector<RecordPtr>& records, quint64 skipped) {
    if (!m_context.view->isLive()) return;
    if (skipped > 0 && m_readable) fallBehind();
    if (!m_isBehind) addLive(records);
    if (m_readable && !m_settle.isActive()) m_settle.start();
}

// More came than the console was handed. The database has all of them, a little later.
void HistoryPage::fallBehind() {
    m_isBehind = true;
    m_skippedAgain = m_catchUp.isActive();
    if (!m_skippedAgain) waitUntilStored();
    showCount();
}

void HistoryPage::waitUntilStored() {
    const evidence::EvidenceStatus evidence = m_context.bridge->ownStatus().evidence;
    m_storedThen = evidence.stored + evidence.backlogRecords;
    m_storedSeen = evidence.stored;
    m_looksInVain = 0;
    m_skippedAgain = false;
    m_catchUp.start();
}

void HistoryPage::catchUp() {
    const evidence::EvidenceStatus evidence = m_context.bridge->ownStatus().evidence;
    // Fewer are known altogether where the gateway began anew.
    const bool isOnItsWay = evidence.stored < m_storedThen && m_storedThen <= evidence.stored + evidence.backlogRecords;
    // A record that was set aside is never stored, and stays in the backlog.
    m_looksInVain = evidence.stored == m_storedSeen ? m_looksInVain + 1 : 0;
    m_storedSeen = evidence.stored;
    if (isOnItsWay && m_looksInVain < kMostLooksInVain) return m_catchUp.start();
    if (m_skippedAgain) waitUntilStored();
    readWhatWasSkipped();
}

// Whoever has scrolled down is reading, and what is in view stays until they are back at the top.
void HistoryPage::readWhatWasSkipped() {
    if (m_isBehind && !isReadBelow()) askFirstPage();
}

bool HistoryPage::isReadBelow() const { return m_view->verticalScrollBar()->value() > 0; }

void HistoryPage::addLive(const std::vector<RecordPtr>& records) {
    auto filter = m_shown;
    if (m_context.view->isLive() && !m_query.slice) filter.range.to = Timestamp::max();
    std::vector<RecordPtr> wanted;
    for (const RecordPtr& record : records)
        if (matches(filter, *record)) wanted.push_back(record);
    if (wanted.empty()) return;
    // Whoever has scrolled down is reading: the rows above grow without moving what is in view.
    QScrollBar* bar = m_view->verticalScrollBar();
    const int place = bar->value(), before = m_model->rows();
    m_model->addLive(std::move(wanted));
    if (place > 0) bar->setValue(place + (m_model->rows() - before) * m_view->rowHeight(0));
}

void HistoryPage::showCount() {
    if (!m_readable) return m_decisions->setNote(tr("newest first; of this session only"));
    const TimeSeries& series = m_chart->series();
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < series.starts.size(); ++i) {
        const auto bucket = series.rangeOf(i);
        if (m_query.slice && (bucket.from < m_query.slice->from || bucket.to > m_query.slice->to)) continue;
        for (const auto& line : series.lines)
            if (!m_query.preset || (line.kind != TimeSeries::Kind::rest && format::utf8(line.entity) == *m_query.preset)) count += line.counts[i];
    }
    count = std::max<std::uint64_t>(count, static_cast<std::uint64_t>(m_model->rows()));
    QString note = tr("%1, newest first").arg(boundedCount(count));
    if (m_isBehind && isReadBelow()) note = tr("%1; more came at once: scroll to the top").arg(note);
    if (!m_searchedTo) return m_decisions->setNote(note);
    const bool today = format::now() - *m_searchedTo < std::chrono::hours(12);
    m_decisions->setNote(tr("%1; searched back to %2").arg(note, today ? format::clockTime(*m_searchedTo).left(5) : format::dateTime(*m_searchedTo)));
}

void HistoryPage::goToPoint(const evidence::TimeRange& range, int line) {
    HistoryQuery query = m_query;
    query.slice = range;
    if (line >= 0 && m_chart->series().lines[static_cast<std::size_t>(line)].kind != TimeSeries::Kind::rest)
        query.preset = format::utf8(m_chart->series().lines[static_cast<std::size_t>(line)].entity);
    setQuery(query);
}

void HistoryPage::emphasise(int line) {
    const auto& chosen = m_chart->series().lines[static_cast<std::size_t>(line)];
    if (chosen.kind == TimeSeries::Kind::rest) return;
    HistoryQuery query = m_query;
    if (query.preset == format::utf8(chosen.entity)) query.preset.reset();
    else query.preset = format::utf8(chosen.entity);
    setQuery(query);
}

void HistoryPage::select(const DecisionId& id) {
    m_selected = id;
    if (const int row = m_model->rowOf(id); row >= 0) return m_view->selectSourceRow(row);
    askDecision(id);
}

static RecordPtr recordAmong(const std::vector<RecordPtr>& records, const DecisionId& id) {
    const auto found = std::find_if(records.begin(), records.end(), [&id](const RecordPtr& record) { return record->id == id; });
    return found == records.end() ? nullptr : *found;
}

void HistoryPage::askDecision(const DecisionId& id) {
    m_findTicket.reset();
    if (const RecordPtr known = recordAmong(m_context.bridge->ownRecent(), id)) return inspect(known);
    // A live one of another gateway, as its pages lead here with: its receipt can be shown, a place in this table it has not.
    if (const RecordPtr live = recordAmong(m_context.bridge->recent(), id)) {
        const QString whose = tr("This is a live decision of %1").arg(format::text(m_context.bridge->status().name));
        // It may be the one that records what is read here; then the row follows.
        m_context.say(onlyObserves(m_context.bridge->ownStatus().evidence) ? whose : tr("%1; it is not among those on this page").arg(whose));
        return inspect(live, liveReceiptTitle(*m_context.bridge));
    }
    m_findTicket = m_context.bridge->ask<std::optional<evidence::DecisionRecord>>(
        [id](HistoryReader& reader, const CancelToken& cancel) { return reader.find(id, cancel); },
        [this, id](Result<std::optional<evidence::DecisionRecord>> answer) {
            if (!answer) return m_context.complain(answer.error());
            if (!*answer) return m_context.say(notInHistory(id));
            inspect(std::make_shared<const evidence::DecisionRecord>(std::move(**answer)));
        });
}

QString HistoryPage::notInHistory(const DecisionId& id) const {
    const QString words = tr("%1 is not in the history").arg(format::text(id.text()));
    if (!m_context.bridge->looksElsewhere()) return words;
    return words + QStringLiteral("; ") + tr("one that %1 keeps elsewhere is not read here").arg(format::text(m_context.bridge->status().name));
}

void HistoryPage::inspect(RecordPtr record, const QString& title) {
    m_selected = record->id;
    auto* receipt = new ReceiptView;
    receipt->setRecord(std::move(record), m_context.document->workspace());
    m_context.inspect(receipt, title.isEmpty() ? tr("Receipt") : title);
}

void HistoryPage::openReceipt(int row) {
    auto record = m_model->at(row);
    if (!record) return;
    if (m_receipt == nullptr) m_receipt = new ReceiptDialog(this);
    m_receipt->setRecord(std::move(record), m_context.document->workspace());
    m_receipt->show();
    m_receipt->raise();
}

}  // namespace signalbox::ui
