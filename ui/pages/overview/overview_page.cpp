// SPDX-License-Identifier: MIT
#include "ui/pages/overview/overview_page.h"

#include "ui/document/gateway_control.h"
#include "ui/bridge/status_words.h"
#include "ui/document/policy_document.h"
#include "ui/models/live_decisions_model.h"
#include "ui/pages/overview/attention_list.h"
#include "ui/pages/overview/findings_model.h"
#include "ui/charts/time_chart.h"
#include "ui/pages/overview/running_panel.h"
#include "ui/pages/overview/start_card.h"
#include "ui/pages/overview/traffic_panel.h"
#include "ui/pages/overview/usual_panel.h"
#include "ui/pages/whose_records.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fact_list.h"
#include "ui/widgets/findings_list.h"
#include "ui/theme/format.h"
#include "ui/widgets/receipt/receipt_view.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/tone_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace signalbox::ui {

using namespace std::chrono_literals;

static constexpr std::size_t kRecentRows = 60;
static constexpr int kLeastChart = 230, kLeastTable = 140, kRoomForAll = 1000;

OverviewPage::OverviewPage(PageContext context, QWidget* parent)
    : Page(std::move(context), parent), m_findings(new FindingsModel(this)), m_recent(new LiveDecisionsModel(kRecentRows, this)),
      m_attention(new AttentionList), m_findingsView(new TableView(tr("Findings and advisories"))),
      m_recentView(new TableView(tr("Latest decisions"))), m_noDecision(new EmptyState(QStringLiteral("gateway"), {}, {})), m_usual(new UsualPanel(m_context)), m_traffic(new TrafficPanel(m_context)), m_whose(new ToneLabel) {
    makeLayout();
    connectSources();
    m_whose->setObjectName(QStringLiteral("overview.whose"));
    sayWhose();
    showFindings();
    m_recent->add(m_context.bridge->recent());
    askSummary();
    judge();
}

OverviewPage::~OverviewPage() = default;

QString OverviewPage::question() const { return tr("Is anything worse than usual, and for whom?"); }

// As high as a chart's buttons, so that a title beside it and the line below stand level with the chart's.
static QWidget* makeStrut() {
    const std::unique_ptr<QToolButton> button(makeIconButton({}, QStringLiteral("flag")));
    auto* strut = new QWidget;
    strut->setFixedSize(0, button->sizeHint().height());
    return strut;
}

void OverviewPage::makeLayout() {
    m_findingsView->setSortableModel(m_findings);
    m_findingsView->setColumnHidden(FindingsModel::Code, true);  // beside the decisions the message needs the room
    m_findingsView->setEmptyState(new EmptyState(QStringLiteral("check"), tr("Nothing to remark"),
                                                 tr("The reader and the linter found nothing to say about this policy.")));
    m_recentView->setModel(m_recent);
    for (const int hidden : {int(LiveDecisionsModel::Coverage), int(LiveDecisionsModel::Tokens), int(LiveDecisionsModel::Endpoint)})
        m_recentView->setColumnHidden(hidden, true);
    m_recentView->setEmptyState(m_noDecision);

    auto* attention = new Section(tr("Needs attention"));
    attention->addControl(makeStrut());
    attention->body()->addWidget(m_attention);
    attention->body()->addStretch();
    auto* recent = new Section(tr("Latest decisions"));
    recent->setNote(tr("newest first"));
    recent->body()->addWidget(m_recentView, 1);
    m_findingsSection = new Section(tr("What the reader and the linter say about this policy"));
    m_findingsSection->body()->addWidget(m_findingsView, 1);
    m_traffic->setMinimumHeight(kLeastChart);
    for (TableView* view : {m_recentView, m_findingsView}) view->setMinimumHeight(kLeastTable);
    const auto beside = [](QWidget* left, int leftShare, QWidget* right, int rightShare) {
        auto* row = new QHBoxLayout;
        row->setSpacing(Theme::kSection);
        row->addWidget(left, leftShare);
        row->addWidget(right, rightShare);
        return row;
    };

    auto* content = new QWidget;
    content->setProperty("role", QStringLiteral("canvas"));
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(Theme::kSection, 0, Theme::kSection, Theme::kMargin);
    layout->setSpacing(Theme::kMargin);
    if (m_context.start != nullptr) layout->addWidget(m_start = new StartCard(m_context, content));
    layout->addWidget(makeHairline());
    layout->addWidget(new RunningPanel(m_context));
    layout->addWidget(makeHairline());
    layout->addWidget(m_whose);
    layout->addWidget(m_usual);
    layout->addLayout(beside(m_traffic, 3, attention, 2), 3);
    layout->addLayout(beside(recent, 1, m_findingsSection, 1), 2);
    m_area = new QScrollArea;
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setWidget(content);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_area);
}

