// SPDX-License-Identifier: MIT
#include "ui/shell/window_actions.h"

#include "ui/document/gateway_control.h"
#include "ui/settings/settings.h"
#include "ui/shell/draft_control.h"
#include "ui/widgets/basics.h"

#include <QAction>
#include <QMenuBar>

namespace signalbox::ui {

WindowActions::WindowActions(QObject* parent) : QObject(parent) {
    const auto keys = [](const char* text) { return QKeySequence(QString::fromLatin1(text)); };
    openWorkspace = add("file.open", tr("Open &workspace…"), QStringLiteral("folder"), QKeySequence::Open);
    newWorkspace = add("file.new", tr("&New workspace…"), QStringLiteral("plus"), QKeySequence::New);
    openTable = add("file.table", tr("Open routing &table…"), QStringLiteral("table"), keys("Ctrl+Shift+O"));
    importModels = add("file.import", tr("&Import models…"), QStringLiteral("download"));
    exportTable = add("file.export", tr("&Export and sign…"), QStringLiteral("export"), keys("Ctrl+E"));
    reload = add("file.reload", tr("&Read the files again"), QStringLiteral("refresh"), QKeySequence::Refresh);
    quit = add("file.quit", tr("&Quit"), QStringLiteral("close"), QKeySequence::Quit);
    palette = add("view.palette", tr("&Find or do anything…"), QStringLiteral("search"), keys("Ctrl+K"));
    back = add("view.back", tr("&Back"), QStringLiteral("back"), keys("Alt+Left"));
    forward = add("view.forward", tr("F&orward"), QStringLiteral("chevron-right"), keys("Alt+Right"));
    inspector = add("view.inspector", tr("&Inspector"), QStringLiteral("inspector"), keys("F4"));
    inspector->setCheckable(true);
    nextRegion = add("view.region", tr("&Next part of the window"), QStringLiteral("chevron-right"), keys("F6"));
    themeSystem = add("view.theme.system", tr("Theme of the &desktop"), QStringLiteral("settings"));
    themeLight = add("view.theme.light", tr("&Light theme"), QStringLiteral("sun"));
    themeDark = add("view.theme.dark", tr("Dar&k theme"), QStringLiteral("moon"));
    auto* themes = new QActionGroup(this);
    for (QAction* theme : {themeSystem, themeLight, themeDark}) {
        theme->setCheckable(true);
        themes->addAction(theme);
    }
    startHere = add("help.start", tr("&Start here"), QStringLiteral("flag"));
    shortcuts = add("help.shortcuts", tr("&Keyboard shortcuts"), QStringLiteral("key"), keys("F1"));
    about = add("help.about", tr("&About Signalbox"), QStringLiteral("info"));
}

QAction* WindowActions::add(const char* name, const QString& text, const QString& icon, const QKeySequence& shortcut) {
    auto* action = new QAction(text, this);
    action->setObjectName(QString::fromLatin1(name));
    action->setProperty("paletteIcon", icon);
    setThemedIcon(action, icon);
    action->setIconVisibleInMenu(false);
    if (!shortcut.isEmpty()) action->setShortcut(shortcut);
    m_all << action;
    return action;
}

QAction* WindowActions::themeAction(ThemeChoice choice) const {
    switch (choice) {
    case ThemeChoice::system: return themeSystem;
    case ThemeChoice::light: return themeLight;
    case ThemeChoice::dark: return themeDark;
    }
    return themeSystem;
}

void WindowActions::fill(QMenuBar* bar, const DraftControl& draft, const GatewayControl& gateway, const QList<QAction*>& pageActions, QMenu* recent, QMenu* targets) const {
    QMenu* file = bar->addMenu(tr("&File"));
    file->addActions({newWorkspace, openWorkspace, openTable});
    recent->setTitle(tr("Recen&t"));
    file->addMenu(recent);
    file->addSeparator();
    file->addActions({draft.saveAction(), draft.revertAction(), reload});
    file->addSeparator();
    file->addActions({importModels, exportTable});
    file->addSeparator();
    file->addAction(quit);

    QMenu* edit = bar->addMenu(tr("&Edit"));
    edit->addActions({draft.undoAction(), draft.redoAction()});
    edit->addSeparator();
    edit->addAction(draft.changesAction());

    QMenu* gatewayMenu = bar->addMenu(tr("&Gateway"));
    gatewayMenu->addMenu(targets);
    gatewayMenu->addSeparator();
    gatewayMenu->addActions({gateway.startAction(), gateway.stopAction()});
    gatewayMenu->addSeparator();
    gatewayMenu->addAction(gateway.applyAction());
    gatewayMenu->addSeparator();
    gatewayMenu->addAction(gateway.killAction());

    QMenu* view = bar->addMenu(tr("&View"));
    view->addActions({palette, back, forward});
    view->addSeparator();
    view->addActions(pageActions);
    view->addSeparator();
    view->addActions({inspector, nextRegion});
    view->addSeparator();
    view->addActions({themeSystem, themeLight, themeDark});

    QMenu* help = bar->addMenu(tr("&Help"));
    help->addActions({startHere, shortcuts, about});
}

}  // namespace signalbox::ui
