// SPDX-License-Identifier: MIT
#include "ui/widgets/findings_list.h"

#include "ui/widgets/basics.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/fact_list.h"
#include "ui/theme/format.h"
#include "ui/widgets/tone_label.h"

#include <QLabel>
#include <QVBoxLayout>

namespace signalbox::ui {

Tone toneOf(Severity severity) {
    switch (severity) {
    case Severity::error: return Tone::danger;
    case Severity::warning: return Tone::caution;
    case Severity::note: return Tone::info;
    }
    return Tone::info;
}

QString wordOf(Severity severity) {
    switch (severity) {
    case Severity::error: return FindingsList::tr("error");
    case Severity::warning: return FindingsList::tr("warning");
    case Severity::note: return FindingsList::tr("note");
    }
    return {};
}

QString placeOf(const Finding& finding) {
    if (finding.position.line == 0) return format::none();
    return FindingsList::tr("line %1:%2").arg(finding.position.line).arg(finding.position.column);
}

FindingsList::FindingsList(const Findings& findings, QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGapWide);
    for (const Finding& finding : findings) {
        if (layout->count() > 0) layout->addWidget(makeHairline());
        layout->addWidget(makeFindingView(finding, {}));
    }
}

QWidget* makeFindingView(const Finding& finding, const QString& file, QWidget* parent) {
    auto* view = new QWidget(parent);
    auto* layout = new QVBoxLayout(view);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    layout->addWidget(new ToneLabel(toneOf(finding.severity), wordOf(finding.severity)));
    // The readers speak English, as the command line does; the codes are what a translation would go by.
    for (QLabel* label : {makeLabel(format::sentence(finding.message)), makeMuted(format::text(finding.hint))}) {
        label->setProperty("data", true);
        label->setVisible(!label->text().isEmpty());
        layout->addWidget(label);
    }
    auto* facts = new FactList;
    if (!file.isEmpty()) facts->addWidget(FindingsList::tr("File"), new ElidedLabel(file, Qt::ElideLeft));
    facts->addText(FindingsList::tr("Place"), placeOf(finding));
    if (!finding.pointer.empty()) facts->addId(FindingsList::tr("Pointer"), format::text(finding.pointer));
    facts->addId(FindingsList::tr("Code"), format::text(finding.code));
    layout->addWidget(facts);
    return view;
}

}  // namespace signalbox::ui
