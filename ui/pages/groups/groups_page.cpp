// SPDX-License-Identifier: MIT
#include "ui/pages/groups/groups_page.h"

#include "router/policy/group_route.h"
#include "ui/document/config_edits.h"
#include "ui/document/policy_document.h"
#include "ui/pages/groups/candidate_form.h"
#include "ui/pages/groups/candidate_inspector.h"
#include "ui/pages/groups/candidates_model.h"
#include "ui/pages/groups/group_header.h"
#include "ui/pages/groups/group_words.h"
#include "ui/pages/groups/new_groups.h"
#include "ui/pages/groups/preview_panel.h"
#include "ui/pages/groups/tool_calls.h"
#include "ui/pages/groups/weights_panel.h"
#include "ui/pages/place_after.h"
#include "ui/pages/whose_health.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/cards/card_list.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"

#include <QHeaderView>
#include <QPushButton>
#include <QStackedWidget>

#include <utility>

namespace signalbox::ui {

using namespace std::chrono_literals;

static constexpr std::size_t kMostRecords = 200;
static constexpr int kMostTableRows = 8, kRoomForAllColumns = 1180;

GroupsPage::GroupsPage(PageContext context, QWidget* parent)
    : Page(std::move(context), parent), m_stack(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("groups"), {}, {})), m_list(new CardList(tr("Smart groups"))), m_header(new GroupHeader(m_context.document)),
      m_model(new CandidatesModel(this)), m_table(new TableView(tr("Candidates of the group"))), m_form(new CandidateForm(m_context.document)),
      m_weights(new WeightsPanel(m_context.document)), m_preview(new PreviewPanel),
      m_toolCalls(new ToolCallWatch(m_context.bridge, m_context.view, this)) {
    makeLayout();
    makeActions();
    connectSources();
    rememberOwn();
    takeDraft();
}

// Views whose models die have no current row any more and say so, when this is no page any more.
GroupsPage::~GroupsPage() {
    for (QObject* part : QList<QObject*>{m_list, m_table, m_header, m_form}) part->disconnect(this);
}

QString GroupsPage::question() const { return tr("Are my priors still true?"); }

void GroupsPage::connectSources() {
    m_settle.setSingleShot(true);
    m_settle.setInterval(2s);
    connect(&m_settle, &QTimer::timeout, this, &GroupsPage::ask);
    connect(m_context.view, &ViewState::rangeChanged, this, &GroupsPage::ask);
    connect(m_context.bridge, &Bridge::ownDecisionsArrived, this, [this] {
        if (isVisible() && !m_settle.isActive()) m_settle.start();
    });
    const auto showHealth = [this] {
        showRows();
        showPreview();
    };
    connect(m_context.bridge, &Bridge::endpointsChanged, this, showHealth);
    connect(m_health, &WhoseHealth::changed, this, showHealth);
    connect(m_toolCalls, &ToolCallWatch::changed, this, &GroupsPage::showRows);
    connect(m_context.bridge, &Bridge::statusChanged, this, [this] {
        rememberOwn();
        say();
    });
    connect(m_context.document, &PolicyDocument::changed, this, &GroupsPage::takeDraft);
    connect(m_list, &CardList::selected, this, [this](int row) {
        const auto* config = this->config();
        if (config == nullptr || row < 0 || row >= static_cast<int>(config->routing.groups.size())) return;
        const std::string& id = config->routing.groups[static_cast<std::size_t>(row)].id;
        if (id == m_group) return;
        m_group = id;
        m_candidate = 0;
        showGroup();
        showCandidate();
        inspectCandidate(0);
        ask();
    });
    connect(m_header, &GroupHeader::renamed, this, [this](const QString& id) { m_group = format::utf8(id); });
    connect(m_table, &TableView::rowSelected, this, &GroupsPage::choose);
    connect(m_table, &TableView::rowOpened, this, &GroupsPage::editCandidate);
    connect(m_model, &CandidatesModel::moveAsked, this, &GroupsPage::moveCandidate);
    connect(m_form, &CandidateForm::added, this, [this](int index) {
        m_candidate = index;
        showGroup();
        inspectCandidate(index);
        m_table->setFocus(Qt::OtherFocusReason);
    });
    connect(m_form, &CandidateForm::abandoned, this, [this] {
        showCandidate();
        m_table->setFocus(Qt::OtherFocusReason);
    });
    connect(m_empty, &EmptyState::triggered, this, [this] {
        if (config() != nullptr && ui::newGroup(*config())) newGroup();
        else m_context.go(QStringLiteral("access"), {});
    });
}

