// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/page.h"

#include <QPointer>

class QBoxLayout;
class QSplitter;
class QStackedWidget;
class QTabBar;

namespace signalbox::ui {

class EmptyState;
class FactList;
class LiveDecisionsModel;
class RefusalsModel;
class RunningView;
class Section;
class SnippetPanel;
class TableView;
class TryPanel;

/// "Which client is broken, and what should it send?" Address and token, snippets, a pane that tries a real request,
/// requests as they happen, those under way on top, and refusals of the last hour by reason and client with what would fix
/// them.
class GatewayPage : public Page {
    Q_OBJECT
public:
    explicit GatewayPage(PageContext context, QWidget* parent = nullptr);
    [[nodiscard]] QString id() const override { return QStringLiteral("gateway"); }
    [[nodiscard]] QString name() const override { return tr("Gateway"); }
    [[nodiscard]] QString question() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("gateway"); }
    [[nodiscard]] RangeUse rangeUse() const override { return RangeUse::none; }
    /// `try` = name of a model, or empty: opens the pane that tries a request.
    void open(const QVariantMap& arguments) override;
    [[nodiscard]] QVariantMap state() const override;
    [[nodiscard]] QList<QAction*> pageActions() const override { return {m_tryAction, m_copySnippet}; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeLayout();
    [[nodiscard]] QWidget* makeDial();
    [[nodiscard]] QWidget* makeClientSection();
    void showReceipt(const QString& decisionId);
    void refresh();
    void nameRefusals();
    void answer();
    [[nodiscard]] QString liveNote() const;
    [[nodiscard]] QString whatIsBroken() const;
    void showRunning();
    void followInspected();
    void inspectDecision(int row);
    void inspectRefusal(int row);
    static void addClient(FactList& facts, const engine::RefusalCount& refusal);

    LiveDecisionsModel* m_decisions;
    RefusalsModel* m_refusals;
    TableView* m_decisionsView;
    TableView* m_refusalsView;
    EmptyState* m_noRefusals;
    SnippetPanel* m_snippets;
    TryPanel* m_try;
    QTabBar* m_clientTabs;
    QStackedWidget* m_clientStack;
    QBoxLayout* m_top = nullptr;  ///< connection beside client, or above it where the page is narrow
    QSplitter* m_tables = nullptr;
    Section* m_live = nullptr;
    Section* m_refused = nullptr;
    QAction* m_copySnippet;
    QAction* m_tryAction;
    bool m_knowsRefusals = true;
    quint64 m_skipped = 0;
    Bridge::Interest m_interest, m_requestsInterest;  ///< in the refusals and in what is under way, while shown
    QPointer<RunningView> m_inspected;                ///< the request under way that the inspector shows, if it shows one
};

}  // namespace signalbox::ui
