// SPDX-License-Identifier: MIT
#include "ui/pages/endpoints/endpoints_page.h"

#include "ui/bridge/status_words.h"
#include "ui/document/gateway_control.h"
#include "ui/pages/endpoints/endpoint_sheet.h"
#include "ui/pages/endpoints/endpoints_model.h"
#include "ui/pages/endpoints/models_hint.h"
#include "ui/pages/endpoints/pool_sheet.h"
#include "ui/pages/endpoints/topology_view.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"

#include <QAction>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace signalbox::ui {

using engine::EndpointAction;

static const QString kEndpoint = QStringLiteral("endpoint"), kPool = QStringLiteral("pool");

EndpointsPage::EndpointsPage(PageContext context, QWidget* parent)
    : Page(std::move(context), parent), m_model(new EndpointsModel(this)), m_table(new TableView(tr("Endpoints"))), m_engines(new TableView(tr("What the engines say"))), m_tabs(new QTabBar), m_topology(new TopologyView), m_hint(new ModelsHint),
      m_banner(new ErrorBanner), m_empty(new EmptyState(QStringLiteral("endpoints"), {}, {})), m_stack(new QStackedWidget) {
    makeActions();
    makeLayout();
    connectSources();
    refresh();
}

EndpointsPage::~EndpointsPage() = default;

void EndpointsPage::makeActions() {
    const auto add = [this](const QString& text, EndpointAction does) {
        auto* action = new QAction(text, this);
        connect(action, &QAction::triggered, this, [this, does] { want(does); });
        m_actions << action;
    };
    add(tr("Drain the selected endpoint"), EndpointAction::drain);
    add(tr("Take the selected endpoint back"), EndpointAction::undrain);
    add(tr("Open the selected endpoint's circuit"), EndpointAction::trip);
    add(tr("Close the selected endpoint's circuit"), EndpointAction::reset);
}

QWidget* EndpointsPage::makeTable() {
    m_table->setObjectName(QStringLiteral("endpointsTable"));
    m_engines->setObjectName(QStringLiteral("enginesTable"));
    m_table->setSortableModel(m_model);
    m_engines->setSortableModel(m_model);
    for (TableView* table : {m_table, m_engines}) {
        m_noEndpoints << makeMuted({});  // there is too little room for more in a small window
        m_noEndpoints.last()->setAlignment(Qt::AlignCenter);
        m_noEndpoints.last()->setMargin(Theme::kMargin);
        table->setEmptyState(m_noEndpoints.last());
    }
    for (int column = EndpointsModel::InFlight; column < m_model->columnCount(); ++column) (EndpointsModel::isEngineColumn(column) ? m_table : m_engines)->setColumnHidden(column, true);
    m_tabs->setAccessibleName(tr("Whose numbers"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->addTab(tr("As the gateway sees them"));
    m_tabs->addTab(tr("What their engines say"));
    auto* section = new Section(tr("Endpoints"));
    // None of them is of the range at the top right, which the circuit's history in the inspector follows.
    const auto note = [section](int tab) {
        section->setNote(tab == 0 ? tr("times: last 15 min, else last day; errors: since the start") : QString());
    };
    note(0);
    connect(m_tabs, &QTabBar::currentChanged, section, note);
    section->addControl(m_tabs);
    auto* tables = new QStackedWidget;
    tables->addWidget(m_table);
    tables->addWidget(m_engines);
    section->body()->addWidget(tables, 1);
    connect(m_tabs, &QTabBar::currentChanged, tables, &QStackedWidget::setCurrentIndex);
    return section;
}

void EndpointsPage::makeLayout() {
    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    auto* canvas = new QWidget;
    canvas->setProperty("role", QStringLiteral("canvas"));
    auto* drawn = new QVBoxLayout(canvas);
    drawn->setContentsMargins(0, 0, 0, 0);
    drawn->addWidget(m_hint);
    drawn->addWidget(m_topology);
    drawn->addStretch();
    area->setWidget(canvas);
    m_picture = new Section(tr("Who serves what"));
    m_picture->body()->addWidget(area, 1);

    auto* content = new QSplitter(Qt::Vertical);
    content->setChildrenCollapsible(false);
    content->setHandleWidth(Theme::kMargin);
    content->addWidget(m_picture);
    content->addWidget(makeTable());
    content->setStretchFactor(0, 3);
    content->setStretchFactor(1, 2);
    content->setSizes({420, 280});
    auto* framed = new QWidget;
    auto* inner = new QVBoxLayout(framed);
    inner->setContentsMargins(Theme::kSection, 0, Theme::kSection, Theme::kMargin);
    inner->addWidget(content);
    m_stack->addWidget(framed);
    m_stack->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGapWide);
    layout->addWidget(m_banner);
    layout->addWidget(m_stack, 1);
}

void EndpointsPage::connectSources() {
    connect(&m_context.bridge->fleet(), &Fleet::changed, this, &EndpointsPage::refresh);
    connect(m_context.bridge, &Bridge::statusChanged, this, &EndpointsPage::refresh);
    connect(m_context.bridge, &Bridge::targetChanged, this, [this] {
        ++m_look;
        m_banner->dismiss();  // its question was about another gateway's endpoint
        letGo();
    });
    connect(m_context.view, &ViewState::rangeChanged, this, [this] {
        if (isVisible() && m_endpointSheet) askEvents();
    });
    m_offerEnds.setObjectName(QStringLiteral("offerEnds"));
    m_offerEnds.setParent(this);
    m_offerEnds.setSingleShot(true);
    connect(&m_offerEnds, &QTimer::timeout, this, &EndpointsPage::endOffer);
    connect(m_banner, &ErrorBanner::dismissed, this, [this] {
        m_offer.reset();
        m_tellsGone = false;
    });
    connect(m_topology, &TopologyView::opened, this, &EndpointsPage::openNode);
    const auto inspectRow = [this](int row) {
        if (const EndpointRow* endpoint = m_model->at(row)) inspectEndpoint(format::text(endpoint->health.endpointId));
    };
    for (TableView* table : {m_table, m_engines}) {
        connect(table, &TableView::rowSelected, this, inspectRow);
        connect(table, &TableView::rowOpened, this, inspectRow);
        // A click on the row that is chosen already brings its sheet back where it was closed.
        connect(table, &TableView::clicked, this, [table, inspectRow](const QModelIndex& index) { inspectRow(table->sourceRowAt(index.row())); });
    }
    connect(m_hint, &ModelsHint::copied, this, [this] { m_context.say(tr("The snippet was copied")); });
    connect(m_empty, &EmptyState::triggered, this, [this] { m_context.gateway->startAction()->trigger(); });
}

void EndpointsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    m_shownAt = SystemClock().steady();
    m_interest = m_context.bridge->fleet().follow();
}

void EndpointsPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    m_interest.reset();
}

void EndpointsPage::open(const QVariantMap& arguments) {
    if (arguments.contains(kPool)) inspectPool(arguments.value(kPool).toString());
    else if (arguments.contains(kEndpoint)) inspectEndpoint(arguments.value(kEndpoint).toString());
}

QVariantMap EndpointsPage::state() const {
    if (!m_pool.isEmpty()) return {{kPool, m_pool}};
    if (!m_endpoint.isEmpty()) return {{kEndpoint, m_endpoint}};
    return {};
}

QList<Page::Findable> EndpointsPage::findables() const {
    QList<Findable> all;
    for (const EndpointRow& row : m_model->all()) all << Findable{format::text(row.health.endpointId), tr("endpoint"), {{kEndpoint, format::text(row.health.endpointId)}}};
    for (const auto& pool : m_context.bridge->fleet().state().pools) all << Findable{format::text(pool.id), tr("pool"), {{kPool, format::text(pool.id)}}};
    return all;
}

// Before the gateway has told its endpoints the frame stands and says that it is being filled.
void EndpointsPage::refresh() {
    const FleetState& state = m_context.bridge->fleet().state();
    m_model->set(endpointRows(state));
    judgeOffer();
    const auto gatewayState = m_context.bridge->status().state;
    const bool isRunning = gatewayState == engine::GatewayState::running || gatewayState == engine::GatewayState::draining;
    m_stack->setCurrentIndex(isRunning ? 0 : 1);
    if (!isRunning) return showEmpty();
    showTopology();
    sayNoEndpoints(state.endpointsTold);
    for (QAction* action : std::as_const(m_actions)) action->setEnabled(m_model->find(m_endpoint) != nullptr);
    refreshInspector();
    Q_EMIT answerChanged(state.endpointsTold ? fleetSentence(m_model->all()) : tr("The gateway runs; it is being asked for its endpoints…"));
}

void EndpointsPage::sayNoEndpoints(bool isTold) {
    for (QLabel* none : std::as_const(m_noEndpoints))
        none->setText(isTold ? tr("The running policy has no endpoint. Its providers, and the models that they list, stand in gateway.toml.")
                             : tr("The gateway is being asked for its endpoints."));
}