const config::GatewayConfig* GroupsPage::config() const {
    const auto workspace = m_context.document->workspace();
    return workspace ? workspace->config.config.get() : nullptr;
}

const config::SmartGroup* GroupsPage::group() const {
    const auto* all = config();
    if (all == nullptr) return nullptr;
    for (const config::SmartGroup& one : all->routing.groups)
        if (one.id == m_group) return &one;
    return nullptr;
}

// A gateway elsewhere tells no policy, and the decisions that are compared are none of its anyway.
void GroupsPage::rememberOwn() {
    if (!m_context.bridge->looksElsewhere()) m_ownRunning = m_context.bridge->running();
}

const config::GatewayConfig* GroupsPage::before() const {
    const bool isSeen = !m_context.bridge->looksElsewhere();
    if (m_ownRunning && (isSeen || m_ownRunning->hash == m_context.bridge->ownStatus().runningHash)) return m_ownRunning->config.get();
    return m_clean ? m_clean->config.config.get() : nullptr;
}

std::vector<CandidateRow> GroupsPage::rowsOf(const config::SmartGroup& group) const {
    auto rows = candidateRows(*config(), group, m_health->health(), m_report);
    for (CandidateRow& row : rows) {
        row.whyNoHealth = m_health->whyNot();
        row.toolCalls = m_toolCalls->of(row.endpointId);
    }
    return rows;
}

QString GroupsPage::sourceOf(std::size_t candidate, const std::string& key) const {
    const auto workspace = m_context.document->workspace();
    return workspace ? edits::sourceOf(*workspace, edits::candidatePath(m_group, candidate, key)) : QString();
}

void GroupsPage::takeDraft() {
    if (!m_context.document->isDirty()) m_clean = m_context.document->workspace();
    const auto* all = config();
    if (all == nullptr || all->routing.groups.empty()) {
        m_sheet.drop();
        showEmpty();
        return say();
    }
    if (group() == nullptr) {
        m_group = all->routing.groups.front().id;
        m_candidate = 0;
        m_history.clear();
        showCandidate();
    }
    m_stack->setCurrentIndex(0);
    showList();
    showGroup();
    followChoice();
    if (isVisible() && !m_settle.isActive()) m_settle.start();
}

void GroupsPage::showEmpty() {
    m_stack->setCurrentWidget(m_empty);
    const auto* all = config();
    m_empty->setTexts(tr("No smart group yet"),
                      tr("A smart group gives clients one name and chooses among several models by quality, cost, latency and reliability. "
                         "Nothing changes for anybody until the mode says so: a group begins with its first candidate, and shadow only records what the scores would have chosen."));
    if (all == nullptr || !m_context.document->canEditConfig()) {
        m_empty->setTexts(tr("No gateway.toml is open"), tr("Smart groups live in gateway.toml. Open a workspace folder that has one, and its groups stand here."));
        return m_empty->setAction({});
    }
    m_empty->setAction(ui::newGroup(*all) ? tr("Make the first group") : tr("Add a provider first"));
}

void GroupsPage::showList() {
    const auto* all = config();
    m_list->cards()->set(groupCards(*all));
    m_listSection->setNote(tr("%1 of %2").arg(all->routing.groups.size()).arg(kMostGroups));
    for (std::size_t i = 0; i < all->routing.groups.size(); ++i)
        if (all->routing.groups[i].id == m_group && m_list->currentIndex().row() != static_cast<int>(i)) m_list->selectRow(static_cast<int>(i));
}

void GroupsPage::showGroup() {
    const config::SmartGroup* chosen = group();
    if (chosen == nullptr) return;
    m_header->set(*chosen);
    m_tableSection->setNote(candidateCounter(*config(), *chosen));
    showRows();
    const auto own = chosen->defaultProfile ? policy::smart::parseProfile(*chosen->defaultProfile) : std::nullopt;
    const auto byDefault = policy::smart::parseProfile(config()->routing.defaultProfile);
    m_weights->set(config()->routing, own.value_or(byDefault.value_or(policy::smart::Profile::balanced)));
    showPreview();
}

