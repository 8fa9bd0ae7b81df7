// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/live_tail.h"
#include "ui/pages/history/history_query.h"
#include "ui/pages/page.h"

#include <QPointer>
#include <QTimer>

class QPushButton;

namespace signalbox::ui {

class EmptyState;
class FilterBar;
class HistoryModel;
class ReceiptDialog;
class ReceiptView;
struct HistoryMessage;
class Section;
class TableView;
class TimeChart;

/// "What happened, and why did each request go where it went?" The presets that served over time, the decisions behind them, and the receipt of the
/// one that is selected. Questions go to history through tickets, so a newer one drops the older one's answer. All of it is
/// of the console's own workspace, whichever gateway is looked at; of another one only a live receipt is shown, by its name.
class HistoryPage : public Page {
    Q_OBJECT
public:
    static constexpr std::size_t kPageRows = 200;

    explicit HistoryPage(PageContext context, QWidget* parent = nullptr);
    ~HistoryPage() override;
    [[nodiscard]] QString id() const override { return QStringLiteral("history"); }
    [[nodiscard]] QString name() const override { return tr("History"); }
    [[nodiscard]] QString question() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("history"); }
    /// `decision` = id selects one; everything else is a filter (HistoryQuery::fromArguments) and replaces the old ones.
    void open(const QVariantMap& arguments) override;
    [[nodiscard]] QVariantMap state() const override;
    [[nodiscard]] QList<QAction*> pageActions() const override;
    [[nodiscard]] QList<Findable> findables() const override;

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeLayout();
    void connectSources();
    void connectChart();
    void offerFilters();
    void setQuery(const HistoryQuery& query);
    void rangeMoved();
    void chooseColumns(int width);

    void askAll();
    void askChart();
    void askSummary();
    void askFirstPage();
    void askMore(const evidence::PageKey& after);
    void askNewest();
    void askNewestBehind(const std::optional<evidence::PageKey>& after, const LiveTail::Mark& asked);
    void askDecision(const DecisionId& id);
    void takeChart(const Result<evidence::PresetSeries>& answer);
    void takeFirstPage(Result<evidence::HistoryPage> answer, const LiveTail::Mark& asked);
    void takeNewest(Result<evidence::HistoryPage> answer, bool isFirst, const LiveTail::Mark& asked);
    void takeMore(Result<evidence::HistoryPage> answer, const evidence::PageKey& after, const LiveTail::Mark& asked);
    [[nodiscard]] HistoryMessage explain(const Error& error);
    [[nodiscard]] HistoryMessage whyNothing() const;
    void showSession();
    /// A page has come. Where it ended because the search takes long, the next part is asked for until there is a screenful,
    /// or somebody stops it; the note says how far it has come (F91).
    void searched(const std::optional<Timestamp>& to, std::size_t found);
    void stopOrGoOn();

    void follow(const std::vector<RecordPtr>& records, quint64 skipped);
    void joinLive(const LiveTail::Mark& asked);
    void fallBehind();
    void catchUp();
    [[nodiscard]] bool isReading() const { return m_pageTicket != nullptr || m_newestTicket != nullptr; }
    [[nodiscard]] bool isAsking() const { return isReading() || m_moreTicket != nullptr; }
    [[nodiscard]] bool isReadBelow() const;
    void addLive(const std::vector<RecordPtr>& records);
    void showCount();
    void goToPoint(const evidence::TimeRange& range, int line);
    void emphasise(int line);
    void select(const DecisionId& id);
    [[nodiscard]] QString notInHistory(const DecisionId& id) const;
    /// Marks the decision that was chosen among rows that are new, although nobody has chosen anything now: its receipt stays
    /// where it is read, and closed where it was closed.
    void reselect();
    void inspect(RecordPtr record, const QString& title = {});
    void openReceipt(int row);
    void openRowMenu(const QPoint& at);
    [[nodiscard]] std::vector<RecordPtr> recordsAtHand() const;

    HistoryQuery m_query;
    evidence::HistoryFilter m_shown;  ///< what the table holds now
    bool m_stale = true;              ///< asked for again when shown
    bool m_readable = true;           ///< the table holds history, not this session only
    std::optional<DecisionId> m_selected;
    bool m_isSought = false;        ///< the selected one is scrolled to once its row is there
    bool m_isMovingRows = false;    ///< another row becomes the current one by itself
    QPointer<ReceiptView> m_sheet;  ///< the inspector's, closed or not
    std::optional<Timestamp> m_searchedTo;  ///< while a search for what no index answers is not at its end
    std::size_t m_found = 0;                ///< by that search since it last had a screenful
    bool m_searchStopped = false;

    LiveTail m_tail;
    HistoryModel* m_model;
    TimeChart* m_chart;
    FilterBar* m_filters;
    Section* m_decisions;
    QPushButton* m_search;
    TableView* m_view;
    EmptyState* m_nothing;
    ReceiptDialog* m_receipt = nullptr;
    QAction* m_filterAction;
    QAction* m_eventsAction;
    TicketPtr m_chartTicket, m_eventsTicket, m_summaryTicket, m_pageTicket, m_moreTicket, m_newestTicket, m_findTicket;
    QTimer m_settle;  ///< chart and sentence follow live decisions at most every two seconds
    QTimer m_retry;
    QTimer m_catchUp;  ///< runs until what is missing is in the database
};

}  // namespace signalbox::ui
