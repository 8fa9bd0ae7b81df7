// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/page.h"

#include <QTimer>

#include <optional>

namespace signalbox::ui {

class AttentionList;
class Figure;
class FindingsModel;
class LiveDecisionsModel;
class Section;
class TableView;
struct AttentionItem;

/// "Is anything worse than usual, and for whom?" What runs, what needs attention, the figures of the range, the newest
/// decisions, and what the open table's reader and linter say about it.
class OverviewPage : public Page {
    Q_OBJECT
public:
    explicit OverviewPage(PageContext context, QWidget* parent = nullptr);
    ~OverviewPage() override;
    [[nodiscard]] QString id() const override { return QStringLiteral("overview"); }
    [[nodiscard]] QString name() const override { return tr("Overview"); }
    [[nodiscard]] QString question() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("overview"); }
    /// `cause` = findings | evidence | draft shows that cause; `finding` = row selects one.
    void open(const QVariantMap& arguments) override;
    [[nodiscard]] QVariantMap state() const override;
    [[nodiscard]] QList<Findable> findables() const override;

private:
    void makeLayout();
    void connectSources();
    void askSummary();
    void takeSummary(const Result<evidence::HistorySummary>& summary);
    void showFigures();
    void showFindings();
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
    Figure *m_requests, *m_served, *m_failed, *m_firstToken, *m_byRule, *m_gaps;
    std::optional<evidence::HistorySummary> m_summary;
    QString m_summaryError;
    TicketPtr m_ticket;
    QTimer m_settle;  ///< decisions arrive many times a second; the figures follow at most every two
};

}  // namespace signalbox::ui
