// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/history/history_query.h"
#include "ui/pages/page.h"

#include <QTimer>

class QPushButton;

namespace signalbox::ui {

class EmptyState;
class FilterBar;
class HistoryModel;
class ReceiptDialog;
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

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// What the console's own gateway had recorded at a moment, and the writer brought to its end.
    struct Known {
        std::uint64_t recorded = 0, unsettled = 0;
        std::uint64_t ended = 0;  ///< begins below zero, by what an earlier process left behind
    };

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
    void askNewestBehind(const std::optional<evidence::PageKey>& after, const Known& asked);
    void askDecision(const DecisionId& id);
    void takeChart(const Result<evidence::PresetSeries>& answer);
    void takeFirstPage(Result<evidence::HistoryPage> answer, const Known& asked);
    void takeNewest(Result<evidence::HistoryPage> answer, bool isFirst, const Known& asked);
    void takeMore(Result<evidence::HistoryPage> answer, const evidence::PageKey& after, const Known& asked);
    void noteNewest(const Result<evidence::HistoryPage>& answer);
    [[nodiscard]] HistoryMessage explain(const Error& error);
    [[nodiscard]] HistoryMessage whyNothing() const;
    void showSession();
    /// A page has come. Where it ended because the search takes long, the next part is asked for until there is a screenful,
    /// or somebody stops it; the note says how far it has come (F91).
    void searched(const std::optional<Timestamp>& to, std::size_t found);
    void stopOrGoOn();

    void follow(const std::vector<RecordPtr>& records, quint64 skipped);
    /// What the database had when it was asked and what came live make one list, unless between them something is in neither.
    void joinLive(const Known& asked);
    void fallBehind();
    void catchUp();
    [[nodiscard]] Known known() const;
    /// Whether all that was decided came live and is at hand, but for what the database had at that moment.
    [[nodiscard]] bool isAtHandSince(const Known& asked) const;
    /// Before a question: what comes live until its answer stays at hand with what is there now.
    void keepRecent();
    void keep(const std::vector<RecordPtr>& records, bool isBehindGap);
    /// The newest decisions of the own gateway that are at hand, oldest first.
    [[nodiscard]] const std::vector<RecordPtr>& recent() const;
    /// Nothing was missing from here down to the model's next page.
    [[nodiscard]] Timestamp readTo() const;
    [[nodiscard]] bool isReading() const { return m_pageTicket != nullptr || m_newestTicket != nullptr; }
    [[nodiscard]] bool isAsking() const { return isReading() || m_moreTicket != nullptr; }
    [[nodiscard]] bool isReadBelow() const;
    void addLive(const std::vector<RecordPtr>& records);
    void showCount();
    void goToPoint(const evidence::TimeRange& range, int line);
    void emphasise(int line);
    void select(const DecisionId& id);
    [[nodiscard]] QString notInHistory(const DecisionId& id) const;
    void inspect(RecordPtr record, const QString& title = {});
    void openReceipt(int row);

    HistoryQuery m_query;
    evidence::HistoryFilter m_shown;  ///< what the table holds now
    bool m_stale = true;              ///< asked for again when shown
    bool m_readable = true;           ///< the table holds history, not this session only
    bool m_isBehind = false;          ///< rows may be missing: nothing goes above the hole until it has been read
    std::uint64_t m_endedThen = 0;    ///< when the database was asked last
    int m_looks = 0;                  ///< of `m_catchUp` since then
    Timestamp m_readTo{};             ///< while nothing is missing: see `readTo`
    Timestamp m_newestRead{};          ///< becomes that once the question for the newest has come down to it
    Timestamp m_newestTo{};            ///< so far down that question goes, whatever is read below meanwhile
    std::vector<RecordPtr> m_kept;     ///< as the bridge's, which a slow search outlasts: nothing is dropped while a question is under way
    std::optional<DecisionId> m_selected;
    std::optional<Timestamp> m_searchedTo;  ///< while a search for what no index answers is not at its end
    std::size_t m_found = 0;                ///< by that search since it last had a screenful
    bool m_searchStopped = false;

    HistoryModel* m_model;
    TimeChart* m_chart;
    FilterBar* m_filters;
    Section* m_decisions;
    QPushButton* m_search;
    TableView* m_view;
    EmptyState* m_nothing;
    ReceiptDialog* m_receipt = nullptr;
    QAction* m_filterAction;
    TicketPtr m_chartTicket, m_eventsTicket, m_summaryTicket, m_pageTicket, m_moreTicket, m_newestTicket, m_findTicket;
    QTimer m_settle;  ///< chart and sentence follow live decisions at most every two seconds
    QTimer m_retry;
    QTimer m_catchUp;  ///< runs until what is missing is in the database
};

}  // namespace signalbox::ui
