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
static constexpr auto kNothingSelected = "nothingSelected";

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
    display(nullptr, {});
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

// Nothing may ask for more width than the inspector has: there is no scroll bar for it.
static QWidget* onCanvas(QWidget* content) {
    for (QLabel* label : content->findChildren<QLabel*>())
        if (label->buddy() == nullptr && label->text().size() > kLongLine) label->setWordWrap(true);
    auto* canvas = new QWidget;
    canvas->setProperty("role", QStringLiteral("canvas"));
    auto* layout = new QVBoxLayout(canvas);
    layout->setContentsMargins(Theme::kMargin, Theme::kGap, Theme::kMargin, Theme::kMargin);
    layout->addWidget(content);
    layout->addStretch();
    return canvas;
}

void Inspector::setContent(const QString& page, QWidget* content, const QString& title) {
    drop(page);
    if (content != nullptr) m_kept.insert(page, {onCanvas(content), title});
    const Kept kept = m_kept.value(page);
    if (page == m_page) display(kept.canvas, kept.title);
    else if (kept.canvas != nullptr) {
        kept.canvas->hide();
        kept.canvas->setParent(this);
    }
}

void Inspector::setPage(const QString& page) {
    if (page == m_page) return;
    m_page = page;
    const Kept kept = m_kept.value(page);
    display(kept.canvas, kept.title);
}

// The old content may be the sender of the signal that brought us here.
void Inspector::drop(const QString& page) {
    const Kept kept = m_kept.take(page);
    if (kept.canvas == nullptr) return;
    if (m_area->widget() == kept.canvas) m_area->takeWidget();
    kept.canvas->hide();
    kept.canvas->deleteLater();
}

void Inspector::display(QWidget* canvas, const QString& title) {
    m_empty = canvas == nullptr;
    m_title->setText(m_empty ? tr("Inspector") : title);
    setAccessibleName(tr("Inspector: %1").arg(m_empty ? tr("nothing selected") : title));
    QWidget* old = m_area->takeWidget();
    if (old != nullptr && old->property(kNothingSelected).isValid()) old->deleteLater();
    else if (old != nullptr) {
        old->hide();
        old->setParent(this);  // kept for its page
    }
    if (m_empty) {
        canvas = onCanvas(new EmptyState(QStringLiteral("inspector"), tr("Nothing selected"), tr("Select a finding, a request, a preset or a rule to see it here in full.")));
        canvas->setProperty(kNothingSelected, true);
    }
    m_area->setWidget(canvas);
    canvas->show();
}

void Inspector::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(Surface::window));
}

}  // namespace signalbox::ui
