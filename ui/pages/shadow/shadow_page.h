// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/page.h"
#include "ui/pages/shadow/shadow_answer.h"

#include <QTimer>

#include <array>
#include <deque>
#include <functional>

class QComboBox;
class QStackedWidget;

namespace signalbox::ui {

class BarChart;
class ChartFrame;
class ComparisonStrip;
class EmptyState;
class ErrorBanner;
class EstimatesModel;
class FailuresModel;
class HeatChart;
class RateChart;
class TableView;
class ToneText;
struct ShadowMessage;

/// "Is the recommendation better, or merely different?" How often the best score and the one tried first differ, for
/// whom, why and by how much, what it would have cost, and the real calls behind it. Every bar, cell and band leads to
/// the decisions behind it.
class ShadowPage : public Page {
    Q_OBJECT
public:
    explicit ShadowPage(PageContext context, QWidget* parent = nullptr);
    ~ShadowPage() override;
    [[nodiscard]] QString id() const override { return QStringLiteral("shadow"); }
    [[nodiscard]] QString name() const override { return tr("Shadow"); }
    [[nodiscard]] QString question() const override { return tr("Is the recommendation better, or merely different?"); }
    [[nodiscard]] QString iconName() const override { return QStringLiteral("shadow"); }
    /// `group` and `profile` restrict the page; without them it shows all.
    void open(const QVariantMap& arguments) override;
    [[nodiscard]] QVariantMap state() const override;
    [[nodiscard]] QList<QAction*> pageActions() const override;
    [[nodiscard]] QList<Findable> findables() const override;

    /// Lays out an answer, one part a turn of the event loop; `answerChanged` comes with the last one.
    void showAnswer(ShadowAnswer answer);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeLayout();
    [[nodiscard]] QWidget* makeTables();
    void connectSources();
    void connectCharts();
    void ask();
    void take(Result<ShadowAnswer> answer);
    void showNextPart();
    void showRates();
    void showPairs();
    void showTerms();
    void showMargins();
    /// True when it took the place of the chart.
    bool sayNothingCompared(ChartFrame* chart) const;
    [[nodiscard]] std::array<ChartFrame*, 4> charts() const;
    void showSilence();
    void showMessage(const ShadowMessage& message);
    void offerGroups();
    void setChoice(const QString& group, const QString& profile);
    /// Goes to history with the page's own restriction and these conditions.
    void goToDecisions(QVariantMap conditions);
    void goToCell(int row, int column);
    void inspectCandidate(const CandidateFacts& facts);
    [[nodiscard]] QString when() const;

    QString m_group, m_profile;
    ShadowAnswer m_answer;
    bool m_stale = true;
    QString m_messagePage;
    QVariantMap m_messageArguments;
    QStringList m_offered;                ///< groups of the choice
    std::chrono::seconds m_askedSpan{0};

    QComboBox* m_groupChoice;
    QComboBox* m_profileChoice;
    ToneText* m_session;
    ErrorBanner* m_silence;
    RateChart* m_rates;
    HeatChart* m_pairs;
    BarChart* m_terms;
    BarChart* m_margins;
    ComparisonStrip* m_comparison;
    EstimatesModel* m_estimates;
    FailuresModel* m_failures;
    TableView* m_estimatesView;
    TableView* m_failuresView;
    QWidget* m_content = nullptr;
    EmptyState* m_empty;
    QStackedWidget* m_stack;
    TicketPtr m_ticket, m_eventsTicket;
    QTimer m_settle;  ///< a live range is asked about at most every ten seconds
    QTimer m_retry;
    std::deque<std::function<void()>> m_parts;  ///< of the answer, still to be shown
    QTimer m_nextPart;
};

}  // namespace signalbox::ui
