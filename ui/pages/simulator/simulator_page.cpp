// SPDX-License-Identifier: MIT
#include "ui/pages/simulator/simulator_page.h"

#include "router/policy/names.h"
#include "ui/bridge/async.h"
#include "ui/document/policy_document.h"
#include "ui/pages/simulator/answer_words.h"
#include "ui/pages/simulator/path_view.h"
#include "ui/pages/simulator/pool_panel.h"
#include "ui/pages/simulator/result_panel.h"
#include "ui/pages/simulator/what_if_panel.h"
#include "ui/pages/whose_health.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/section.h"

#include <QAction>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace signalbox::ui {

using namespace std::chrono_literals;

static constexpr int kRequestWidth = 306, kPathShare = 9, kResultShare = 13, kThreeColumns = 880;
static constexpr std::size_t kMostRecent = 20;

SimulatorPage::SimulatorPage(PageContext context, QWidget* parent)
    : Page(std::move(context), parent), m_stack(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("simulator"), tr("No policy is open"),
                             tr("Here you ask what would happen to a request before anybody sends it: which endpoint it would reach, why, and the smallest change "
                                "that would turn it. Open a workspace to ask its policy."))),
      m_health(new WhoseHealth(m_context, WhoseHealth::Apply::here, this)), m_request(new RequestPanel), m_whatIf(new WhatIfPanel), m_path(new PathView), m_result(new ResultPanel), m_pool(new PoolPanel(&m_context.bridge->fleet())), m_answer(new QStackedWidget),
      m_nothing(new EmptyState(QStringLiteral("simulator"), {}, {})), m_reset(new QAction(tr("Reset what-ifs"), this)) {
    m_reset->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R));
    m_reset->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(m_reset);
    makeLayout();
    connectSources();
    takeDraft();
}

SimulatorPage::~SimulatorPage() {
    for (QObject* part : QList<QObject*>{m_request, m_whatIf, m_result}) part->disconnect(this);
}

QString SimulatorPage::question() const { return tr("What would happen to this request, and what would change it?"); }

static QScrollArea* scrolling(QWidget* content) {
    content->setProperty("role", QStringLiteral("canvas"));
    auto* area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

static QWidget* column(std::initializer_list<QWidget*> parts) {
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, Theme::kGapWide, 0);
    layout->setSpacing(Theme::kMargin);
    for (QWidget* part : parts) layout->addWidget(part);
    layout->addStretch(1);
    return content;
}

void SimulatorPage::makeLayout() {
    auto* asked = scrolling(column({m_request, m_whatIf}));
    asked->setFixedWidth(kRequestWidth);
    auto* path = new Section(tr("The way"));
    path->body()->setContentsMargins(0, Theme::kGap, 0, 0);
    path->body()->addWidget(m_path);
    auto* answers = new QWidget;
    m_beside = new QBoxLayout(QBoxLayout::LeftToRight, answers);
    m_beside->setContentsMargins(0, 0, 0, 0);
    m_beside->setSpacing(Theme::kSection);
    m_beside->addWidget(scrolling(column({path})), kPathShare);
    m_beside->addWidget(scrolling(column({m_result, m_pool})), kResultShare);
    m_answer->addWidget(answers);
    m_answer->addWidget(m_nothing);

    auto* content = new QWidget;
    auto* layout = new QHBoxLayout(content);
    layout->setContentsMargins(Theme::kSection, 0, Theme::kGapWide, Theme::kMargin);
    layout->setSpacing(Theme::kMargin);
    layout->addWidget(asked);
    layout->addWidget(makeHairline(LineDirection::vertical));
    layout->addWidget(m_answer, 1);
    m_stack->addWidget(content);
    m_stack->addWidget(m_empty);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(Theme::kSection, 0, Theme::kSection, Theme::kGapWide);
    head->addWidget(m_health);
    outer->addLayout(head);
    outer->addWidget(m_stack);
}

void SimulatorPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    m_beside->setDirection(width() < kThreeColumns ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void SimulatorPage::connectSources() {
    m_settle.setSingleShot(true);
    m_settle.setInterval(40ms);
    connect(&m_settle, &QTimer::timeout, this, &SimulatorPage::ask);
    connect(m_request, &RequestPanel::changed, this, &SimulatorPage::askSoon);
    connect(m_request, &RequestPanel::decisionWanted, this, &SimulatorPage::findDecision);
    connect(m_whatIf, &WhatIfPanel::changed, this, &SimulatorPage::askSoon);
    connect(m_result, &ResultPanel::candidateChosen, m_whatIf, &WhatIfPanel::chooseCandidate);
    connect(m_result, &ResultPanel::copied, this, [this] { m_context.say(tr("The explanation was copied")); });
    connect(m_reset, &QAction::triggered, m_whatIf, &WhatIfPanel::reset);
    connect(m_context.document, &PolicyDocument::changed, this, &SimulatorPage::takeDraft);
    connect(m_context.bridge, &Bridge::statusChanged, this, &SimulatorPage::askSoon);
    connect(m_context.bridge, &Bridge::endpointsChanged, this, &SimulatorPage::askSoon);
    connect(m_health, &WhoseHealth::changed, this, &SimulatorPage::askSoon);
    connect(m_context.bridge, &Bridge::decisionsArrived, this, &SimulatorPage::takeRecent);
    connect(m_context.bridge, &Bridge::targetChanged, this, [this] {
        takeRecent();
        if (isVisible()) askKept();
    });
}

QList<QAction*> SimulatorPage::pageActions() const { return {m_reset}; }

// Health is read while somebody looks.
void SimulatorPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    m_interest = m_context.bridge->followEndpoints();
    takeRecent();
    askKept();
    askSoon();
}

void SimulatorPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    m_interest.reset();
}

void SimulatorPage::takeDraft() {
    const auto workspace = m_context.document->workspace();
    const bool isOpen = workspace && workspace->snapshot;
    m_stack->setCurrentIndex(isOpen ? 0 : 1);
    if (!isOpen) return Q_EMIT answerChanged(tr("No policy is open."));
    const policy::PolicySnapshot& policy = *workspace->snapshot;
    QStringList models;
    for (const config::SmartGroup& group : policy.config->routing.groups)
        for (const std::string& alias : group.aliases) models << format::text(alias);
    for (const std::string& name : policy::knownNames(policy))
        if (!models.contains(format::text(name))) models << format::text(name);
    m_request->setModels(models, models.value(0));
    QStringList principals;
    for (const config::Principal& principal : policy.config->principals) principals << format::text(principal.id);
    m_request->setPrincipals(principals);
    askSoon();
}

void SimulatorPage::takeRecent() {
    if (!isVisible()) return;
    const auto& all = m_context.bridge->recent();
    std::vector<RecordPtr> newest;
    for (auto it = all.rbegin(); it != all.rend() && newest.size() < kMostRecent; ++it) newest.push_back(*it);
    // What another gateway decided before is not read here.
    if (!m_context.bridge->looksElsewhere())
        for (const RecordPtr& kept : m_kept) {
            if (newest.size() == kMostRecent) break;
            if (std::none_of(newest.begin(), newest.end(), [&](const RecordPtr& record) { return record->id == kept->id; })) newest.push_back(kept);
        }
    m_request->setRecent(newest);
}

// A session that has decided little has little to choose from, the history may have much. Where it cannot be read, the History
// page says why.
void SimulatorPage::askKept() {
    if (m_context.bridge->looksElsewhere() || m_context.bridge->ownRecent().size() >= kMostRecent) return;
    m_keptTicket = m_context.bridge->ask<evidence::HistoryPage>(
        [](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) { return reader.page({}, std::nullopt, kMostRecent, cancel); },
        [this](Result<evidence::HistoryPage> answer) {
            if (!answer) return;
            m_kept.clear();
            for (auto& record : answer->rows) m_kept.push_back(std::make_shared<const evidence::DecisionRecord>(std::move(record)));
            takeRecent();
        });
}

