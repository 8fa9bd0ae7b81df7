// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/registry.h"

#include <QHash>
#include <QMainWindow>
#include <QTimer>

#include <optional>

class QSplitter;

namespace signalbox::ui {

class CommandPalette;
class DraftControl;
class FocusKeeper;
class GatewayControl;
class Inspector;
class Navigation;
class PageFrame;
class Settings;
class StartHere;
class StatusLine;
class TargetButton;
class Targets;
class VisitHistory;
class WindowActions;
class WorkspaceButton;
struct Command;
struct Visit;

/// The console's window: composes navigation, page frame, inspector and status line and routes between them.
/// Holds no page's logic. Everything it is given outlives it.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    struct Parts {
        Bridge* bridge = nullptr;
        PolicyDocument* document = nullptr;
        GatewayControl* gateway = nullptr;
        Settings* settings = nullptr;
        std::filesystem::path keyFolder;  ///< of the user's signing keys
        Targets* targets = nullptr;       ///< gateways elsewhere; null where there can be none
    };
    MainWindow(const Parts& parts, const std::vector<PageEntry>& pages, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens a workspace folder or a table file; asks first when unsaved changes would be lost.
    void openPath(const QString& path);
    void go(const QString& pageId, const QVariantMap& arguments = {});
    void goBack();
    void goForward();
    [[nodiscard]] Page* page(const QString& id) const { return m_pages.value(id); }
    [[nodiscard]] Page* currentPage() const;
    [[nodiscard]] QStringList pageIds() const { return m_order; }
    void complain(const Error& error);
    /// A lasting remark of the program about this session, e.g. that it only observes.
    void remark(const QString& message);

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void meetGuest();
    /// Before something is done to a gateway elsewhere, or another console is opened.
    void ask(const QString& question, const QString& verb, const std::function<void()>& go);
    void makePages(const std::vector<PageEntry>& pages);
    void addPage(const PageEntry& entry, Page* page, std::optional<PageGroup>& group);
    [[nodiscard]] Visit here() const;
    void comeBackTo(const std::optional<Visit>& visit);
    void inspect(const QString& page, QWidget* content, const QString& title);
    void makeLayout();
    void connectActions();
    void connectDocument();
    void showPage(const QString& id, const QVariantMap& arguments);
    void setInspectorShown(bool shown);
    void shareRoom();
    void foldNavigation(bool fold);
    void openPalette();
    [[nodiscard]] QList<Command> commands();
    void applyTheme(int choice);
    void nameWindow();

    Parts m_parts;
    ViewState* m_view;
    PageContext m_context;
    WindowActions* m_actions;
    StartHere* m_start;
    DraftControl* m_draft = nullptr;
    Navigation* m_navigation;
    PageFrame* m_frame;
    Inspector* m_inspector;
    QSplitter* m_splitter;
    FocusKeeper* m_focus = nullptr;
    StatusLine* m_status = nullptr;
    CommandPalette* m_palette = nullptr;
    WorkspaceButton* m_workspace;
    TargetButton* m_target = nullptr;
    std::unique_ptr<VisitHistory> m_visits;
    QHash<QString, Page*> m_pages;
    QStringList m_order;
    QList<QAction*> m_pageActions;
    QTimer m_follow;
    QString m_guest;         ///< another workspace than the console's own, as it was met
    QString m_caution;       ///< said once what was made is open
    bool m_wantsInspector = false;  ///< shown where there is room for it, or something in it
    int m_navigationWidth = 0;      ///< as it was before it was folded
    bool m_asks = false;     ///< the banner asks about the gateway that is looked at, or the workspace that is open
    bool m_closing = false;  ///< asked and answered
};

}  // namespace signalbox::ui
