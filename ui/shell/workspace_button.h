// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <QPushButton>

class QAction;
class QMenu;

namespace signalbox::ui {

class PolicyDocument;
class Settings;

/// What is open, on top of the navigation, with the menu of what was open lately; and the dialogs that choose another.
class WorkspaceButton : public QPushButton {
    Q_OBJECT
public:
    WorkspaceButton(const PolicyDocument* document, const Settings* settings, QWidget* parent = nullptr);

    /// Recent workspaces and then these actions; the menu bar shows it too.
    [[nodiscard]] QMenu* recentMenu() const { return m_recent; }
    void setActions(const QList<QAction*>& actions) { m_actions = actions; }
    /// A folder that becomes a workspace to begin with, and is opened.
    void makeWorkspace();
    void makeWorkspaceIn(const QString& folder);
    void chooseWorkspace();
    void chooseTable();
    /// Only the folder's icon; the name is in the tool tip.
    void setFolded(bool folded);
    /// What is open has another name now.
    void refresh();

Q_SIGNALS:
    void chosen(const QString& path);
    void failed(const signalbox::Error& error);
    /// About what is opened next.
    void cautioned(const QString& text);

private:
    void fillRecent();

    const PolicyDocument* m_document;
    const Settings* m_settings;
    QMenu* m_recent;
    QList<QAction*> m_actions;
    bool m_folded = false;
};

}  // namespace signalbox::ui
