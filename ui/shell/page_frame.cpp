// SPDX-License-Identifier: MIT
#include "ui/shell/page_frame.h"

#include "ui/pages/page.h"
#include "ui/shell/range_button.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/error_banner.h"

#include <QLabel>
#include <QPainter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace signalbox::ui {

PageFrame::PageFrame(ViewState* view, QWidget* parent)
    : QWidget(parent), m_banner(new ErrorBanner), m_question(new QLabel), m_answer(makeMuted({})), m_range(new RangeButton(view)), m_stack(new QStackedWidget) {
    m_question->setFont(Theme::instance().titleFont());
    m_question->setWordWrap(true);
    m_question->setObjectName(QStringLiteral("pageQuestion"));
    m_answer->setObjectName(QStringLiteral("pageAnswer"));

    auto* titles = new QVBoxLayout;
    titles->setSpacing(4);
    titles->addWidget(m_question);
    titles->addWidget(m_answer);
    auto* header = new QHBoxLayout;
    header->setContentsMargins(Theme::kSection, Theme::kMargin, Theme::kSection, Theme::kGapWide);
    header->setSpacing(Theme::kMargin);
    header->addLayout(titles, 1);
    header->addWidget(m_range, 0, Qt::AlignTop);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_banner);
    layout->addLayout(header);
    layout->addWidget(m_stack, 1);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void PageFrame::addPage(Page* page) {
    m_stack->addWidget(page);
    connect(page, &Page::answerChanged, this, [this, page](const QString& sentence) {
        m_answers.insert(page, sentence);
        if (current() == page) m_answer->setText(sentence);
    });
}

void PageFrame::show(Page* page) {
    m_stack->setCurrentWidget(page);
    m_question->setText(page->question());
    m_answer->setText(m_answers.value(page));
    m_range->setPart(page->rangedPart());
    m_range->setVisible(page->rangeUse() != Page::RangeUse::none);
    setAccessibleName(page->name());
}

Page* PageFrame::current() const { return qobject_cast<Page*>(m_stack->currentWidget()); }

void PageFrame::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(Surface::panel));
}

}  // namespace signalbox::ui
