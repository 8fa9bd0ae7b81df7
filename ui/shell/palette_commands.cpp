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

// What people look for and no page is called.
static QStringList contentsOf(const QString& page) {
    const auto tr = [](const char* text) { return PaletteCommandsWords::tr(text); };
    if (page == QLatin1String("overview")) return {tr("needs attention"), tr("findings"), tr("errors"), tr("usual traffic")};
    if (page == QLatin1String("endpoints")) return {tr("drain an endpoint"), tr("circuits"), tr("cooling"), tr("pools"), tr("slots and quotas")};
    if (page == QLatin1String("gateway")) return {tr("base URL"), tr("client token"), tr("snippets"), tr("try a request"), tr("refused requests")};
    if (page == QLatin1String("presets")) return {tr("models of the table")};
    if (page == QLatin1String("rules")) return {tr("coverage matrix"), tr("declared gaps")};
    if (page == QLatin1String("groups")) return {tr("smart groups"), tr("candidates"), tr("weights"), tr("profiles")};
    if (page == QLatin1String("access")) return {tr("principals"), tr("teams"), tr("budgets"), tr("cost: prices"), tr("providers"), tr("aliases")};
    if (page == QLatin1String("simulator")) return {tr("replay a request"), tr("what if"), tr("cost of a request, estimated")};
    if (page == QLatin1String("shadow")) return {tr("recommendations"), tr("disagreement"), tr("canary"), tr("cost of both answers")};
    if (page == QLatin1String("history")) return {tr("requests"), tr("decisions"), tr("receipts"), tr("teams"), tr("cost of each request")};
    if (page == QLatin1String("events"))
        return {tr("audit: who did what"), tr("marks on charts"), tr("acts of operators"), tr("notes"), tr("drains and applies")};
    if (page == QLatin1String("export")) return {tr("sign"), tr("release"), tr("signing keys"), tr("publish")};
    return {};
}

Command pageCommand(const Page& page, std::function<void()> go) {
    return {page.name(), PaletteCommandsWords::tr("page"), page.iconName(), {}, std::move(go), contentsOf(page.id())};
}

QList<Command> findableCommands(const Page& page, const std::function<void(const QVariantMap&)>& open) {
    QList<Command> commands;
    for (const Page::Findable& findable : page.findables()) {
        QStringList otherNames{findable.kind};
        // What is done to one stands in its sheet.
        if (findable.arguments.contains(QStringLiteral("endpoint")))
            otherNames << PaletteCommandsWords::tr("drain") << PaletteCommandsWords::tr("circuit");
        const auto run = [open, arguments = findable.arguments] { open(arguments); };
        commands << Command{findable.label, findable.kind, page.iconName(), {}, run, otherNames};
    }
    return commands;
}

QList<Command> decisionCommands(const QString& typed, const std::function<void(const QString&)>& open) {
    if (!DecisionId::parse(format::utf8(typed))) return {};
    return {Command{PaletteCommandsWords::tr("Open decision %1").arg(typed), PaletteCommandsWords::tr("decision"), QStringLiteral("receipt"), {}, [open, typed] { open(typed); }}};
}

}  // namespace signalbox::ui
