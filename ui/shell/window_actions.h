// SPDX-License-Identifier: MIT
#pragma once

#include <QActionGroup>
#include <QList>
#include <QObject>

class QAction;
class QMenu;
class QMenuBar;

namespace signalbox::ui {

class DraftControl;
class GatewayControl;
enum class ThemeChoice;

/// Every action of the window by name: menus, shortcuts, the palette and the shortcut list all read from here.
class WindowActions : public QObject {
    Q_OBJECT
public:
    explicit WindowActions(QObject* parent = nullptr);

    QAction *newWorkspace, *openWorkspace, *openTable, *importModels, *exportTable, *reload, *quit;
    QAction *palette, *back, *forward, *inspector, *nextRegion;
    QAction *themeSystem, *themeLight, *themeDark;
    QAction *startHere, *shortcuts, *about;

    /// Fills `bar`. `pageActions` go into View in their order; `recent` is filled when it opens; `targets` chooses the gateway that is looked at.
    void fill(QMenuBar* bar, const DraftControl& draft, const GatewayControl& gateway, const QList<QAction*>& pageActions, QMenu* recent, QMenu* targets) const;
    [[nodiscard]] QList<QAction*> all() const { return m_all; }
    [[nodiscard]] QAction* themeAction(ThemeChoice choice) const;

private:
    QAction* add(const char* name, const QString& text, const QString& icon, const QKeySequence& shortcut = {});
    QList<QAction*> m_all;
};

}  // namespace signalbox::ui
