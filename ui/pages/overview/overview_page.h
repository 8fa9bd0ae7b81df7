// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/page.h"

#include <QPointer>
#include <QTimer>

#include <optional>

class QScrollArea;

namespace signalbox::ui {

class AttentionList;
class EmptyState;
class FindingsModel;
class LiveDecisionsModel;
class Section;
class StartCard;
class TableView;
class ToneLabel;
class TrafficPanel;
class UsualPanel;
struct AttentionItem;

/// "Is anything worse than usual, and for whom?" What runs, the figures of the range beside the same time of the last four
/// weeks with who stands out, traffic over time, what needs attention, the newest decisions, and what the open table's
/// reader and linter say about it.
class OverviewPage : public Page {
    Q_OBJECT
public:
    explicit OverviewPage(PageContext context, QWidget* parent = nullptr);
    ~OverviewPage() override;
    [[nodiscard]] QString id() const override { return QStringLiteral("overview"); }
    [[nodiscard]] QString name() const override { return tr("Overview"); }
    [[nodiscard]] QString question() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("overview"); }
    /// `cause` = findings | evidence | draft | start shows that cause; `finding` = row selects one.
    void open(const QVariantMap& arguments) override;
    [[nodiscard]] QVariantMap state() const override;
    [[nodiscard]] QList<QAction*> pageActions() const override;
    [[nodiscard]] QList<Findable> findables() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void makeLayout();
    void connectSources();
    void askSummary();
    void takeSummary(const Result<evidence::HistorySummary>& summary);
    void showFindings();
    void sayWhose();
    void judge();
    void mend(const AttentionItem& item);
    void inspectFinding(int row);
    void inspectDecision(int row);
    void inspectEvidence();

    FindingsModel* m_findings;
    LiveDecisionsModel* m_recent;
    AttentionList* m_attention;
    Section* m_findingsSection = nullptr;
    TableView* m_findingsView;
    TableView* m_recentView;
    EmptyState* m_noDecision;
    UsualPanel* m_usual;
    TrafficPanel* m_traffic;
    ToneLabel* m_whose;
    StartCard* m_start = nullptr;  ///< null where there are no first steps
    QScrollArea* m_area = nullptr;
    std::optional<evidence::HistorySummary> m_summary;
    bool m_isSummaryRefused = false;  ///< else it is on its way while there is none
    TicketPtr m_ticket;
    QPointer<QWidget> m_shown;  ///< a finding or a decision in the inspector
    Bridge::Interest m_endpointsInterest, m_refusalsInterest;  ///< while shown
    QTimer m_settle;  ///< decisions arrive many times a second; their totals follow at most every two
};

}  // namespace signalbox::ui
