// SPDX-License-Identifier: MIT
#include "ui/shell/inspector.h"

#include "ui/widgets/basics.h"
#include "ui/widgets/empty_state.h"

#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace signalbox::ui {

static constexpr int kLongLine = 24;

Inspector::Inspector(QWidget* parent) : QWidget(parent), m_title(makeHeading({})), m_area(new QScrollArea) {
    setObjectName(QStringLiteral("inspector"));
    setMinimumWidth(300);
    m_title->setWordWrap(true);
    auto* fold = makeIconButton(tr("Fold the inspector (F4)"), QStringLiteral("close"));
    connect(fold, &QToolButton::clicked, this, &Inspector::closed);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::kMargin, Theme::kMargin, Theme::kGap, Theme::kGap);
    bar->addWidget(m_title, 1);
    bar->addWidget(fold, 0, Qt::AlignTop);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->viewport()->setAutoFillBackground(false);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_area, 1);
    setContent(nullptr, {});
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void Inspector::setContent(QWidget* content, const QString& title) {
    m_empty = content == nullptr;
    m_title->setText(m_empty ? tr("Inspector") : title);
    setAccessibleName(tr("Inspector: %1").arg(m_empty ? tr("nothing selected") : title));
    if (m_empty)
        content = new EmptyState(QStringLiteral("inspector"), tr("Nothing selected"),
                                 tr("Select a finding, a request, a preset or a rule to see it here in full."));
    // Nothing may ask for more width than the inspector has: there is no scroll bar for it.
    for (QLabel* label : content->findChildren<QLabel*>())
        if (label->buddy() == nullptr && label->text().size() > kLongLine) label->setWordWrap(true);
    auto* canvas = new QWidget;
    canvas->setProperty("role", QStringLiteral("canvas"));
    auto* layout = new QVBoxLayout(canvas);
    layout->setContentsMargins(Theme::kMargin, Theme::kGap, Theme::kMargin, Theme::kMargin);
    layout->addWidget(content);
    layout->addStretch();
    // The old content may be the sender of the signal that brought us here.
    if (QWidget* old = m_area->takeWidget()) old->deleteLater();
    m_area->setWidget(canvas);
}

void Inspector::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(Surface::window));
}

}  // namespace signalbox::ui
