// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/page.h"

#include <QTimer>

class QComboBox;
class QPushButton;
class QStackedWidget;

namespace signalbox::ui {

class EmptyState;
class EventsModel;
class Section;
class TableView;

/// "Who changed what, and when?" What people did to the gateways of this workspace and what their endpoints did by themselves,
/// with who did it: the trail that decisions are read beside.
class EventsPage : public Page {
    Q_OBJECT
public:
    explicit EventsPage(PageContext context, QWidget* parent = nullptr);
    [[nodiscard]] QString id() const override { return QStringLiteral("events"); }
    [[nodiscard]] QString name() const override { return tr("Events"); }
    [[nodiscard]] QString question() const override { return tr("Who changed what, and when?"); }
    [[nodiscard]] QString iconName() const override { return QStringLiteral("flag"); }
    /// `kinds`: acts (what people did; the default), passing (what endpoints did) or all; `by`, `subject` restrict to one person
    /// or thing; `event` selects one by its id.
    void open(const QVariantMap& arguments) override;
    [[nodiscard]] QVariantMap state() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    enum class Kinds { acts, passing, all };
    using Answer = Result<evidence::EventPage>;

    void makeLayout();
    void connectSources();
    [[nodiscard]] evidence::EventFilter filter() const;
    void restrict(Kinds kinds, const std::string& by, const std::string& subject);
    /// From the newest on; `again`: the same question, for as many as are shown.
    void ask(bool again = false);
    void askMore();
    /// The rows as they are now, with what is read and selected where it was.
    void showRows(std::vector<evidence::Event> rows);
    void select(const std::string& id);
    void take(Answer answer);
    void takeMore(Answer answer);
    void showMessage(const QString& title, const QString& explanation, const QString& action);
    void showFilters();
    void offerPeople();
    void say();
    void inspect(int row);
    void goToDecisions(Timestamp at);

    EventsModel* m_model;
    TableView* m_view;
    Section* m_section;
    QComboBox* m_kindsChoice;
    QComboBox* m_person;
    QPushButton* m_subjectChip;
    QPushButton* m_more;
    EmptyState* m_empty;
    QStackedWidget* m_stack;

    Kinds m_kinds = Kinds::acts;
    std::string m_by, m_subject;
    std::string m_wanted;  ///< id of an event to select once it is there
    std::optional<evidence::EventKey> m_next;
    evidence::TimeRange m_asked;
    std::chrono::seconds m_askedSpan{0};
    bool m_stale = true;
    TicketPtr m_ticket, m_moreTicket;
    QTimer m_settle{this};  ///< a live range is asked about at most every ten seconds
    QTimer m_retry;
};

}  // namespace signalbox::ui
