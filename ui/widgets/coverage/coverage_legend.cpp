// SPDX-License-Identifier: MIT
#include "ui/widgets/coverage/coverage_legend.h"

#include "ui/widgets/coverage/table_words.h"
#include "ui/widgets/tone_label.h"

#include <QGridLayout>

namespace signalbox::ui {

CoverageLegend::CoverageLegend(QWidget* parent) : QWidget(parent) {
    struct Entry {
        Tone tone;
        QString text;
    };
    const Entry entries[] = {
        {Tone::clear, words::landing(table::Landing::ruleMeasured)},
        {Tone::caution, words::landing(table::Landing::ruleInferred)},
        {Tone::info, words::landing(table::Landing::familyDefault)},
        {Tone::gap, tr("declared gap (in a corner: one beside)")},
        {Tone::idle, tr("nothing, or single preset by design")},
    };
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Theme::kMargin);
    grid->setVerticalSpacing(2);
    constexpr int kColumns = 2;
    int place = 0;
    for (const Entry& entry : entries) {
        auto* label = new ToneLabel(entry.tone, entry.text);
        label->setFont(Theme::instance().smallFont());
        grid->addWidget(label, place / kColumns, place % kColumns);
        ++place;
    }
    grid->setColumnStretch(kColumns, 1);
    setAccessibleName(tr("Legend"));
}

}  // namespace signalbox::ui