void EndpointsPage::showEmpty() {
    if (m_context.bridge->status().remote) return showNotHeard();
    const auto gatewayState = m_context.bridge->status().state;
    m_empty->setTexts(tr("The gateway does not run"), tr("Here you see what serves while it runs: models, their routers and endpoints, with what is in flight, slots, quotas and circuits. Nothing is asked of a provider "
                                                         "while it stands still."));
    m_empty->setAction(gatewayState == engine::GatewayState::starting || !m_context.gateway->startAction()->isEnabled() ? QString() : tr("Start the gateway"));
    for (QAction* action : std::as_const(m_actions)) action->setEnabled(false);
    Q_EMIT answerChanged(tr("Nothing serves: the gateway is not running."));
}

// A gateway elsewhere that cannot be asked: what it had is not shown as if it were so now.
void EndpointsPage::showNotHeard() {
    const StatusWords words = gatewayWords(m_context.bridge->status());
    m_empty->setTexts(words.sentence, words.explanation);
    m_empty->setAction({});
    for (QAction* action : std::as_const(m_actions)) action->setEnabled(false);
    Q_EMIT answerChanged(words.sentence + QLatin1Char('.'));
}

void EndpointsPage::showTopology() {
    const FleetState& state = m_context.bridge->fleet().state();
    const auto running = m_context.bridge->running();
    m_topology->setTopology(topologyOf(m_model->all(), state.pools, running.get()));
    m_hint->setVisible(state.poolsTold && state.pools.empty());
    m_picture->setNote(state.pools.empty() ? QString() : tr("percentages: each router's present draw; they total 100 %"));
}

void EndpointsPage::openNode(int node) {
    const TopologyNode& chosen = m_topology->topology().nodes[static_cast<std::size_t>(node)];
    switch (chosen.kind) {
    case TopologyNode::Kind::model:
    case TopologyNode::Kind::router: return inspectPool(chosen.key);
    case TopologyNode::Kind::endpoint: return inspectEndpoint(chosen.key);
    case TopologyNode::Kind::direct: return m_context.go(chosen.page, {});
    }
}

const dispatch::PoolView* EndpointsPage::pool(const QString& poolId) const {
    for (const auto& pool : m_context.bridge->fleet().state().pools)
        if (format::text(pool.id) == poolId) return &pool;
    return nullptr;
}

const config::Model* EndpointsPage::modelOf(const QString& poolId) const {
    const auto running = m_context.bridge->running();
    if (!running) return nullptr;
    for (const config::Model& model : running->config->models)
        if (format::text(model.id) == poolId) return &model;
    return nullptr;
}

bool EndpointsPage::knows(bool FleetState::*told) const {
    const FleetState& state = m_context.bridge->fleet().state();
    return m_interest && state.*told && state.readSteady >= m_shownAt;
}

void EndpointsPage::inspectEndpoint(const QString& endpointId) {
    if (endpointId == m_endpoint && m_endpointSheet && m_endpointSheet->isVisible()) return;
    const EndpointRow* row = m_model->find(endpointId);
    if (row == nullptr && knows(&FleetState::endpointsTold)) return tellEndpointGone(endpointId);
    stopTellingGone();
    if (row == nullptr) letGo();  // it comes with the next answer
    m_endpoint = endpointId;
    m_pool.clear();
    m_topology->mark(TopologyNode::Kind::endpoint, endpointId);
    for (TableView* table : {m_table, m_engines}) {
        const QSignalBlocker quiet(table);
        table->selectSourceRow(m_model->rowOf(endpointId));
    }
    if (row == nullptr) return;
    auto* sheet = new EndpointSheet;
    m_endpointSheet = sheet;
    sheet->show(*row);
    connect(sheet, &EndpointSheet::actionWanted, this, &EndpointsPage::want);
    connect(sheet, &EndpointSheet::poolWanted, this, &EndpointsPage::inspectPool);
    connect(sheet, &EndpointSheet::decisionsWanted, this, [this] { m_context.go(QStringLiteral("history"), {{QStringLiteral("attempted"), m_endpoint}}); });
    m_context.inspect(sheet, endpointId);
    for (QAction* action : std::as_const(m_actions)) action->setEnabled(true);
    askEvents();
}

void EndpointsPage::inspectPool(const QString& poolId) {
    if (poolId == m_pool && m_poolSheet && m_poolSheet->isVisible()) return;
    const auto* shown = pool(poolId);
    if (shown == nullptr && knows(&FleetState::poolsTold)) return tellPoolGone(poolId);
    stopTellingGone();
    if (shown == nullptr) letGo();  // it comes with the next answer
    m_pool = poolId;
    m_endpoint.clear();
    m_ticket.reset();
    m_topology->mark(TopologyNode::Kind::model, poolId);
    chooseNoEndpoint();
    if (shown == nullptr) return;
    auto* sheet = new PoolSheet;
    m_poolSheet = sheet;
    sheet->show(*shown, modelOf(poolId));
    connect(sheet, &PoolSheet::endpointWanted, this, &EndpointsPage::inspectEndpoint);
    connect(sheet, &PoolSheet::simulationWanted, this, [this] { m_context.go(QStringLiteral("simulator"), {{QStringLiteral("model"), m_pool}}); });
    m_context.inspect(sheet, poolId);
}

