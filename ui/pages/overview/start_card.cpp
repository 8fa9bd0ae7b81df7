// SPDX-License-Identifier: MIT
#include "ui/pages/overview/start_card.h"

#include "ui/widgets/basics.h"
#include "ui/widgets/figure_row.h"
#include "ui/widgets/section.h"

#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace signalbox::ui {

using Step = StartHere::Step;

static constexpr int kUnderTitle = 30;  // past the button's edge and icon

static QString stepTitle(Step step) {
    switch (step) {
    case Step::serving: return StartCard::tr("See who serves what");
    case Step::receipt: return StartCard::tr("See why a request went there");
    case Step::change: return StartCard::tr("Change a rule and try it");
    case Step::request: return StartCard::tr("Send a request");
    }
    return {};
}

static QString stepDetail(Step step) {
    switch (step) {
    case Step::serving: return StartCard::tr("Endpoints: each model and what stands behind it");
    case Step::receipt: return StartCard::tr("History: choose a decision and read its receipt");
    case Step::change: return StartCard::tr("Rules, then Simulator; nothing runs until you apply");
    case Step::request: return StartCard::tr("Gateway: try one there, or copy a snippet");
    }
    return {};
}

StartCard::StartCard(const PageContext& context, QWidget* parent) : QWidget(parent), m_context(context), m_section(new Section(tr("Start here"))) {
    setAccessibleName(tr("Start here"));
    auto* away = makeIconButton(tr("Put away; the Help menu brings it back"), QStringLiteral("close"));
    away->setObjectName(QStringLiteral("start.away"));
    connect(away, &QToolButton::clicked, this, [this] {
        m_context.start->setShown(false);
        m_context.say(tr("Start here is put away. The Help menu brings it back."));
    });
    m_section->addControl(away);
    QList<QWidget*> steps;
    for (const Step step : StartHere::kSteps) steps << makeStep(step);
    m_section->body()->addWidget(new FigureRow(steps));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_section);
    connect(m_context.start, &StartHere::changed, this, &StartCard::refresh);
    refresh();
}

QWidget* StartCard::makeStep(Step step) {
    auto* button = makeButton(stepTitle(step), QStringLiteral("chevron-right"), ButtonRole::quiet);
    button->setObjectName(QStringLiteral("start.") + StartHere::nameOf(step));
    button->setAccessibleDescription(stepDetail(step));
    connect(button, &QPushButton::clicked, this, [this, step] { follow(step); });
    m_buttons[static_cast<std::size_t>(step)] = button;
    auto* detail = makeMuted(stepDetail(step));
    detail->setFont(Theme::instance().smallFont());
    detail->setIndent(kUnderTitle);
    auto* made = new QWidget;
    auto* layout = new QVBoxLayout(made);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(1);
    layout->addWidget(button, 0, Qt::AlignLeft);
    layout->addWidget(detail);
    layout->addStretch();
    return made;
}

void StartCard::follow(Step step) {
    switch (step) {
    case Step::serving: return m_context.go(QStringLiteral("endpoints"), {});
    case Step::receipt: return m_context.go(QStringLiteral("history"), {});
    // Whoever has changed one is half through it.
    case Step::change: return m_context.go(m_context.start->hasChangedRule() ? QStringLiteral("simulator") : QStringLiteral("rules"), {});
    case Step::request: return m_context.go(QStringLiteral("gateway"), {});
    }
}

void StartCard::refresh() {
    setVisible(m_context.start->isShown());
    m_section->setNote(tr("%1 of %2 done").arg(m_context.start->doneCount()).arg(StartHere::kSteps.size()));
    for (const Step step : StartHere::kSteps) {
        QPushButton* button = m_buttons[static_cast<std::size_t>(step)];
        const bool isDone = m_context.start->isDone(step);
        setThemedIcon(button, isDone ? QStringLiteral("check") : QStringLiteral("chevron-right"));
        button->setAccessibleName(isDone ? tr("%1, done").arg(stepTitle(step)) : stepTitle(step));
    }
}

void StartCard::takeFocus() {
    for (const Step step : StartHere::kSteps)
        if (!m_context.start->isDone(step)) return m_buttons[static_cast<std::size_t>(step)]->setFocus(Qt::OtherFocusReason);
    m_buttons.front()->setFocus(Qt::OtherFocusReason);
}

}  // namespace signalbox::ui
