// SPDX-License-Identifier: MIT
#include "ui/widgets/receipt/receipt_view.h"

#include "ui/widgets/basics.h"
#include "ui/widgets/fact_list.h"
#include "ui/widgets/format.h"
#include "ui/widgets/receipt/attempt_timeline.h"
#include "ui/widgets/receipt/receipt_parts.h"
#include "ui/widgets/section.h"
#include "ui/widgets/tone_label.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace signalbox::ui {

ReceiptView::ReceiptView(QWidget* parent) : QWidget(parent), m_content(new QVBoxLayout) {
    setObjectName(QStringLiteral("receipt"));
    setAccessibleName(tr("Receipt of a decision"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGapWide);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(Theme::kGap);
    QPushButton* text = makeButton(tr("Copy as text"), QStringLiteral("copy"), ButtonRole::quiet);
    QPushButton* json = makeButton(tr("Copy as JSON"), QStringLiteral("copy"), ButtonRole::quiet);
    connect(text, &QPushButton::clicked, this, &ReceiptView::copyAsText);
    connect(json, &QPushButton::clicked, this, &ReceiptView::copyAsJson);
    buttons->addWidget(text);
    buttons->addWidget(json);
    buttons->addStretch();

    m_content->setSpacing(Theme::kMargin);
    layout->addLayout(m_content);
    layout->addLayout(buttons);
    layout->addStretch();
}

void ReceiptView::setRecord(std::shared_ptr<const evidence::DecisionRecord> record,
                            std::shared_ptr<const policy::LoadedWorkspace> workspace) {
    m_record = std::move(record);
    m_workspace = std::move(workspace);
    build();
}

static QWidget* sectionOf(const ReceiptPart& part, QWidget* above) {
    auto* section = new Section(part.title);
    if (above != nullptr) section->body()->addWidget(above);
    auto* facts = new FactList;
    for (const ReceiptLine& line : part.lines) {
        if (line.tone) {
            // A verdict may be longer than the inspector is wide, so its words wrap below the mark.
            facts->addWidget(line.name, makeLabel(Theme::instance().glyph(*line.tone) + QLatin1Char(' ') + line.value));
        } else if (line.isId) {
            facts->addId(line.name, line.value);
        } else {
            facts->addText(line.name, line.value);
        }
    }
    section->body()->addWidget(facts);
    return section;
}

void ReceiptView::build() {
    clearLayout(m_content);
    if (!m_record) return;
    auto* head = new ToneLabel(toneOf(m_record->outcome), outcomeWords(m_record->outcome));
    m_content->addWidget(head);
    m_content->addWidget(makeLabel(receiptSentence(*m_record)));
    const auto parts = receiptParts(*m_record, m_workspace.get());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        AttemptTimeline* timeline = nullptr;
        constexpr std::size_t kSentWhere = 3;
        if (i == kSentWhere && !m_record->attempts.empty()) {
            timeline = new AttemptTimeline;
            timeline->setAttempts(m_record->attempts, m_record->totalMs);
        }
        m_content->addWidget(sectionOf(parts[i], timeline));
    }
}

void ReceiptView::copyAsText() const {
    if (m_record) QGuiApplication::clipboard()->setText(receiptText(*m_record, m_workspace.get()));
}

void ReceiptView::copyAsJson() const {
    if (m_record) QGuiApplication::clipboard()->setText(format::text(evidence::encodeRecord(*m_record)));
}

}  // namespace signalbox::ui