void EndpointsPage::chooseNoEndpoint() {
    for (TableView* table : {m_table, m_engines}) table->clearSelection();
    for (QAction* action : std::as_const(m_actions)) action->setEnabled(false);
}

void EndpointsPage::letGo() {
    if (m_endpointSheet || m_poolSheet) m_context.inspect(nullptr, {});
    m_endpointSheet.clear();  // they go with the next turn of the event loop
    m_poolSheet.clear();
    m_endpoint.clear();
    m_pool.clear();
    m_ticket.reset();
}

// A link or the way back may name one of an earlier policy, and an apply may take one away while it is looked at.
void EndpointsPage::tellGone(const QString& what) {
    letGo();
    m_topology->mark(TopologyNode::Kind::endpoint, {});
    chooseNoEndpoint();
    m_offer.reset();
    m_banner->notice(Tone::info, what, {}, {}, {});
    m_tellsGone = true;
}

void EndpointsPage::tellEndpointGone(const QString& endpointId) {
    // A provider may be asked for models that its policy does not list.
    const auto running = m_context.bridge->running();
    const bool mayStillBeCalled = running && running->config->findProvider(format::utf8(endpointId.section(QLatin1Char(':'), 0, 0))) != nullptr;
    tellGone(mayStillBeCalled ? tr("The running policy does not list %1, and nothing has called it since the gateway started.").arg(endpointId)
                              : tr("%1 is no longer in the running policy.").arg(endpointId));
}

void EndpointsPage::tellPoolGone(const QString& poolId) { tellGone(tr("The pool %1 is no longer in the running policy.").arg(poolId)); }

void EndpointsPage::stopTellingGone() {
    if (m_tellsGone) m_banner->dismiss();
}

void EndpointsPage::refreshInspector() {
    if (const auto* shown = m_pool.isEmpty() ? nullptr : pool(m_pool)) {
        if (m_poolSheet) m_poolSheet->show(*shown, modelOf(m_pool));
        else inspectPool(m_pool);
    } else if (!m_pool.isEmpty() && knows(&FleetState::poolsTold)) tellPoolGone(QString(m_pool));
    if (const EndpointRow* row = m_endpoint.isEmpty() ? nullptr : m_model->find(m_endpoint)) {
        if (m_endpointSheet) m_endpointSheet->show(*row);
        else inspectEndpoint(m_endpoint);
    } else if (!m_endpoint.isEmpty() && knows(&FleetState::endpointsTold)) tellEndpointGone(QString(m_endpoint));
}

void EndpointsPage::askEvents() {
    // An endpoint of the same name here is another one: its circuit and its decisions tell nothing of that one. Unless another
    // process records here, which may be the one that is looked at: then the note says whose records these are.
    const bool isObserver = m_context.bridge->looksElsewhere() && onlyObserves(m_context.bridge->ownStatus().evidence);
    if (m_context.bridge->looksElsewhere() && !isObserver) {
        m_ticket.reset();
        return m_endpointSheet->showNoHistory(tr("Only the history of this console's own workspace is read here, not one that %1 keeps.").arg(format::text(m_context.bridge->status().name)));
    }
    using evidence::EventKind;
    using Events = std::vector<evidence::Event>;
    evidence::EventFilter filter{.range = m_context.view->range()};
    filter.kinds = {EventKind::circuitOpened, EventKind::circuitClosed, EventKind::trip, EventKind::reset, EventKind::drain, EventKind::undrain};
    filter.subject = format::utf8(m_endpoint);
    const auto range = filter.range;
    m_ticket = m_context.bridge->ask<Events>(
        [filter](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) -> Result<Events> {
            auto page = reader.events(filter, std::nullopt, kMostCircuitEvents, cancel);
            if (!page) return tl::unexpected(page.error());
            return std::move(page->rows);
        },
        [this, range, isObserver](Result<Events> events) {
            const QString when = m_context.view->isLive() ? tr("last %1").arg(format::seconds(m_context.view->span()))
                                                          : tr("%1 to %2").arg(format::dateTime(range.from), format::dateTime(range.to));
            if (m_endpointSheet) m_endpointSheet->showEvents(events, isObserver ? tr("%1, as recorded for this workspace").arg(when) : when);
        });
}

}  // namespace signalbox::ui