void SimulatorPage::open(const QVariantMap& arguments) {
    const auto text = [&](const char* key) { return arguments.value(QLatin1String(key)).toString(); };
    if (!text("profile").isEmpty()) m_request->setProfile(text("profile"));
    if (!text("decision").isEmpty()) {
        m_request->setSource(RequestPanel::Source::history);
        return findDecision(text("decision"));
    }
    if (!text("body").isEmpty()) {
        m_request->setSource(RequestPanel::Source::body);
        m_request->setBody(text("body"));
    }
    if (!text("model").isEmpty()) {
        m_request->setSource(RequestPanel::Source::form);
        m_request->setModel(text("model"));
    }
}

// A pasted body is content, so it is not part of the way back.
QVariantMap SimulatorPage::state() const {
    if (m_request->source() == RequestPanel::Source::history && m_request->record())
        return {{QStringLiteral("decision"), format::text(m_request->record()->id.text())}};
    if (m_request->source() == RequestPanel::Source::form) return {{QStringLiteral("model"), format::text(m_request->fields().model)}};
    return {};
}

void SimulatorPage::findDecision(const QString& text) {
    m_ticket.reset();  // an answer that is still on its way is of another one
    const auto id = DecisionId::parse(format::utf8(text));
    if (!id) return m_request->setRecord(nullptr, tr("This is no decision id: it begins with rtd_ and has 32 hexadecimal digits."));
    // An own one may be too new for the history, whichever gateway is looked at.
    for (const auto* recent : {&m_context.bridge->recent(), &m_context.bridge->ownRecent()}) {
        const auto known = std::find_if(recent->begin(), recent->end(), [&](const RecordPtr& record) { return record->id == *id; });
        if (known != recent->end()) return m_request->setRecord(*known);
    }
    m_ticket = m_context.bridge->ask<std::optional<evidence::DecisionRecord>>(
        [id = *id](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) { return reader.find(id, cancel); },
        [this](Result<std::optional<evidence::DecisionRecord>> found) {
            if (!found) m_request->setRecord(nullptr, format::sentence(found.error().message));
            else if (!*found) m_request->setRecord(nullptr, tr("History holds no such decision. It may be older than what is kept."));
            else m_request->setRecord(std::make_shared<const evidence::DecisionRecord>(std::move(**found)));
        });
}

static classify::CallerHints defaultsOf(const policy::PolicySnapshot& policy, const std::string& id) {
    for (const config::Principal& principal : policy.config->principals)
        if (principal.id == id) return {principal.defaultExpectedLength, principal.defaultCategory, principal.defaultInputTokens};
    return {};
}

Result<AskedRequest> SimulatorPage::askedRequest() const {
    const auto hints = defaultsOf(*m_context.document->workspace()->snapshot, m_request->principal());
    switch (m_request->source()) {
    case RequestPanel::Source::form: return fromForm(m_request->fields(), hints);
    case RequestPanel::Source::body: return fromBody(m_request->dialect(), m_request->body(), hints, m_request->inFlight());
    case RequestPanel::Source::history: break;
    }
    if (m_request->record()) return fromRecord(*m_request->record());
    return fail(ErrorKind::notFound, format::utf8(tr("no decision is chosen yet")), {},
                format::utf8(tr("Paste the id of one, or choose one of the newest. The history page lists all of them.")));
}

Question SimulatorPage::question(AskedRequest asked) const {
    Question made;
    made.asked = std::move(asked);
    made.principal = m_request->principal();
    made.profile = m_request->profile();
    if (!m_request->session().empty()) made.session = m_request->session();
    made.requestId = m_request->requestId();
    if (m_request->source() == RequestPanel::Source::history && m_request->record() && m_request->record()->group)
        made.bucket = static_cast<std::uint8_t>(m_request->record()->group->bucket);
    made.whatIf = m_whatIf->whatIf();
    if (m_whatIf->usesMeasured())
        for (const engine::EndpointHealth& endpoint : m_health->health()) {
            auto now = endpoint.signals;
            now.credentialReady = now.credentialReady && endpoint.credentialReady;
            made.measured[endpoint.endpointId] = now;
        }
    return made;
}

