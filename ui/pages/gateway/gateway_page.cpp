// SPDX-License-Identifier: MIT
#include "ui/pages/gateway/gateway_page.h"

#include "ui/bridge/refusal_words.h"
#include "ui/bridge/status_words.h"
#include "ui/document/policy_document.h"
#include "ui/models/live_decisions_model.h"
#include "ui/pages/gateway/connect_panel.h"
#include "ui/pages/gateway/refusals_model.h"
#include "ui/pages/gateway/running_view.h"
#include "ui/pages/gateway/snippet_panel.h"
#include "ui/pages/gateway/try_panel.h"
#include "ui/pages/whose_records.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fact_list.h"
#include "ui/widgets/mode_dial/mode_dial.h"
#include "ui/theme/format.h"
#include "ui/widgets/receipt/receipt_view.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/tone_label.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <utility>

namespace signalbox::ui {

static constexpr int kLeastTables = 320, kSideBySide = 940, kTablesSideBySide = 1180;

GatewayPage::GatewayPage(PageContext context, QWidget* parent)
    : Page(std::move(context), parent), m_decisions(new LiveDecisionsModel(Bridge::kRecentLimit, this)), m_refusals(new RefusalsModel(this)),
      m_decisionsView(new TableView(tr("Live decisions"))), m_refusalsView(new TableView(tr("Refused requests by reason and client"))),
      m_noRefusals(new EmptyState(QStringLiteral("check"), {}, {})),
      m_snippets(new SnippetPanel(m_context)), m_try(new TryPanel(m_context)), m_clientTabs(new QTabBar), m_clientStack(new QStackedWidget),
      m_copySnippet(new QAction(tr("Copy the client snippet"), this)), m_tryAction(new QAction(tr("Try a request"), this)) {
    makeLayout();
    connect(m_tryAction, &QAction::triggered, this, [this] { open({{QStringLiteral("try"), QString()}}); });
    connect(m_try, &TryPanel::receiptWanted, this, &GatewayPage::showReceipt);
    connect(m_copySnippet, &QAction::triggered, m_snippets, &SnippetPanel::copy);
    connect(m_context.bridge, &Bridge::decisionsArrived, this, [this](const std::vector<RecordPtr>& records, quint64 skipped) {
        m_decisions->add(records);
        m_skipped += skipped;
        followInspected();
        answer();
    });
    connect(&m_context.bridge->requests(), &LiveRequests::changed, this, &GatewayPage::showRunning);
    connect(m_context.bridge, &Bridge::statusChanged, this, &GatewayPage::refresh);
    connect(m_context.bridge, &Bridge::refusalsChanged, this, &GatewayPage::refresh);
    connect(m_context.bridge, &Bridge::targetChanged, this, [this] {
        m_decisions->reset(m_context.bridge->recent());
        m_skipped = 0;
    });
    connect(m_decisionsView, &TableView::rowSelected, this, &GatewayPage::inspectDecision);
    connect(m_decisionsView, &TableView::rowOpened, this, [this](int row) {
        if (m_decisions->runningAt(row) != nullptr) inspectDecision(row);  // no history has it yet
        else if (const auto record = m_decisions->at(row))
            m_context.go(QStringLiteral("history"), {{QStringLiteral("decision"), format::text(record->id.text())}});
    });
    connect(m_refusalsView, &TableView::rowSelected, this, &GatewayPage::inspectRefusal);
    m_decisions->add(m_context.bridge->recent());
    refresh();
}

QString GatewayPage::question() const { return tr("Which client is broken, and what should it send?"); }

void GatewayPage::makeLayout() {
    m_decisionsView->setObjectName(QStringLiteral("liveDecisions"));
    m_decisionsView->setModel(m_decisions);
    m_decisionsView->setEmptyState(new EmptyState(QStringLiteral("gateway"), tr("No request yet"),
                                                  tr("While the gateway runs, paste the snippet into a terminal: the request appears here while it runs, and stays with its decision.")));
    m_refusalsView->setObjectName(QStringLiteral("refusals"));
    m_refusalsView->setSortableModel(m_refusals);
    m_refusalsView->setEmptyState(m_noRefusals);

    auto* connection = new Section(tr("How clients reach it"));
    connection->body()->addWidget(new ConnectPanel(m_context), 1);
    m_refused = new Section(tr("Refused requests"));
    m_refused->body()->addWidget(m_refusalsView, 1);
    nameRefusals();
    m_live = new Section(tr("Requests as they happen"));
    m_live->body()->addWidget(m_decisionsView, 1);

    m_top = new QBoxLayout(QBoxLayout::LeftToRight);
    m_top->setSpacing(Theme::kSection);
    m_top->addWidget(connection, 2);
    m_top->addWidget(makeClientSection(), 3);
    m_tables = new QSplitter(Qt::Horizontal);
    m_tables->setChildrenCollapsible(false);
    m_tables->setHandleWidth(Theme::kSection);
    m_tables->addWidget(m_live);
    m_tables->addWidget(m_refused);
    m_tables->setStretchFactor(0, 3);
    m_tables->setStretchFactor(1, 2);
    m_tables->setSizes({600, 400});
    m_tables->setMinimumHeight(kLeastTables);
    auto* content = new QWidget;
    content->setProperty("role", QStringLiteral("canvas"));
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(Theme::kSection, 0, Theme::kSection, Theme::kMargin);
    layout->setSpacing(Theme::kMargin);
    layout->addWidget(makeDial());
    layout->addLayout(m_top);
    layout->addWidget(m_tables, 1);
    auto* area = new QScrollArea;
    area->setObjectName(QStringLiteral("gatewayArea"));
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(content);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(area);
}

void GatewayPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    m_interest = m_context.bridge->followRefusals();
    m_requestsInterest = m_context.bridge->requests().follow();
    followInspected();
}

void GatewayPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    m_interest.reset();
    m_requestsInterest.reset();
}

// An address has to be read whole.
void GatewayPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    m_top->setDirection(width() < kSideBySide ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    const auto way = width() < kTablesSideBySide ? Qt::Vertical : Qt::Horizontal;
    if (way == m_tables->orientation()) return;
    m_tables->setOrientation(way);
    m_tables->setMinimumHeight(way == Qt::Vertical ? 2 * kLeastTables : kLeastTables);
    m_tables->setSizes(way == Qt::Vertical ? QList<int>{kLeastTables, kLeastTables} : QList<int>{600, 400});
}

QWidget* GatewayPage::makeClientSection() {
    m_clientTabs->setAccessibleName(tr("Snippet or try"));
    m_clientTabs->setDrawBase(false);
    m_clientTabs->setExpanding(false);
    m_clientTabs->addTab(tr("Snippet"));
    m_clientTabs->addTab(tr("Try it"));
    m_clientStack->addWidget(m_snippets);
    m_clientStack->addWidget(m_try);
    connect(m_clientTabs, &QTabBar::currentChanged, m_clientStack, &QStackedWidget::setCurrentIndex);
    auto* section = new Section(tr("What a client sends"));
    section->addControl(m_clientTabs);
    section->body()->addWidget(m_clientStack, 1);
    return section;
}

void GatewayPage::open(const QVariantMap& arguments) {
    if (!arguments.contains(QStringLiteral("try"))) return;
    m_clientTabs->setCurrentIndex(1);
    m_try->begin(arguments.value(QStringLiteral("try")).toString());
}

QVariantMap GatewayPage::state() const { return m_clientTabs->currentIndex() == 1 ? QVariantMap{{QStringLiteral("try"), QString()}} : QVariantMap(); }

// It stands among the live ones for a while; the history has it for good.
void GatewayPage::showReceipt(const QString& decisionId) {
    for (int row = 0; row < m_decisions->rows(); ++row)
        if (const auto record = m_decisions->at(row); record && format::text(record->id.text()) == decisionId) {
            m_decisionsView->selectSourceRow(row);
            inspectDecision(row);
            return;
        }
    m_context.go(QStringLiteral("history"), {{QStringLiteral("decision"), decisionId}});
}

QWidget* GatewayPage::makeDial() {
    auto* dial = new ModeDial(m_context.bridge, m_context.document, m_context.gateway);
    connect(dial, &ModeDial::refused, this, [this](const Error& error) { m_context.complain(error); });
    auto* section = new Section(tr("Smart routing"));
    section->body()->addWidget(dial);
    return section;
}

void GatewayPage::refresh() {
    m_knowsRefusals = m_context.bridge->knowsRefusals();
    m_refusals->set(m_context.bridge->refusals());
    nameRefusals();
    answer();
}

void GatewayPage::nameRefusals() {
    m_refused->setNote(words::areSinceStart(m_refusals->all()) ? tr("since the gateway started") : tr("in the last hour"));
    m_noRefusals->setTexts(m_knowsRefusals ? tr("No request was refused in the last hour") : tr("Not known yet"),
                           tr("Requests that the gateway turns away are counted here by reason and client, with what would fix them."));
}

void GatewayPage::showRunning() {
    const engine::RequestsUnderWay& state = m_context.bridge->requests().state();
    // While a gateway elsewhere is asked anew, what it told before stands; `reset` takes it away with the look.
    if (state.told != engine::RequestsUnderWay::Told::notYet) m_decisions->setRunning(state.rows, SystemClock().steady());
    followInspected();
    m_live->setNote(liveNote());
}

// The receipt takes the place of the request in the inspector, as the finished row does in the table.
void GatewayPage::followInspected() {
    if (m_inspected == nullptr || !isVisible()) return;
    const int row = m_decisions->rowOf(m_inspected->id());
    if (const auto* running = m_decisions->runningAt(row)) m_inspected->set(*running, SystemClock().steady());
    else if (row >= 0) inspectDecision(row);
    else m_inspected->setGone();
}

