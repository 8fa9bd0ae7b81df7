// SPDX-License-Identifier: MIT
#include "ui/pages/simulator/path_view.h"

#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/tone_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace signalbox::ui {

namespace {

constexpr int kRail = 22;
constexpr double kDot = 4.5;

/// What was not taken steps back.
class DimLabel : public ElidedLabel {
public:
    DimLabel(const QString& text, Qt::TextElideMode mode) : ElidedLabel(text, mode), m_elide(mode) {}

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(Theme::instance().color(Surface::textMuted));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(text(), m_elide, width()));
    }

private:
    Qt::TextElideMode m_elide;
};

ElidedLabel* makeElided(const QString& text, Qt::TextElideMode mode, bool isDim) {
    if (isDim) return new DimLabel(text, mode);
    return new ElidedLabel(text, mode);
}

/// A step with the rail on its left.
class StepRow : public QWidget {
public:
    StepRow(const PathStep& step, bool isFirst, bool isLast) : m_isTaken(step.isTaken), m_isFirst(isFirst), m_isLast(isLast) {
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(kRail, 2, 0, 4);
        layout->setSpacing(0);
        m_title = makeElided(step.title, step.isId ? Qt::ElideMiddle : Qt::ElideRight, !step.isTaken);
        QFont font = step.isId ? Theme::instance().fixedFont() : Theme::instance().font();
        if (step.isTaken) font.setWeight(QFont::DemiBold);
        m_title->setFont(font);
        layout->addWidget(m_title);
        if (!step.detail.isEmpty()) {
            if (step.tone) layout->addWidget(new ToneLabel(*step.tone, step.detail));
            else layout->addWidget(makeMuted(step.detail));
        }
        setToolTip(plainTip(step.more));
        setAccessibleName(QStringLiteral("%1: %2").arg(step.title, step.detail));
        setAccessibleDescription(step.isTaken ? PathView::tr("taken") : PathView::tr("not taken"));
        connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Theme& theme = Theme::instance();
        const QPointF at(kRail / 2.0 - 2, 4 + m_title->sizeHint().height() / 2.0);
        painter.setPen(QPen(theme.color(Surface::hairline), 2));
        if (!m_isFirst) painter.drawLine(QPointF(at.x(), 0), QPointF(at.x(), at.y() - kDot - 1));
        if (!m_isLast) painter.drawLine(QPointF(at.x(), at.y() + kDot + 1), QPointF(at.x(), height()));
        painter.setPen(QPen(theme.color(m_isTaken ? Surface::accent : Surface::textMuted), 1.5));
        painter.setBrush(m_isTaken ? QBrush(theme.color(Surface::accent)) : QBrush(Qt::NoBrush));
        painter.drawEllipse(at, m_isTaken ? kDot + 0.5 : kDot - 0.5, m_isTaken ? kDot + 0.5 : kDot - 0.5);
    }

private:
    bool m_isTaken, m_isFirst, m_isLast;
    ElidedLabel* m_title;
};

QWidget* stageHead(const PathStage& stage) {
    auto* head = new QWidget;
    auto* layout = new QHBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 2);
    layout->setSpacing(Theme::kGap);
    auto* title = makeHeading(stage.title);
    layout->addWidget(title);
    if (!stage.note.isEmpty()) {
        layout->addWidget(makeElided(stage.note, Qt::ElideMiddle, true), 1);
    } else {
        layout->addStretch(1);
    }
    return head;
}

}  // namespace

PathView::PathView(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    setAccessibleName(tr("The way of the request"));
}

static bool areSame(const std::vector<PathStage>& a, const std::vector<PathStage>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const PathStage& x, const PathStage& y) {
        return x.title == y.title && x.note == y.note && x.steps == y.steps;
    });
}

void PathView::setStages(const std::vector<PathStage>& stages) {
    if (areSame(stages, m_stages)) return;
    m_stages = stages;
    clearLayout(m_layout);
    for (const PathStage& stage : stages) {
        m_layout->addWidget(stageHead(stage));
        for (std::size_t i = 0; i < stage.steps.size(); ++i) m_layout->addWidget(new StepRow(stage.steps[i], i == 0, i + 1 == stage.steps.size()));
        m_layout->addSpacing(Theme::kGapWide);
    }
    m_layout->addStretch(1);
}

}  // namespace signalbox::ui
