// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

#include <QPushButton>

class QMenu;

namespace signalbox::ui {

class Targets;

/// Which gateway the console looks at, on top of the navigation: its name with the shape of its state, and the menu that
/// chooses another, adds one or forgets one.
class TargetButton : public QPushButton {
    Q_OBJECT
public:
    /// `targets` may be null: then the console knows its own gateway alone.
    TargetButton(const PageContext& context, Targets* targets, QWidget* parent = nullptr);

    /// Only the shape of the state; the name is in the tool tip.
    void setFolded(bool folded);
    [[nodiscard]] QMenu* targetMenu() const { return m_menu; }
    /// Asks for another gateway.
    [[nodiscard]] QAction* addAction() const { return m_add; }
    /// One for each gateway that can be chosen, for the palette.
    [[nodiscard]] QList<QAction*> chooseActions() const { return m_choices; }

private:
    void fill();
    QAction* addChoice(const QString& name, const QString& text, const QString& tip);
    void choose(const QString& name);
    void askToForget(const QString& name);
    void refresh();

    PageContext m_context;
    Targets* m_targets;
    QMenu* m_menu;
    QAction* m_add;
    QAction* m_forget;
    QList<QAction*> m_choices;
    bool m_folded = false;
};

}  // namespace signalbox::ui
