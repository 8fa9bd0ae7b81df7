// SPDX-License-Identifier: MIT
#include "ui/shell/palette_commands.h"

#include "router/base/ids.h"
#include "ui/theme/format.h"

#include <QAction>
#include <QCoreApplication>
#include <QPointer>

namespace signalbox::ui {

namespace {
struct PaletteCommandsWords {
    Q_DECLARE_TR_FUNCTIONS(CommandPalette)
};
}  // namespace

// Of two ampersands one is meant.
static QString withoutMnemonic(const QString& text) {
    QString plain;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == QLatin1Char('&') && ++i == text.size()) break;
        plain += text[i];
    }
    return plain;
}

QList<Command> actionCommands(const QList<QAction*>& actions) {
    QList<Command> commands;
    for (QAction* action : actions) {
        if (!action->isEnabled() || action->objectName() == QLatin1String("view.palette")) continue;
        QString icon = action->property("paletteIcon").toString();
        if (icon.isEmpty()) icon = QStringLiteral("chevron-right");
        commands << Command{withoutMnemonic(action->text()), PaletteCommandsWords::tr("action"), icon,
                            action->shortcut().toString(QKeySequence::NativeText), [guarded = QPointer(action)] {
                                if (guarded) guarded->trigger();
                            }};
    }
    return commands;
}

QList<Command> findableCommands(const Page& page, const std::function<void(const QVariantMap&)>& open) {
    QList<Command> commands;
    for (const Page::Findable& findable : page.findables())
        commands << Command{findable.label, findable.kind, page.iconName(), {}, [open, arguments = findable.arguments] { open(arguments); }};
    return commands;
}

QList<Command> decisionCommands(const QString& typed, const std::function<void(const QString&)>& open) {
    if (!DecisionId::parse(format::utf8(typed))) return {};
    return {Command{PaletteCommandsWords::tr("Open decision %1").arg(typed), PaletteCommandsWords::tr("decision"), QStringLiteral("receipt"), {}, [open, typed] { open(typed); }}};
}

}  // namespace signalbox::ui
