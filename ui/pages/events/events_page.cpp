// SPDX-License-Identifier: MIT
#include "ui/pages/events/events_page.h"

#include "ui/charts/time_series.h"
#include "ui/models/event_words.h"
#include "ui/pages/events/event_sheet.h"
#include "ui/pages/events/events_model.h"
#include "ui/pages/whose_records.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/wrap_layout.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace signalbox::ui {

using namespace std::chrono_literals;
using evidence::CancelToken;
using evidence::HistoryReader;

static constexpr std::size_t kEventsAtOnce = 200, kMostAtOnce = 1000;  // the reader gives no more
static constexpr std::chrono::minutes kAround{15};

EventsPage::EventsPage(PageContext context, QWidget* parent)
    : Page(std::move(context), parent), m_model(new EventsModel(this)), m_view(new TableView(tr("Events, newest first"))), m_section(new Section(tr("Events"))),
      m_kindsChoice(new QComboBox), m_person(new QComboBox), m_subjectChip(makeButton({}, QStringLiteral("close"))),
      m_more(makeButton(tr("Show earlier ones"), QStringLiteral("clock"))), m_empty(new EmptyState(QStringLiteral("flag"), {}, {})), m_stack(new QStackedWidget) {
    makeLayout();
    connectSources();
    showFilters();
}

void EventsPage::makeLayout() {
    m_view->setObjectName(QStringLiteral("eventsTable"));
    m_view->setSortableModel(m_model);
    m_kindsChoice->setObjectName(QStringLiteral("eventKinds"));
    m_kindsChoice->setAccessibleName(tr("Which events"));
    m_kindsChoice->addItem(tr("What people did"), static_cast<int>(Kinds::acts));
    m_kindsChoice->addItem(tr("What endpoints did by themselves"), static_cast<int>(Kinds::passing));
    m_kindsChoice->addItem(tr("All of it"), static_cast<int>(Kinds::all));
    m_person->setObjectName(QStringLiteral("eventPerson"));
    m_person->setAccessibleName(tr("By whom"));
    m_person->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_subjectChip->setObjectName(QStringLiteral("eventSubject"));
    m_subjectChip->setProperty("data", true);  // shows an endpoint's name
    m_subjectChip->setLayoutDirection(Qt::RightToLeft);  // the cross behind the name
    auto* filters = new QWidget;
    auto* line = new WrapLayout(filters);
    int at = 0;
    for (QWidget* widget : {static_cast<QWidget*>(m_kindsChoice), static_cast<QWidget*>(m_person), static_cast<QWidget*>(m_subjectChip)}) line->insertWidget(at++, widget);
    m_more->hide();

    auto* shown = new QWidget;
    auto* rows = new QVBoxLayout(shown);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(Theme::kGap);
    rows->addWidget(m_view, 1);
    rows->addWidget(m_more, 0, Qt::AlignLeft);
    m_stack->addWidget(shown);
    m_stack->addWidget(m_empty);
    m_section->body()->addWidget(filters);
    m_section->body()->addWidget(m_stack, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Theme::kSection, 0, Theme::kSection, Theme::kMargin);
    layout->setSpacing(Theme::kGapWide);
    layout->addWidget(new WhoseRecords(m_context));
    layout->addWidget(m_section, 1);
}

