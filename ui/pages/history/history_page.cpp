// SPDX-License-Identifier: MIT
// What the page shows; what it asks stands in history_asking.cpp.
#include "ui/pages/history/history_page.h"

#include "ui/charts/time_chart.h"
#include "ui/document/policy_document.h"
#include "ui/pages/history/filter_bar.h"
#include "ui/pages/history/history_model.h"
#include "ui/pages/history/row_menu.h"
#include "ui/pages/whose_records.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/receipt/receipt_dialog.h"
#include "ui/widgets/receipt/receipt_view.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"

#include <QAction>
#include <QMenu>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollBar>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace signalbox::ui {

using namespace std::chrono_literals;

HistoryPage::HistoryPage(PageContext context, QWidget* parent)
    : Page(std::move(context), parent),
      m_tail([bridge = m_context.bridge] { return bridge->ownStatus().evidence; }, m_context.bridge->ownRecent(), HistoryModel::kMostRows),
      m_model(new HistoryModel(this)), m_chart(new TimeChart(tr("Which presets served my requests over time?"))),
      m_filters(new FilterBar), m_decisions(new Section(tr("Decisions"))), m_search(makeButton(tr("Stop searching"))),
      m_view(new TableView(tr("Decisions, newest first"))),
      m_nothing(new EmptyState(QStringLiteral("history"), {}, {})), m_filterAction(new QAction(tr("Add a filter…"), this)),
      m_eventsAction(new QAction(tr("What was done"), this)) {
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
    m_eventsAction->setObjectName(QStringLiteral("history.events"));
    m_eventsAction->setToolTip(tr("Applies, modes, drains and notes in this range, and by whom"));
    connect(m_eventsAction, &QAction::triggered, this, [this] { m_context.go(QStringLiteral("events"), {}); });
    m_decisions->addControl(new ActionButton(m_eventsAction, QStringLiteral("flag"), ButtonRole::quiet));
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
    m_catchUp.setInterval(LiveTail::kLookPause);
    connect(&m_settle, &QTimer::timeout, this, [this] {
        askChart();
        askSummary();
    });
    connect(&m_retry, &QTimer::timeout, this, &HistoryPage::askAll);
    connect(&m_catchUp, &QTimer::timeout, this, &HistoryPage::catchUp);
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        if (m_tail.isBehind() && !isReadBelow()) catchUp();
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
        if (auto record = m_isMovingRows ? nullptr : m_model->at(row)) {
            m_isSought = false;
            m_findTicket.reset();  // the receipt that is still on its way was wanted before this one
            inspect(std::move(record));
        }
    });
    // A click on the row that is chosen already brings its receipt back where it was closed, or gave way to another page's.
    connect(m_view, &TableView::clicked, this, [this](const QModelIndex& index) {
        const auto record = m_model->at(index.row());
        if (record && m_selected == record->id && (m_sheet == nullptr || !m_sheet->isVisible())) inspect(record);
    });
    connect(m_view, &TableView::rowOpened, this, &HistoryPage::openReceipt);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_view, &TableView::customContextMenuRequested, this, &HistoryPage::openRowMenu);
    m_view->viewport()->installEventFilter(this);
}

void HistoryPage::connectChart() {
    connect(m_chart, &TimeChart::rangeChosen, m_context.view, &ViewState::setRange);
    connect(m_chart, &TimeChart::pointChosen, this, &HistoryPage::goToPoint);
    connect(m_chart, &TimeChart::lineChosen, this, &HistoryPage::emphasise);
    connect(m_chart, &TimeChart::said, this, [this](const QString& text) { m_context.say(text); });
    connect(m_chart, &TimeChart::failed, this, [this](const Error& error) { m_context.complain(error); });
}