void SimulatorPage::askSoon() {
    if (!m_settle.isActive()) m_settle.start();
}

QString SimulatorPage::whyNobodyIsAsked() const {
    if (!m_health->whyNot().isEmpty()) return m_health->whyNot();
    return m_context.bridge->runningHash().empty() ? tr("No gateway runs, so nothing is measured: start it.") : QString();
}

void SimulatorPage::ask() {
    const auto workspace = m_context.document->workspace();
    if (!workspace || !workspace->snapshot) return;
    // Another workspace's policy is no older state of this one.
    const auto running = m_health->whyNot().isEmpty() ? m_context.bridge->running() : nullptr;
    m_whatIf->setMeasured(m_health->elsewhere(), whyNobodyIsAsked());
    const bool isHistory = m_request->source() == RequestPanel::Source::history;
    m_result->showRecorded(isHistory ? m_request->record() : nullptr, workspace);
    auto asked = askedRequest();
    ++m_job;  // what is under way is no answer any more
    m_request->setBodyProblem({});
    if (!asked) return showProblem(asked.error());
    const bool differs = running && running->hash != workspace->snapshot->hash;
    auto question = this->question(std::move(*asked));
    runAsync(
        this,
        [question, draft = workspace->snapshot, running = differs ? running : nullptr] {
            Answers answers{simulate(draft, question, true), std::nullopt};
            if (running) answers.running = simulate(running, question, false);
            return answers;
        },
        [this, job = m_job, question](Answers answers) {
            if (job == m_job) present(question, answers);
        });
}

// The policy leads to a model with a router, and only the running gateway knows what its router sees.
void SimulatorPage::askPool(const Question& asked, const Simulated& draft) {
    const auto pool = draft.plan ? draft.plan->targets.front().pool : std::nullopt;
    if (!pool) return m_pool->clear();
    if (!m_health->whyNot().isEmpty()) return m_pool->sayNobodyToAsk(*pool, m_health->whyNot());
    if (m_context.bridge->runningHash().empty())
        return m_pool->sayNobodyToAsk(*pool, tr("It is forecast from the running gateway: start it."));
    m_pool->setGateway(m_health->elsewhere());
    dispatch::PoolQuestion question;
    question.promptTokens = asked.asked.features.inputTokens;
    question.maxTokens = asked.asked.features.outputCap;
    question.needs = policy::smart::needsOf(asked.asked.features, asked.asked.sizes);
    if (const auto hash = policy::smart::assign(asked.principal, asked.session, asked.requestId).sessionHash) question.session = std::string(hash->view());
    m_pool->ask(*pool, question);
}

void SimulatorPage::present(const Question& question, const Answers& answers) {
    const AskedRequest& asked = question.asked;
    m_answer->setCurrentIndex(0);
    askPool(question, answers.draft);
    m_path->setStages(pathOf(asked, answers.draft));
    m_result->present(asked, answers.draft, answers.running ? &*answers.running : nullptr, !m_whatIf->whatIf().isEmpty());
    m_whatIf->present(answers.draft);
    Q_EMIT answerChanged(answerSentence(asked, answers.draft));
    Q_EMIT answered();
}

// What cannot be asked yet: an empty or broken body, no decision.
void SimulatorPage::showProblem(const Error& error) {
    m_answer->setCurrentIndex(1);
    const bool isEmptyBody = m_request->source() == RequestPanel::Source::body && m_request->body().find_first_not_of(" \t\r\n") == std::string::npos;
    if (isEmptyBody) {
        m_nothing->setTexts(tr("Paste a request"), tr("A JSON body as a client sends it to /v1/chat/completions or /v1/messages. It is read here and kept nowhere."));
        Q_EMIT answerChanged(tr("No request is given yet."));
    } else {
        if (m_request->source() == RequestPanel::Source::body) m_request->setBodyProblem(format::sentence(error.text()));
        m_nothing->setTexts(format::sentence(error.message), format::text(error.hint));
        Q_EMIT answerChanged(format::sentence(error.message) + QLatin1Char('.'));
    }
    Q_EMIT answered();
}

}  // namespace signalbox::ui