// Beside an open inspector each table has the room of four columns; what goes stands in the inspector.
void OverviewPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    const bool narrow = width() < kRoomForAll;
    m_recentView->setColumnHidden(LiveDecisionsModel::Preset, narrow);
    m_findingsView->setColumnHidden(FindingsModel::Pointer, narrow);
}

void OverviewPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    m_endpointsInterest = m_context.bridge->followEndpoints();
    m_refusalsInterest = m_context.bridge->followRefusals();
}

void OverviewPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    m_endpointsInterest.reset();
    m_refusalsInterest.reset();
}

void OverviewPage::connectSources() {
    m_settle.setSingleShot(true);
    m_settle.setInterval(2s);
    connect(&m_settle, &QTimer::timeout, this, &OverviewPage::askSummary);
    connect(m_context.view, &ViewState::rangeChanged, this, &OverviewPage::askSummary);
    connect(m_context.bridge, &Bridge::statusChanged, this, &OverviewPage::judge);
    connect(m_context.bridge, &Bridge::endpointsChanged, this, &OverviewPage::judge);
    connect(m_context.bridge, &Bridge::refusalsChanged, this, &OverviewPage::judge);
    connect(m_context.bridge, &Bridge::targetChanged, this, [this] {
        m_recent->reset(m_context.bridge->recent());
        sayWhose();
        judge();
    });
    connect(m_context.gateway, &GatewayControl::stateChanged, this, [this] {
        sayWhose();
        judge();
    });
    connect(m_context.bridge, &Bridge::decisionsArrived, this, [this](const std::vector<RecordPtr>& records) { m_recent->add(records); });
    connect(m_context.bridge, &Bridge::ownDecisionsArrived, this, [this] {
        if (!m_settle.isActive()) m_settle.start();
    });
    connect(m_context.document, &PolicyDocument::changed, this, [this] {
        showFindings();
        judge();
    });
    connect(m_usual, &UsualPanel::reported, this, &OverviewPage::judge);
    connect(m_attention, &AttentionList::remedyWanted, this, &OverviewPage::mend);
    connect(m_findingsView, &TableView::rowSelected, this, &OverviewPage::inspectFinding);
    connect(m_recentView, &TableView::rowSelected, this, &OverviewPage::inspectDecision);
    // A click on the row that is chosen already brings back what was closed.
    connect(m_findingsView, &TableView::clicked, this, [this](const QModelIndex& index) {
        if (!m_shown || !m_shown->isVisible()) inspectFinding(m_findingsView->sourceRowAt(index.row()));
    });
    connect(m_recentView, &TableView::clicked, this, [this](const QModelIndex& index) {
        if (!m_shown || !m_shown->isVisible()) inspectDecision(index.row());
    });
    connect(m_recentView, &TableView::rowOpened, this, [this](int row) {
        if (const auto record = m_recent->at(row))
            m_context.go(QStringLiteral("history"), {{QStringLiteral("decision"), format::text(record->id.text())}});
    });
}

void OverviewPage::askSummary() {
    m_ticket = m_context.bridge->ask<evidence::HistorySummary>(
        [range = m_context.view->range()](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) {
            return reader.summary(range, cancel);
        },
        [this](const Result<evidence::HistorySummary>& summary) { takeSummary(summary); });
}

