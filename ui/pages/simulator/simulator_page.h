// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"
#include "ui/pages/simulator/request_panel.h"
#include "ui/pages/simulator/simulation.h"

#include <QTimer>

class QBoxLayout;
class QStackedWidget;

namespace signalbox::ui {

class EmptyState;
class PathView;
class PoolPanel;
class ResultPanel;
class WhatIfPanel;
class WhoseHealth;

/// "What would happen to this request, and what would change it?" The request, its way and the answer beside each other,
/// asked of the draft and of the running policy by the gateway's own functions. Never counts as traffic (F74).
class SimulatorPage : public Page {
    Q_OBJECT
public:
    explicit SimulatorPage(PageContext context, QWidget* parent = nullptr);
    ~SimulatorPage() override;
    [[nodiscard]] QString id() const override { return QStringLiteral("simulator"); }
    [[nodiscard]] QString name() const override { return tr("Simulator"); }
    [[nodiscard]] QString question() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("simulator"); }
    [[nodiscard]] RangeUse rangeUse() const override { return RangeUse::none; }
    /// `decision` = id of one in history; `model`, `profile` for the form; `body` = JSON.
    void open(const QVariantMap& arguments) override;
    [[nodiscard]] QVariantMap state() const override;
    [[nodiscard]] QList<QAction*> pageActions() const override;

Q_SIGNALS:
    /// An answer is on the screen.
    void answered();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Answers {
        Simulated draft;
        std::optional<Simulated> running;
    };
    void makeLayout();
    void connectSources();
    void takeDraft();
    void takeRecent();
    void askKept();
    void askSoon();
    void ask();
    void present(const Question& question, const Answers& answers);
    void askPool(const Question& question, const Simulated& draft);
    void showProblem(const Error& error);
    void findDecision(const QString& id);
    /// Why no gateway is asked what it measures or would choose, in a sentence; empty while one is.
    [[nodiscard]] QString whyNobodyIsAsked() const;
    [[nodiscard]] Result<AskedRequest> askedRequest() const;
    [[nodiscard]] Question question(AskedRequest asked) const;

    QStackedWidget* m_stack;
    EmptyState* m_empty;
    WhoseHealth* m_health;
    RequestPanel* m_request;
    WhatIfPanel* m_whatIf;
    PathView* m_path;
    ResultPanel* m_result;
    PoolPanel* m_pool;
    QStackedWidget* m_answer;
    EmptyState* m_nothing;
    QBoxLayout* m_beside = nullptr;  ///< the way and its end, one below the other where the page is narrow
    QAction* m_reset;
    QTimer m_settle;  ///< a slider moves many times a second
    quint64 m_job = 0;
    TicketPtr m_ticket;
    TicketPtr m_keptTicket;
    std::vector<RecordPtr> m_kept;  ///< newest of the history, from before this session
    Bridge::Interest m_interest;
};

}  // namespace signalbox::ui