void EventsPage::connectSources() {
    m_settle.setObjectName(QStringLiteral("eventsSettle"));
    m_settle.setSingleShot(true);
    m_settle.setInterval(10s);
    m_retry.setSingleShot(true);
    m_retry.setInterval(3s);
    connect(&m_settle, &QTimer::timeout, this, [this] {
        if (!m_stale || !isVisible()) return;
        // Whoever reads further back than one question reaches keeps that: what is new comes with the next look at the newest.
        if (m_moreTicket != nullptr || m_model->all().size() > kMostAtOnce) return m_settle.start();
        ask(true);
    });
    connect(&m_retry, &QTimer::timeout, this, [this] { ask(true); });
    connect(m_context.view, &ViewState::rangeChanged, this, [this] {
        m_stale = true;
        // A live range moves by itself; whoever chose another one wants to see it now.
        const bool onlyMoved = m_context.view->isLive() && m_context.view->span() == m_askedSpan;
        if (isVisible() && !(onlyMoved && m_settle.isActive())) ask(onlyMoved);
    });
    connect(m_kindsChoice, &QComboBox::activated, this, [this] { restrict(static_cast<Kinds>(m_kindsChoice->currentData().toInt()), m_by, m_subject); });
    connect(m_person, &QComboBox::activated, this, [this] { restrict(m_kinds, format::utf8(m_person->currentData().toString()), m_subject); });
    connect(m_subjectChip, &QPushButton::clicked, this, [this] {
        m_kindsChoice->setFocus(Qt::OtherFocusReason);  // the chip goes
        restrict(m_kinds, m_by, {});
    });
    connect(m_more, &QPushButton::clicked, this, &EventsPage::askMore);
    connect(m_empty, &EmptyState::triggered, this, [this] { restrict(Kinds::all, {}, {}); });
    connect(m_view, &TableView::rowSelected, this, &EventsPage::inspect);
    connect(m_view, &TableView::rowOpened, this, [this](int row) {
        if (const auto* event = m_model->at(row)) goToDecisions(event->createdAt);
    });
}

void EventsPage::open(const QVariantMap& arguments) {
    const QString kinds = arguments.value(QStringLiteral("kinds")).toString();
    m_wanted = format::utf8(arguments.value(QStringLiteral("event")).toString());
    restrict(kinds == QStringLiteral("all") ? Kinds::all : kinds == QStringLiteral("passing") ? Kinds::passing : Kinds::acts,
             format::utf8(arguments.value(QStringLiteral("by")).toString()), format::utf8(arguments.value(QStringLiteral("subject")).toString()));
    if (!m_stale) select(std::exchange(m_wanted, {}));
}

QVariantMap EventsPage::state() const {
    QVariantMap state{{QStringLiteral("kinds"), m_kinds == Kinds::all ? QStringLiteral("all") : m_kinds == Kinds::passing ? QStringLiteral("passing") : QStringLiteral("acts")}};
    if (!m_by.empty()) state.insert(QStringLiteral("by"), format::text(m_by));
    if (!m_subject.empty()) state.insert(QStringLiteral("subject"), format::text(m_subject));
    if (const auto* event = m_model->at(m_view->currentSourceRow())) state.insert(QStringLiteral("event"), format::text(event->id.text()));
    return state;
}

void EventsPage::restrict(Kinds kinds, const std::string& by, const std::string& subject) {
    if (kinds != m_kinds || by != m_by || subject != m_subject) m_stale = true;
    m_kinds = kinds;
    m_by = by;
    m_subject = subject;
    showFilters();
    if (m_stale && isVisible()) ask();
}

void EventsPage::showFilters() {
    m_kindsChoice->setCurrentIndex(m_kindsChoice->findData(static_cast<int>(m_kinds)));
    m_subjectChip->setVisible(!m_subject.empty());
    const QString subject = format::text(m_subject);
    m_subjectChip->setText(tr("Of %1").arg(QString(subject).replace(QLatin1Char('&'), QStringLiteral("&&"))));
    m_subjectChip->setAccessibleName(tr("Only of %1; press to show all").arg(subject));
    m_subjectChip->setToolTip(plainTip(tr("Only of %1; press to show all").arg(subject)));
    offerPeople();
}

// Whoever did something among what is shown, and the one who is asked for.
void EventsPage::offerPeople() {
    std::set<std::string> people;
    for (const auto& event : m_model->all())
        if (!words::actorWords(event.actor).isEmpty()) people.insert(event.actor);
    if (!m_by.empty()) people.insert(m_by);
    std::set<std::string> offered;
    for (int i = 1; i < m_person->count(); ++i) offered.insert(format::utf8(m_person->itemData(i).toString()));
    const QSignalBlocker quiet(m_person);
    if (m_person->count() == 0 || (offered != people && !m_person->view()->isVisible())) {
        m_person->clear();
        m_person->addItem(tr("By anybody"), QString());
        for (const std::string& actor : people) m_person->addItem(tr("By %1").arg(words::actorWords(actor)), format::text(actor));
    }
    m_person->setCurrentIndex(std::max(0, m_person->findData(format::text(m_by))));
    m_person->setEnabled(!people.empty());
    m_person->setToolTip(people.empty() ? tr("Nobody is named among the events that are shown") : tr("By whom"));
}

void EventsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (m_stale) QTimer::singleShot(0, this, [this] { ask(); });
}

evidence::EventFilter EventsPage::filter() const {
    evidence::EventFilter filter;
    filter.range = m_asked;
    if (m_kinds != Kinds::all)
        for (const auto kind : evidence::kEventKinds)
            if (evidence::isPassing(kind) == (m_kinds == Kinds::passing)) filter.kinds.push_back(kind);
    if (!m_by.empty()) filter.actor = m_by;
    if (!m_subject.empty()) filter.subject = m_subject;
    return filter;
}

void EventsPage::ask(bool again) {
    m_stale = false;
    m_retry.stop();
    m_settle.start();
    m_asked = m_context.view->range();
    m_askedSpan = m_context.view->span();
    m_moreTicket.reset();
    m_more->setEnabled(false);  // what it would follow on is about to change
    m_more->setText(tr("Show earlier ones"));
    // Where all is shown, all is shown again with what is new; else as much as was.
    const std::size_t shown = m_model->all().size() + (m_next ? 0 : kEventsAtOnce);
    const std::size_t limit = again ? std::clamp(shown, kEventsAtOnce, kMostAtOnce) : kEventsAtOnce;
    m_ticket = m_context.bridge->ask<evidence::EventPage>(
        [filter = filter(), limit](HistoryReader& reader, const CancelToken& cancel) { return reader.events(filter, std::nullopt, limit, cancel); },
        [this](Answer answer) { take(std::move(answer)); });
}

void EventsPage::askMore() {
    if (!m_next || m_ticket != nullptr) return;
    m_more->setEnabled(false);
    m_more->setText(tr("Reading…"));
    m_moreTicket = m_context.bridge->ask<evidence::EventPage>(
        [filter = filter(), after = m_next](HistoryReader& reader, const CancelToken& cancel) { return reader.events(filter, after, kEventsAtOnce, cancel); },
        [this](Answer answer) { takeMore(std::move(answer)); });
}

void EventsPage::showMessage(const QString& title, const QString& explanation, const QString& action) {
    m_empty->setTexts(title, explanation);
    m_empty->setAction(action);
    m_stack->setCurrentIndex(1);
}

void EventsPage::take(Answer answer) {
    m_ticket.reset();
    if (!answer) {
        if (isVisible()) m_retry.start();  // nothing is lost while the database is away
        else m_stale = true;
        const Error& error = answer.error();
        showMessage(tr("The events cannot be read now"), format::text(error.text()) + QLatin1Char('\n') + tr("This is tried again by itself."), {});
        m_section->setNote({});
        return Q_EMIT answerChanged(tr("The events cannot be read now."));
    }
    m_next = answer->next;
    showRows(std::move(answer->rows));
    m_more->setVisible(m_next.has_value());
    m_more->setEnabled(true);
    offerPeople();
    say();
    if (m_model->rows() == 0) {
        const bool restricted = !m_by.empty() || !m_subject.empty() || m_kinds != Kinds::all;
        return showMessage(tr("Nothing of this kind happened in this range"),
                    tr("Here stand starts, applies, changes of mode, the kill switch, drained endpoints, circuits and notes, with who did them. "
                       "Choose a longer range at the top right%1.")
                        .arg(restricted ? tr(", or other events") : QString()),
                    restricted ? tr("Show all events") : QString());
    }
    m_stack->setCurrentIndex(0);
    if (!m_wanted.empty()) select(std::exchange(m_wanted, {}));
}