// What is live is of the gateway that is looked at, and what is counted over weeks is of this console's own workspace, which
// need not be the one that is open.
void OverviewPage::sayWhose() {
    const bool elsewhere = m_context.bridge->looksElsewhere();
    const HomeWorkspace& home = m_context.gateway->home();
    const bool isGuest = !home.guest().isEmpty();
    const QString name = format::text(m_context.bridge->status().name);
    if (elsewhere) m_noDecision->setTexts(tr("No decision yet"), tr("Each request that %1 decides from now on appears here within a second. Earlier ones are kept where it records.").arg(name));
    else m_noDecision->setTexts(tr("No decision since the console opened"), tr("Each request that the gateway decides appears here within a second. Earlier ones stand in the history."));
    m_whose->setVisible(elsewhere || isGuest);
    if (elsewhere && isGuest) m_whose->set(Tone::info, tr("You look at %1. The figures, the traffic and what needs attention in them are of the history of %2, and %3 is open.").arg(name, home.name(), home.guestName()));
    else if (elsewhere) m_whose->set(Tone::info, tr("You look at %1. The figures, the traffic and what needs attention in them are of this workspace's own history.").arg(name));
    else if (isGuest) m_whose->set(Tone::info, tr("%1 is open. What runs, the figures, the traffic and what needs attention in them are of %2, this console's own workspace.").arg(home.guestName(), home.name()));
}

void OverviewPage::takeSummary(const Result<evidence::HistorySummary>& summary) {
    m_summary = summary ? std::optional(*summary) : std::nullopt;
    m_isSummaryRefused = !summary;
    judge();
}

static void append(std::vector<FindingsModel::Entry>& entries, const Findings& findings, const std::filesystem::path& file, bool advisory) {
    for (const Finding& finding : findings) entries.push_back({finding, QString::fromStdU16String(file.u16string()), advisory});
}

void OverviewPage::showFindings() {
    std::vector<FindingsModel::Entry> entries;
    if (const auto workspace = m_context.document->workspace()) {
        append(entries, workspace->table.findings, workspace->tableFile, false);
        append(entries, workspace->config.findings, workspace->configFile, false);
        append(entries, workspace->crossFindings, workspace->configFile, false);
        append(entries, workspace->table.advisories, workspace->tableFile, true);
        const auto advisories = workspace->table.advisories.size();
        m_findingsSection->setNote(tr("%n finding(s)", nullptr, static_cast<int>(entries.size() - advisories)) + QStringLiteral(", ") +
                                   tr("%n advisory(ies)", nullptr, static_cast<int>(advisories)));
    }
    m_findings->set(std::move(entries));
}

// What the numbers of this page do not hold yet.
static QString lateWords(const evidence::EvidenceStatus& status) {
    if (status.state == evidence::StoreState::starting) return QLatin1Char(' ') + OverviewPage::tr("The history is still being opened.");
    if (status.state != evidence::StoreState::catchingUp) return {};
    return QLatin1Char(' ') + OverviewPage::tr("%1 more are on their way into the history.").arg(format::count(status.backlogRecords));
}

void OverviewPage::judge() {
    const bool isGuest = !m_context.gateway->home().guest().isEmpty() && !m_context.bridge->looksElsewhere();  // then it differs, of course
    const auto items = attentionItems({m_context.bridge->status(), m_context.bridge->endpoints(), m_context.gateway->draftDiffers() && !isGuest, m_context.document->workspace(),
                                       m_context.bridge->refusals(), m_summary, m_usual->report()});
    // What is not known yet may need attention. A gateway that stands still, or cannot be reached, is an item of its own.
    const bool isAllKnown = m_context.bridge->knowsEndpoints() && m_context.bridge->knowsRefusals();
    m_attention->show(items, isAllKnown);
    const QString late = lateWords(m_context.bridge->ownStatus().evidence);
    const QString traffic = m_summary ? tr("%1 requests in the last %2, %3 served.")
                                            .arg(format::count(m_summary->requests), format::seconds(m_context.view->span()),
                                                 format::share(m_summary->served, m_summary->requests))
                            : m_isSummaryRefused ? tr("History is not readable right now.")
                                                 : tr("The history is being asked for the traffic.");
    const QString attention = items.empty() && !isAllKnown ? tr("What needs attention is known once the gateway has told its endpoints and what it refused.")
                            : items.empty()                ? tr("Nothing needs attention.")
                                                           : tr("%n thing(s) need attention.", nullptr, static_cast<int>(items.size()));
    const QString usual = m_usual->report() ? usualSentence(*m_usual->report()) + QLatin1Char(' ') : QString();
    Q_EMIT answerChanged(usual + attention + QLatin1Char(' ') + traffic + late);
}

