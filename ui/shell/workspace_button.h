// SPDX-License-Identifier: MIT
#pragma once

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
    void chooseWorkspace();
    void chooseTable();
    /// What is open has another name now.
    void refresh();

Q_SIGNALS:
    void chosen(const QString& path);

private:
    void fillRecent();

    const PolicyDocument* m_document;
    const Settings* m_settings;
    QMenu* m_recent;
    QList<QAction*> m_actions;
};

}  // namespace signalbox::ui