void EventsPage::showRows(std::vector<evidence::Event> rows) {
    const auto idAt = [this](int viewRow) {
        const auto* event = viewRow < 0 ? nullptr : m_model->at(m_view->sourceRowAt(viewRow));
        return event == nullptr ? std::optional<evidence::EventId>() : std::optional(event->id);
    };
    const auto viewRowOf = [this](const evidence::EventId& id) {
        const int row = m_model->rowOf(id);
        for (int viewRow = 0; row >= 0 && viewRow < m_model->rows(); ++viewRow)
            if (m_view->sourceRowAt(viewRow) == row) return viewRow;
        return -1;
    };
    QScrollBar* bar = m_view->verticalScrollBar();
    const bool isAtTop = bar->value() == 0;
    const int topRow = m_view->rowAt(0), above = topRow < 0 ? 0 : m_view->rowViewportPosition(topRow);
    const auto top = idAt(topRow), current = idAt(m_view->currentIndex().row());
    if (!m_model->set(std::move(rows))) return;
    if (current) {
        const QSignalBlocker quiet(m_view);  // it is shown in the inspector already, which may have been put away
        if (const int row = m_model->rowOf(*current); row >= 0) m_view->selectSourceRow(row);
    }
    if (isAtTop) return bar->setValue(0);
    if (const int viewRow = top ? viewRowOf(*top) : -1; viewRow >= 0) bar->setValue(bar->value() + m_view->rowViewportPosition(viewRow) - above);
}

void EventsPage::select(const std::string& id) {
    const auto wanted = evidence::EventId::parse(id);
    if (const int row = wanted ? m_model->rowOf(*wanted) : -1; row >= 0) m_view->selectSourceRow(row);
}

void EventsPage::takeMore(Answer answer) {
    m_moreTicket.reset();
    if (!m_settle.isActive()) m_settle.start();  // it may have waited for this
    m_more->setEnabled(true);
    m_more->setText(tr("Show earlier ones"));
    if (!answer) return m_context.complain(answer.error());
    m_next = answer->next;
    m_model->append(std::move(answer->rows));
    m_more->setVisible(m_next.has_value());
    offerPeople();
    say();
}

void EventsPage::say() {
    const QString when = m_context.view->isLive() ? tr("the last %1").arg(format::seconds(m_askedSpan)) : rangeText(m_asked);
    const auto count = m_model->all().size();
    m_section->setNote(m_next ? tr("the newest %1 of %2").arg(format::count(count), when) : tr("%1 in %2").arg(format::count(count), when));
    const auto newest = std::find_if(m_model->all().begin(), m_model->all().end(), [](const auto& event) { return !evidence::isPassing(event.kind); });
    if (newest == m_model->all().end()) {
        const bool restricted = !m_by.empty() || !m_subject.empty();
        return Q_EMIT answerChanged(count > 0     ? tr("%n change(s) of circuits in %1.", nullptr, static_cast<int>(count)).arg(when)
                                    : restricted || m_kinds == Kinds::passing ? tr("Nothing of this kind happened in %1.").arg(when)
                                                                              : tr("Nobody changed anything in %1.").arg(when));
    }
    const QString who = words::actorWords(newest->actor);
    const QString what = tr("%1, %2").arg(words::eventTitle(*newest), format::dateTime(newest->createdAt));
    Q_EMIT answerChanged(who.isEmpty() ? tr("The last change in %1: %2.").arg(when, what) : tr("The last change in %1: %2, by %3.").arg(when, what, who));
}

void EventsPage::inspect(int row) {
    const evidence::Event* event = m_model->at(row);
    if (event == nullptr) return;
    m_wanted.clear();  // somebody has gone on
    auto* sheet = new EventSheet(*event);
    connect(sheet, &EventSheet::decisionsWanted, this, [this, at = event->createdAt] { goToDecisions(at); });
    connect(sheet, &EventSheet::personWanted, this, [this, by = event->actor] { restrict(Kinds::all, by, {}); });
    connect(sheet, &EventSheet::subjectWanted, this, [this, subject = event->subject] { restrict(Kinds::all, {}, subject); });
    m_context.inspect(sheet, words::eventTitle(*event));
}

void EventsPage::goToDecisions(Timestamp at) {
    const auto microseconds = [](Timestamp time) { return static_cast<qlonglong>(time.time_since_epoch().count()); };
    m_context.go(QStringLiteral("history"), {{QStringLiteral("from"), microseconds(at - kAround)}, {QStringLiteral("to"), microseconds(std::min(at + kAround, format::now()))}});
}

}  // namespace signalbox::ui