static std::vector<std::string> endpointsOf(const std::vector<CandidateRow>& rows) {
    std::vector<std::string> endpoints;
    for (const CandidateRow& row : rows) endpoints.push_back(row.endpointId);
    return endpoints;
}

void GroupsPage::showRows() {
    const config::SmartGroup* chosen = group();
    if (chosen == nullptr) return;
    const std::vector<std::string> before = endpointsOf(m_model->all());
    m_model->set(rowsOf(*chosen), [this](std::size_t index, const std::string& key) { return sourceOf(index, key); },
                 m_context.document->canEditConfig());
    const bool isSameGroup = std::exchange(m_rowsOf, m_group) == m_group;
    if (m_candidate >= 0) {
        const auto place = isSameGroup ? placeAfter(before, endpointsOf(m_model->all()), static_cast<std::size_t>(m_candidate)) : std::nullopt;
        m_candidate = place ? static_cast<int>(*place) : std::clamp(m_candidate, 0, std::max(0, m_model->rows() - 1));
    }
    fitTable();
    if (m_table->currentSourceRow() != m_candidate && !m_form->isNew()) {
        const QSignalBlocker quiet(m_table);  // chosen by nobody just now
        m_table->selectSourceRow(m_candidate);
    }
    if (!m_form->isNew()) showCandidate();
    say();
}

void GroupsPage::fitTable() {
    const int rows = std::clamp(m_model->rows(), 2, kMostTableRows);
    m_table->setFixedHeight(m_table->horizontalHeader()->height() + rows * m_table->verticalHeader()->defaultSectionSize() + 4);
}

void GroupsPage::showCandidate() {
    const CandidateRow* row = m_model->at(m_candidate);
    m_formSection->setVisible(row != nullptr);
    for (QPushButton* button : std::as_const(m_candidateButtons)) button->setEnabled(row != nullptr && m_context.document->canEditConfig());
    if (row == nullptr) return;
    m_formSection->setTitle(tr("Candidate %1").arg(m_candidate + 1));
    m_formSection->setNote(tr("endpoint %1").arg(format::text(row->endpointId)));
    m_form->setRow(m_group, *row);
}

void GroupsPage::showPreview() {
    const auto workspace = m_context.document->workspace();
    const config::SmartGroup* chosen = group();
    if (!workspace || chosen == nullptr || !isVisible()) return;
    DraftGroup draft;
    draft.group = policy::smart::prepareGroup(*config(), *chosen);
    draft.settings = policy::smart::SmartPolicy(*config()).settings();
    draft.health = m_health->health();
    if (const auto* then = before()) {
        draft.defaultProfileBefore = then->routing.defaultProfile;
        for (const config::SmartGroup& one : then->routing.groups)
            if (one.id == m_group) draft.before = &one;
    }
    m_preview->set(draft, decisionsOf(m_group, m_context.bridge->ownRecent(), m_history, kMostRecords));
}

void GroupsPage::ask() {
    if (!isVisible() || group() == nullptr) return;
    const evidence::TimeRange range = m_context.view->range();
    evidence::ShadowFilter asked;
    asked.range = range;
    if (const auto workspace = m_context.document->workspace(); workspace && workspace->snapshot)
        asked.servedBy = policy::endpointsBehindCandidates(*workspace->snapshot);
    m_reportTicket = m_context.bridge->ask<evidence::ShadowReport>(
        [asked](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) { return reader.shadow(asked, 1, cancel); },
        [this](Result<evidence::ShadowReport> report) {
            m_problem = report ? QString() : format::text(report.error().message);
            m_report = report ? std::optional(std::move(*report)) : std::nullopt;
            showRows();
        });
    evidence::HistoryFilter filter;
    filter.range = range;
    filter.group = m_group;
    m_historyTicket = m_context.bridge->ask<evidence::HistoryPage>(
        [filter](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) { return reader.page(filter, std::nullopt, kMostRecords, cancel); },
        [this](Result<evidence::HistoryPage> page) {
            m_history.clear();
            if (page)
                for (evidence::DecisionRecord& record : page->rows) m_history.push_back(std::make_shared<const evidence::DecisionRecord>(std::move(record)));
            showPreview();
        });
    m_toolCalls->refresh(asked.servedBy);  // last: it reads five ranges
}