void OverviewPage::mend(const AttentionItem& item) {
    switch (item.remedy) {
    case Remedy::none: break;
    case Remedy::startGateway: m_context.gateway->startAction()->trigger(); break;
    case Remedy::applyPolicy: m_context.gateway->applyAction()->trigger(); break;
    case Remedy::openPage: m_context.go(item.page, item.arguments); break;
    }
}

void OverviewPage::inspectFinding(int row) {
    const auto* entry = m_findings->at(row);
    if (entry == nullptr) return;
    m_shown = makeFindingView(entry->finding, entry->file);
    m_context.inspect(m_shown, entry->advisory ? tr("Advisory of the linter") : tr("Finding"));
}

void OverviewPage::inspectDecision(int row) {
    const auto record = m_recent->at(row);
    if (!record) return;
    auto* receipt = new ReceiptView;
    m_shown = receipt;
    receipt->setRecord(record, m_context.document->workspace());
    m_context.inspect(receipt, liveReceiptTitle(*m_context.bridge));
}

void OverviewPage::inspectEvidence() {
    const evidence::EvidenceStatus& status = m_context.bridge->status().evidence;
    const StatusWords words = evidenceWords(status, m_context.bridge->status().remote);
    auto* view = new QWidget;
    auto* layout = new QVBoxLayout(view);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(new ToneLabel(words.tone, words.word));
    layout->addWidget(makeLabel(words.explanation));
    auto* facts = new FactList;
    facts->addText(tr("Where"), format::text(status.where));
    facts->addText(tr("Recorded"), format::count(status.recorded));
    facts->addText(tr("Stored"), format::count(status.stored));
    facts->addText(tr("In the journal"), format::count(status.backlogRecords));
    facts->addText(tr("Journal size"), format::bytes(status.journalBytes));
    facts->addText(tr("Dropped"), format::count(status.dropped));
    if (status.damagedBytes > 0) facts->addText(tr("Damaged"), format::bytes(status.damagedBytes));
    layout->addWidget(facts);
    m_context.inspect(view, tr("Evidence"));
}

void OverviewPage::open(const QVariantMap& arguments) {
    const QString cause = arguments.value(QStringLiteral("cause")).toString();
    if (cause == QLatin1String("evidence")) inspectEvidence();
    if (cause == QLatin1String("findings")) m_findingsView->setFocus();
    if (cause == QLatin1String("start") && m_start != nullptr) {
        m_start->takeFocus();
        m_area->ensureWidgetVisible(m_start);
    }
    if (arguments.contains(QStringLiteral("finding"))) m_findingsView->selectSourceRow(arguments.value(QStringLiteral("finding")).toInt());
}

QVariantMap OverviewPage::state() const {
    const int row = m_findingsView->currentSourceRow();
    return row < 0 ? QVariantMap() : QVariantMap{{QStringLiteral("finding"), row}};
}

QList<QAction*> OverviewPage::pageActions() const { return m_traffic->chart()->chartActions(); }

QList<Page::Findable> OverviewPage::findables() const {
    QList<Findable> all;
    for (int row = 0; row < m_findings->rows(); ++row)
        all << Findable{m_findings->index(row, FindingsModel::Message).data().toString(), tr("finding"), {{QStringLiteral("finding"), row}}};
    return all;
}

}  // namespace signalbox::ui