QString GatewayPage::liveNote() const {
    QStringList parts;
    const engine::RequestsUnderWay& state = m_context.bridge->requests().state();
    if (state.told == engine::RequestsUnderWay::Told::never) parts << tr("this gateway's version tells of requests when they have ended");
    const auto underWay = static_cast<quint64>(m_decisions->runningRows()) + state.leftOut;
    if (underWay > 0 && state.leftOut == 0) parts << tr("%Ln under way", nullptr, static_cast<int>(underWay));
    if (state.leftOut > 0) parts << tr("%Ln under way, of which the oldest %1 are shown", nullptr, static_cast<int>(underWay)).arg(format::count(state.rows.size()));
    parts << (m_skipped == 0 ? tr("newest first, last %1").arg(format::count(Bridge::kRecentLimit))
              : m_context.bridge->looksElsewhere() ? tr("newest first; %1 came too fast to show").arg(format::count(m_skipped))
                                                   : tr("newest first; %1 came too fast to show and are in the history").arg(format::count(m_skipped)));
    return parts.join(QStringLiteral("; "));
}

void GatewayPage::answer() {
    const auto& status = m_context.bridge->status();
    m_live->setNote(liveNote());
    if (status.remote && status.state != engine::GatewayState::running) {
        const StatusWords words = gatewayWords(status);
        return Q_EMIT answerChanged(words.sentence + QStringLiteral(". ") + words.explanation);
    }
    if (status.state != engine::GatewayState::running) return Q_EMIT answerChanged(tr("No client can be served: the gateway is not running."));
    const QString served = tr("%1 requests served since %2, %3 in flight.")
                               .arg(format::count(status.served), format::clockTime(status.startedAt), format::count(status.inFlight));
    Q_EMIT answerChanged(whatIsBroken() + QLatin1Char(' ') + served);
}

QString GatewayPage::whatIsBroken() const {
    if (!m_knowsRefusals) return tr("What was refused is not known yet.");
    const words::MostRefused most = words::mostRefused(m_refusals->all());
    const int refused = static_cast<int>(most.ofAll);
    if (refused == 0) return tr("None was refused in the last hour.");
    if (words::areSinceStart(m_refusals->all())) return tr("%Ln request(s) refused since the gateway started; see what would fix them.", nullptr, refused);
    if (most.client.isEmpty()) return tr("%Ln request(s) refused in the last hour; see what would fix them.", nullptr, refused);
    if (most.count == most.ofAll) return tr("%Ln request(s) refused in the last hour, all from %1; see what would fix them.", nullptr, refused).arg(most.client);
    return tr("%Ln request(s) refused in the last hour, %1 of them from %2; see what would fix them.", nullptr, refused).arg(format::count(most.count), most.client);
}

void GatewayPage::inspectDecision(int row) {
    if (const auto* running = m_decisions->runningAt(row)) {
        m_inspected = new RunningView(*running, SystemClock().steady());
        return m_context.inspect(m_inspected, m_context.bridge->looksElsewhere() ? tr("Under way, at %1").arg(format::text(m_context.bridge->status().name)) : tr("Under way"));
    }
    const auto record = m_decisions->at(row);
    if (!record) return;
    auto* receipt = new ReceiptView;
    receipt->setRecord(record, m_context.document->workspace());
    m_context.inspect(receipt, liveReceiptTitle(*m_context.bridge));
}

void GatewayPage::addClient(FactList& facts, const engine::RefusalCount& refusal) {
    const auto known = [](const std::string& text) { return text.empty() ? format::none() : format::text(text); };
    if (refusal.sinceStart) return facts.addText(tr("Client"), tr("A gateway of this version does not tell clients apart."));
    if (!refusal.peer.empty()) facts.addId(tr("Address"), format::text(refusal.peer));
    if (refusal.others) return facts.addText(tr("Client"), tr("More clients than are told apart; these are the rest."));
    if (refusal.peer.empty()) facts.addText(tr("Address"), tr("not known: it had gone"));
    facts.addText(tr("User-Agent"), known(refusal.agent));
    if (refusal.principal.empty()) facts.addText(tr("Principal"), tr("not known: refused before its token told"));
    else facts.addId(tr("Principal"), format::text(refusal.principal));
}

void GatewayPage::inspectRefusal(int row) {
    const engine::RefusalCount* refusal = m_refusals->at(row);
    if (refusal == nullptr) return;
    auto* view = new QWidget;
    auto* layout = new QVBoxLayout(view);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    const int count = static_cast<int>(refusal->count);
    layout->addWidget(new ToneLabel(Tone::caution, refusal->sinceStart ? tr("%Ln request(s) refused since the gateway started", nullptr, count)
                                                                       : tr("%Ln request(s) refused in the last hour", nullptr, count)));
    layout->addWidget(makeLabel(format::text(refusal->message)));
    auto* facts = new FactList;
    facts->addId(tr("Code"), format::text(refusal->code));
    addClient(*facts, *refusal);
    facts->addText(tr("Newest"), format::dateTime(refusal->newest));
    facts->addText(tr("In UTC"), format::utc(refusal->newest));
    layout->addWidget(facts);
    m_context.inspect(view, tr("Why requests are refused"));
}

}  // namespace signalbox::ui