QList<QAction*> HistoryPage::pageActions() const { return QList<QAction*>{m_filterAction, m_eventsAction} + m_chart->chartActions(); }

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
    for (const int column : {M::Status, M::Team, M::Total, M::Tokens, M::Cost, M::Endpoint, M::Rule}) {
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
    m_filters->setNames([this] { return filterNames(m_context.document->workspace(), recordsAtHand()); });
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

// What stays readable without a database.
void HistoryPage::showSession() {
    m_shown = m_query.tableFilter(m_context.view->range());
    m_tail.beginWithout();
    // What is still to come belongs to the rows that go now.
    m_moreTicket.reset();
    m_newestTicket.reset();
    m_model->clear();
    m_searchedTo.reset();
    m_searchStopped = false;
    m_found = 0;
    m_search->hide();
    addLive(m_context.bridge->ownRecent());
    showCount();
}

bool HistoryPage::isReadBelow() const { return m_view->verticalScrollBar()->value() > 0; }

void HistoryPage::addLive(const std::vector<RecordPtr>& records) {
    auto filter = m_shown;
    if (m_context.view->isLive() && !m_query.slice) filter.range.to = Timestamp::max();
    std::vector<RecordPtr> wanted;
    for (const RecordPtr& record : records)
        if (matches(filter, *record)) wanted.push_back(record);
    if (wanted.empty()) return;
    // Whoever has scrolled down is reading: rows come in without moving what is in view.
    QScrollBar* bar = m_view->verticalScrollBar();
    const QPersistentModelIndex top(m_view->indexAt({0, 0}));
    const int place = bar->value(), before = top.row();
    // Where the chosen row is dropped, a neighbour that nobody has chosen would take its place and its receipt's.
    const QPersistentModelIndex chosen(m_view->currentIndex());
    const bool wasChosen = chosen.isValid();
    m_isMovingRows = true;
    m_model->addLive(std::move(wanted));
    if (wasChosen && !chosen.isValid()) m_view->selectionModel()->clear();
    m_isMovingRows = false;
    if (place > 0) bar->setValue(place + (top.row() - before) * m_view->rowHeight(0));
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
    if (m_tail.isBehind() && isReadBelow()) note = tr("%1; more came at once: scroll to the top").arg(note);
    else if (m_tail.isBehind()) note = tr("%1; some are still on their way into the history").arg(note);
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
    const int row = m_model->rowOf(id);
    m_isSought = row < 0;
    if (row < 0) return askDecision(id);
    m_view->selectSourceRow(row);
    if (m_sheet == nullptr || m_sheet->record()->id != id || !m_sheet->isVisible()) inspect(m_model->at(row));  // it was the current row all along
}

static bool saysTheSame(const evidence::DecisionRecord& a, const evidence::DecisionRecord& b) {
    return evidence::encodeRecord(a) == evidence::encodeRecord(b);
}

void HistoryPage::reselect() {
    const int row = m_selected ? m_model->rowOf(*m_selected) : -1;
    if (row < 0) return;
    const bool isAtHand = m_sheet != nullptr && m_sheet->record()->id == *m_selected;  // else on its way, or another page's stands there
    if (!isAtHand && m_isSought) return m_view->selectSourceRow(row);
    m_isMovingRows = true;
    m_view->setAutoScroll(false);
    m_view->selectionModel()->setCurrentIndex(m_model->index(row, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_view->setAutoScroll(true);
    m_isMovingRows = false;
    if (std::exchange(m_isSought, false)) m_view->scrollTo(m_view->currentIndex());
    if (isAtHand && !saysTheSame(*m_sheet->record(), *m_model->at(row))) m_sheet->setRecord(m_model->at(row), m_context.document->workspace());
}

void HistoryPage::inspect(RecordPtr record, const QString& title) {
    m_selected = record->id;
    auto* receipt = new ReceiptView;
    m_sheet = receipt;
    receipt->setRecord(std::move(record), m_context.document->workspace());
    m_context.inspect(receipt, title.isEmpty() ? tr("Receipt") : title);
}

// The menu key asks at the current row.
void HistoryPage::openRowMenu(const QPoint& at) {
    const auto record = m_model->at(m_view->indexAt(at).row());
    if (!record) return;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("rowMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillRowMenu(menu, *record, m_query, [this](const HistoryQuery& query) { setQuery(query); });
    menu->addSeparator();
    menu->addAction(tr("Open the receipt"), this, [this, id = record->id] { openReceipt(m_model->rowOf(id)); });
    menu->popup(m_view->viewport()->mapToGlobal(at));
}

// The rows, and what came live: where a filter holds, the rows are all alike.
std::vector<RecordPtr> HistoryPage::recordsAtHand() const {
    std::vector<RecordPtr> records = m_context.bridge->ownRecent();
    for (int row = 0; row < m_model->rows(); ++row) records.push_back(m_model->at(row));
    return records;
}

QList<Page::Findable> HistoryPage::findables() const {
    QList<Findable> all;
    for (const std::string& team : teamNames(m_context.document->workspace(), recordsAtHand()))
        all << Findable{tr("Requests of team %1").arg(format::text(team)), tr("team"), {{QStringLiteral("team"), format::text(team)}}};
    return all;
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
