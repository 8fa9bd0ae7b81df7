// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"
#include "ui/pages/start_here.h"

#include <array>

class QPushButton;

namespace signalbox::ui {

class Section;

/// "Start here": four steps that lead to what the console is for, each with a tick once it was taken. It covers nothing and
/// asks nothing; put away, it comes back from the Help menu.
class StartCard : public QWidget {
    Q_OBJECT
public:
    /// `context.start` is there.
    explicit StartCard(const PageContext& context, QWidget* parent = nullptr);
    /// To the first step that is left.
    void takeFocus();

private:
    [[nodiscard]] QWidget* makeStep(StartHere::Step step);
    void follow(StartHere::Step step);
    void refresh();

    PageContext m_context;
    Section* m_section;
    std::array<QPushButton*, StartHere::kSteps.size()> m_buttons{};
};

}  // namespace signalbox::ui
