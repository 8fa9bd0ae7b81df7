// SPDX-License-Identifier: MIT
#include "ui/pages/overview/attention_list.h"

#include "ui/widgets/basics.h"
#include "ui/widgets/tone_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace signalbox::ui {

AttentionList::AttentionList(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(Theme::kGap);
    showNone();
    setAccessibleName(tr("Needs attention"));
}

QWidget* AttentionList::makeRow(const AttentionItem& item) {
    auto* row = new QWidget;
    auto* texts = new QVBoxLayout;
    texts->setSpacing(1);
    auto* title = new ToneLabel(item.tone, item.title);
    texts->addWidget(title);
    if (!item.detail.isEmpty()) {
        auto* detail = makeMuted(item.detail);
        detail->setFont(Theme::instance().smallFont());
        detail->setIndent(15);
        texts->addWidget(detail);
    }
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGapWide);
    layout->addLayout(texts, 1);
    if (item.remedy != Remedy::none) {
        const bool mends = item.remedy != Remedy::openPage;
        auto* button = makeButton(item.remedyText, {}, mends ? ButtonRole::primary : ButtonRole::normal);
        button->setAccessibleDescription(item.title);
        connect(button, &QPushButton::clicked, this, [this, item] { Q_EMIT remedyWanted(item); });
        layout->addWidget(button, 0, Qt::AlignVCenter);
    }
    return row;
}

void AttentionList::showNone() {
    m_layout->addWidget(m_isAllKnown ? new ToneLabel(Tone::clear, tr("Nothing needs attention"))
                                     : new ToneLabel(Tone::idle, tr("The gateway is being asked what needs attention")));
}

void AttentionList::show(const std::vector<AttentionItem>& items, bool isAllKnown) {
    if (items == m_items && isAllKnown == m_isAllKnown) return;
    const bool looksSame = items == m_items && !items.empty();
    m_items = items;
    m_isAllKnown = isAllKnown;
    if (looksSame) return;
    clearLayout(m_layout);
    if (items.empty()) showNone();
    for (const AttentionItem& item : items) {
        if (m_layout->count() > 0) m_layout->addWidget(makeHairline());
        m_layout->addWidget(makeRow(item));
    }
}

}  // namespace signalbox::ui
