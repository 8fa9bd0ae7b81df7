// SPDX-License-Identifier: MIT
#include "ui/pages/presets/presets_inspector.h"

#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/coverage/table_words.h"
#include "ui/widgets/fact_list.h"
#include "ui/widgets/tone_label.h"

#include <QCoreApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace signalbox::ui {

namespace {

struct PresetsInspectorWords {
    Q_DECLARE_TR_FUNCTIONS(PresetsPage)
};

QString orNone(const std::optional<std::string>& text) { return text ? format::text(*text) : QString(); }

QString joined(const std::vector<std::string>& texts) {
    QStringList list;
    for (const std::string& text : texts) list << format::text(text);
    return list.join(QStringLiteral(", "));
}

QVBoxLayout* makeSheet(QWidget* sheet) {
    auto* layout = new QVBoxLayout(sheet);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGapWide);
    return layout;
}

void addEndpoint(FactList* facts, const PresetRow& row) {
    if (!row.target) {
        facts->addTone(PresetsInspectorWords::tr("Endpoint"), Tone::idle, PresetsInspectorWords::tr("unknown: the workspace holds an error"));
        return;
    }
    if (*row.target) {
        facts->addTone(PresetsInspectorWords::tr("Endpoint"), Tone::clear, PresetsInspectorWords::tr("can be called"));
        facts->addId(PresetsInspectorWords::tr("Provider"), format::text((*row.target)->providerId));
        facts->addId(PresetsInspectorWords::tr("Asked as"), format::text((*row.target)->model));
        return;
    }
    facts->addTone(PresetsInspectorWords::tr("Endpoint"), Tone::danger, PresetsInspectorWords::tr("none to call"));
    facts->addText(PresetsInspectorWords::tr("Why"), format::text(row.target->error().message));
    facts->addText(PresetsInspectorWords::tr("To do"), format::text(row.target->error().hint));
}

}  // namespace

void PresetsInspector::fillKnown(FactList* known) const {
    known->clear();
    if (row.requests)
        known->addText(PresetsInspectorWords::tr("Requests"), PresetsInspectorWords::tr("%1, %2 of all in the range").arg(format::count(*row.requests), format::share(*row.requests, total.value_or(0))));
    addEndpoint(known, row);
}

/// To the rules that lead to it, and to its requests.
void PresetsInspector::addWays(QWidget* sheet) const {
    auto* layout = static_cast<QVBoxLayout*>(sheet->layout());
    layout->addWidget(makeHairline());
    layout->addWidget(makeHeading(row.rules.empty() ? PresetsInspectorWords::tr("No rule leads to it") : PresetsInspectorWords::tr("Rules that lead to it")));
    for (const std::size_t rule : row.rules) {
        if (!table || rule >= table->rules.size()) continue;
        auto* button = makeButton(PresetsInspectorWords::tr("Show rule %1").arg(rule + 1), QStringLiteral("rules"));
        QObject::connect(button, &QPushButton::clicked, sheet, [go = go, rule] { go(QStringLiteral("rules"), {{QStringLiteral("rule"), static_cast<int>(rule)}}); });
        layout->addWidget(makeLabel(words::when(table->rules[rule].when)));
        layout->addWidget(button);
    }
    auto* requests = makeButton(PresetsInspectorWords::tr("Show its requests"), QStringLiteral("history"));
    const QString key = format::text(table->presets[row.index].presetKey);
    QObject::connect(requests, &QPushButton::clicked, sheet, [go = go, key] { go(QStringLiteral("history"), {{QStringLiteral("preset"), key}}); });
    layout->addWidget(requests);
}

QWidget* PresetsInspector::sheet(QWidget* form, QWidget* buttons, FactList* known) const {
    auto* sheet = new QWidget;
    QVBoxLayout* layout = makeSheet(sheet);
    for (QWidget* part : {form, buttons, static_cast<QWidget*>(makeHairline()), static_cast<QWidget*>(known)}) layout->addWidget(part);
    addWays(sheet);
    return sheet;
}

QWidget* PresetsInspector::facts(const QString& why) const {
    const table::Preset& preset = table->presets[row.index];
    auto* sheet = new QWidget;
    QVBoxLayout* layout = makeSheet(sheet);
    if (!why.isEmpty()) {
        layout->addWidget(new ToneLabel(Tone::caution, PresetsInspectorWords::tr("to be changed in the file only")));
        layout->addWidget(makeMuted(why));
    }
    auto* facts = new FactList;
    facts->addId(PresetsInspectorWords::tr("Preset"), format::text(preset.presetKey));
    facts->addId(PresetsInspectorWords::tr("Model"), format::text(preset.model));
    if (preset.servedModelName) facts->addId(PresetsInspectorWords::tr("Served as"), format::text(*preset.servedModelName));
    else facts->addText(PresetsInspectorWords::tr("Served as"), QString());
    facts->addId(PresetsInspectorWords::tr("Family"), format::text(preset.modelFamily));
    facts->addText(PresetsInspectorWords::tr("K"), preset.specDecodeK == 1 ? PresetsInspectorWords::tr("1, no speculative decoding") : PresetsInspectorWords::tr("%1 draft tokens").arg(preset.specDecodeK));
    facts->addText(PresetsInspectorWords::tr("Max sequences"), QString::number(preset.maxNumSeqs));
    if (isKnownRole(preset.role)) facts->addText(PresetsInspectorWords::tr("Role"), orNone(preset.role));
    else facts->addTone(PresetsInspectorWords::tr("Role"), Tone::caution, PresetsInspectorWords::tr("%1, not a role of the contract").arg(orNone(preset.role)));
    facts->addText(PresetsInspectorWords::tr("Intended for"), joined(preset.intendedWorkloads));
    facts->addText(PresetsInspectorWords::tr("Default"), preset.defaultForFamily ? PresetsInspectorWords::tr("yes, of its family") : PresetsInspectorWords::tr("no"));
    layout->addWidget(facts);
    layout->addWidget(makeHairline());
    auto* known = new FactList;
    fillKnown(known);
    layout->addWidget(known);
    addWays(sheet);
    return sheet;
}

}  // namespace signalbox::ui
