// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/groups/candidate_rows.h"
#include "ui/pages/page_sheet.h"

#include <QTimer>

class QLabel;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace signalbox::ui {

class CandidateForm;
class CandidatesModel;
class CardList;
class EmptyState;
class GroupHeader;
class PreviewPanel;
class Section;
class TableView;
class ToolCallWatch;
class WeightsPanel;
class WhoseHealth;

/// "Are my priors still true?" The smart groups of the draft: aliases, candidates with their priors beside what was
/// measured, weights, and what the draft would do with the last requests. Everything can be edited, one undoable step at
/// a time.
class GroupsPage : public Page {
    Q_OBJECT
public:
    explicit GroupsPage(PageContext context, QWidget* parent = nullptr);
    ~GroupsPage() override;
    [[nodiscard]] QString id() const override { return QStringLiteral("groups"); }
    [[nodiscard]] QString name() const override { return tr("Groups"); }
    [[nodiscard]] QString question() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("groups"); }
    /// `group` = id, `candidate` = `provider:model`.
    void open(const QVariantMap& arguments) override;
    [[nodiscard]] QVariantMap state() const override;
    [[nodiscard]] QList<QAction*> pageActions() const override { return m_pageActions; }
    [[nodiscard]] QList<Findable> findables() const override;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeLayout();
    QWidget* makeList();
    QWidget* makeDetail();
    void makeActions();
    QAction* addAction(QWidget* where, const QString& text, const QKeySequence& keys, void (GroupsPage::*does)());
    void connectSources();

    // What is shown.
    void takeDraft();
    void showEmpty();
    void showList();
    void showGroup();
    void showRows();
    void showCandidate();
    void showPreview();
    void fitTable();
    void ask();
    void say();
    void choose(int row);
    void inspectCandidate(int row);
    void followChoice();
    void chooseNoCandidate();

    // What is done.
    void newGroup();
    void renameGroup();
    void duplicateGroup();
    void removeGroup();
    void addCandidate();
    void editCandidate();
    void duplicateCandidate();
    void removeCandidate();
    void toggleCandidate();
    void raiseCandidate() { moveCandidate(m_candidate, m_candidate - 1); }
    void lowerCandidate() { moveCandidate(m_candidate, m_candidate + 1); }
    void moveCandidate(int from, int to);
    bool report(const Result<void>& done);

    [[nodiscard]] const config::GatewayConfig* config() const;
    [[nodiscard]] const config::SmartGroup* group() const;
    void rememberOwn();
    /// What recorded decisions were made from: the policy that the console's own gateway runs, whichever is looked at, else
    /// the file as it was read.
    [[nodiscard]] const config::GatewayConfig* before() const;
    /// With everything that is known of each.
    [[nodiscard]] std::vector<CandidateRow> rowsOf(const config::SmartGroup& group) const;
    [[nodiscard]] QString sourceOf(std::size_t candidate, const std::string& key) const;

    PageSheet m_sheet{m_context};  ///< of the chosen candidate
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    CardList* m_list;
    Section* m_listSection = nullptr;
    GroupHeader* m_header;
    CandidatesModel* m_model;
    TableView* m_table;
    Section* m_tableSection = nullptr;
    Section* m_formSection = nullptr;
    CandidateForm* m_form;
    WeightsPanel* m_weights;
    PreviewPanel* m_preview;
    WhoseHealth* m_health = nullptr;
    ToolCallWatch* m_toolCalls;
    QList<QPushButton*> m_candidateButtons;
    QPushButton* m_newGroup = nullptr;
    QPushButton* m_addCandidate = nullptr;
    QList<QAction*> m_pageActions;

    std::string m_group;   ///< id of the chosen one
    int m_candidate = -1;  ///< its place in the group; -1 for none
    std::string m_rowsOf;  ///< id of the group whose candidates the table shows
    std::shared_ptr<const policy::PolicySnapshot> m_ownRunning;  ///< when it was looked at last
    std::shared_ptr<const policy::LoadedWorkspace> m_clean;  ///< the draft when it last was what the files say
    std::optional<evidence::ShadowReport> m_report;
    QString m_problem;     ///< why nothing is measured
    std::vector<RecordPtr> m_history;
    Bridge::Interest m_interest;
    TicketPtr m_reportTicket, m_historyTicket;
    QTimer m_settle;
};

}  // namespace signalbox::ui