void GroupsPage::say() {
    const auto* all = config();
    if (all == nullptr || all->routing.groups.empty()) return Q_EMIT answerChanged(tr("There is no smart group whose priors could be wrong."));
    std::vector<CandidateRow> rows;
    for (const config::SmartGroup& one : all->routing.groups)
        for (CandidateRow& row : rowsOf(one)) rows.push_back(std::move(row));
    Q_EMIT answerChanged(priorsSentence(rows, m_context.view->span(), m_problem));
}

void GroupsPage::choose(int row) {
    if (m_model->at(row) == nullptr) return;
    m_candidate = row;
    showCandidate();
    inspectCandidate(row);
}

void GroupsPage::inspectCandidate(int index) {
    const CandidateRow* row = m_model->at(index);
    if (row == nullptr) return m_sheet.drop();
    m_sheet.show(makeCandidateSheet(*row, [this](std::size_t i, const std::string& key) { return sourceOf(i, key); }, QDate::currentDate()),
                 m_health->elsewhere().isEmpty() ? tr("Candidate") : tr("Candidate, health from %1").arg(m_health->elsewhere()));
}

/// What an edit made of it, or the one in its place.
void GroupsPage::followChoice() {
    if (m_sheet.isShown()) inspectCandidate(m_candidate);
}

void GroupsPage::chooseNoCandidate() {
    m_candidate = -1;
    m_table->selectionModel()->clear();
    if (!m_form->isNew()) showCandidate();
    m_sheet.drop();
}

void GroupsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    m_interest = m_context.bridge->followEndpoints();
    say();
    showRows();
    showPreview();
    ask();
}

void GroupsPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    m_interest.reset();
    m_toolCalls->rest();
}

// Beside an open inspector, which has them in full, the other columns need the room.
void GroupsPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    for (const int column : {CandidatesModel::Calls, CandidatesModel::Price, CandidatesModel::Reliability, CandidatesModel::ToolsValid})
        m_table->setColumnHidden(column, width() < kRoomForAllColumns);
}

void GroupsPage::open(const QVariantMap& arguments) {
    const auto* all = config();
    const QString group = arguments.value(QStringLiteral("group")).toString(), candidate = arguments.value(QStringLiteral("candidate")).toString();
    if (all == nullptr || group.isEmpty()) return;
    const auto& groups = all->routing.groups;
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const config::SmartGroup& one) { return format::text(one.id) == group; });
    // The way back, or a link, may name one that an edit took away: nothing of another one may stand for it.
    if (found == groups.end()) {
        chooseNoCandidate();
        return m_context.say(tr("There is no smart group %1 in what is open").arg(group));
    }
    m_list->selectRow(static_cast<int>(found - groups.begin()));
    if (candidate.isEmpty()) return;
    for (const CandidateRow& row : m_model->all()) {
        if (format::text(row.endpointId) != candidate) continue;
        const QSignalBlocker quiet(m_table);  // where it was the current one already, nothing would be told
        m_table->selectSourceRow(static_cast<int>(row.index));
        return choose(static_cast<int>(row.index));
    }
    chooseNoCandidate();
    m_context.say(tr("%1 has no candidate %2").arg(group, candidate));
}

QVariantMap GroupsPage::state() const {
    if (group() == nullptr) return {};
    QVariantMap state{{QStringLiteral("group"), format::text(m_group)}};
    if (const CandidateRow* row = m_model->at(m_candidate)) state.insert(QStringLiteral("candidate"), format::text(row->endpointId));
    return state;
}

QList<Page::Findable> GroupsPage::findables() const {
    QList<Findable> found;
    const auto* all = config();
    if (all == nullptr) return found;
    for (const config::SmartGroup& one : all->routing.groups) {
        const QString id = format::text(one.id);
        found << Findable{id, tr("smart group"), {{QStringLiteral("group"), id}}};
        for (const std::string& alias : one.aliases)
            if (alias != one.id) found << Findable{format::text(alias), tr("alias of %1").arg(id), {{QStringLiteral("group"), id}}};
    }
    return found;
}

}  // namespace signalbox::ui
