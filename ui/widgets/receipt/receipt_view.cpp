// SPDX-License-Identifier: MIT
#include "ui/widgets/receipt/receipt_view.h"

#include "ui/models/record_words.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/fact_list.h"
#include "ui/theme/format.h"
#include "ui/widgets/receipt/attempt_timeline.h"
#include "ui/widgets/receipt/receipt_parts.h"
#include "ui/widgets/section.h"
#include "ui/widgets/terms/term_chart.h"
#include "ui/widgets/tone_label.h"

#include <nlohmann/json.hpp>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

ReceiptView::ReceiptView(Columns columns, QWidget* parent) : QWidget(parent), m_columns(columns), m_head(new QVBoxLayout), m_content(new QVBoxLayout) {
    setObjectName(QStringLiteral("receipt"));
    setAccessibleName(tr("Receipt of a decision"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGapWide);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(Theme::kGap);
    QPushButton* text = makeButton(tr("Copy as text"), QStringLiteral("copy"));
    QPushButton* json = makeButton(tr("Copy as JSON"), QStringLiteral("copy"));
    connect(text, &QPushButton::clicked, this, &ReceiptView::copyAsText);
    connect(json, &QPushButton::clicked, this, &ReceiptView::copyAsJson);
    buttons->addWidget(text);
    buttons->addWidget(json);
    buttons->addStretch();

    m_content->setSpacing(Theme::kMargin);
    m_head->setSpacing(4);
    layout->addLayout(m_head);
    layout->addLayout(buttons);
    layout->addLayout(m_content);
    layout->addStretch();
}

void ReceiptView::setRecord(std::shared_ptr<const evidence::DecisionRecord> record,
                            std::shared_ptr<const policy::LoadedWorkspace> workspace) {
    // The same decision again, which says more by now: without its parts it would be so short for a moment that whoever reads
    // it would find themselves at its top.
    const bool isSame = m_record && record && m_record->id == record->id;
    if (isSame) setMinimumHeight(height());
    m_record = std::move(record);
    m_workspace = std::move(workspace);
    build();
    if (isSame) QTimer::singleShot(0, this, [this] { setMinimumHeight(0); });
}

// A verdict may be longer than the inspector is wide, so its words wrap beside the mark.
static QWidget* verdictView(Tone tone, const QString& words) {
    auto* view = new QWidget;
    auto* layout = new QHBoxLayout(view);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    auto* mark = new QLabel(Theme::instance().glyph(tone));
    mark->setAccessibleName(Theme::instance().word(tone));
    const auto paint = [mark, tone] { mark->setStyleSheet(QStringLiteral("color: %1").arg(Theme::instance().color(tone).name())); };
    paint();
    QObject::connect(&Theme::instance(), &Theme::changed, mark, paint);
    layout->addWidget(mark, 0, Qt::AlignTop);
    layout->addWidget(makeLabel(words), 1, Qt::AlignTop);
    return view;
}

// Names of all parts share one width, so that the values stand in one column.
static QWidget* sectionOf(const ReceiptPart& part, QWidget* above, int nameWidth) {
    auto* section = new Section(part.title);
    if (above != nullptr) section->body()->addWidget(above);
    auto* facts = new FactList;
    facts->setNameWidth(nameWidth);
    for (const ReceiptLine& line : part.lines) {
        if (line.isDrawn) continue;
        if (line.tone) facts->addWidget(line.name, verdictView(*line.tone, line.value));
        else if (line.isId) facts->addId(line.name, line.value);
        else facts->addText(line.name, line.value);
    }
    section->body()->addWidget(facts);
    return section;
}

static int widestName(const std::vector<ReceiptPart>& parts) {
    const QFontMetrics metrics(Theme::instance().font());
    int width = 0;
    for (const ReceiptPart& part : parts)
        for (const ReceiptLine& line : part.lines)
            if (!line.isDrawn) width = std::max(width, metrics.horizontalAdvance(line.name));
    return width;
}

QWidget* ReceiptView::partView(const ReceiptPart& part, int nameWidth) const {
    switch (part.picture) {
    case ReceiptPart::Picture::none: break;
    case ReceiptPart::Picture::attempts: {
        auto* timeline = new AttemptTimeline;
        timeline->setAttempts(m_record->attempts, m_record->totalMs);
        return sectionOf(part, timeline, nameWidth);
    }
    case ReceiptPart::Picture::terms: {
        auto* terms = new TermChart;
        terms->setDecision(toTermDecision(*m_record->group));
        terms->setLegendShown(!m_record->group->selected.empty());  // a refused request has no scores to tell apart
        return sectionOf(part, terms, nameWidth);
    }
    }
    return sectionOf(part, nullptr, nameWidth);
}

void ReceiptView::build() {
    clearLayout(m_head);
    clearLayout(m_content);
    if (!m_record) return;
    m_head->addWidget(new ToneLabel(words::outcomeTone(m_record->outcome), words::outcome(m_record->outcome)));
    m_head->addWidget(makeLabel(receiptSentence(*m_record)));
    const auto parts = receiptParts(*m_record, m_workspace.get());
    const int nameWidth = widestName(parts);
    auto* left = new QVBoxLayout;
    left->setSpacing(Theme::kMargin);
    auto* right = left;
    if (m_columns == Columns::two) {
        right = new QVBoxLayout;
        right->setSpacing(Theme::kMargin);
    }
    // Left what was decided, right what came of it.
    const std::size_t decided = parts.size() - 3;
    for (std::size_t i = 0; i < parts.size(); ++i) (i < decided ? left : right)->addWidget(partView(parts[i], nameWidth));
    auto* columns = new QHBoxLayout;
    columns->setSpacing(Theme::kSection);
    columns->addLayout(left, 1);
    left->addStretch(1);  // all that is left over: no part stands apart
    if (right != left) {
        columns->addLayout(right, 1);
        right->addStretch(1);
    }
    m_content->addLayout(columns);
}

void ReceiptView::copyAsText() const {
    if (m_record) QGuiApplication::clipboard()->setText(receiptText(*m_record, m_workspace.get()));
}

void ReceiptView::copyAsJson() const {
    if (m_record) QGuiApplication::clipboard()->setText(format::text(evidence::encodeRecord(*m_record)));
}

}  // namespace signalbox::ui
