// SPDX-License-Identifier: MIT
#include "ui/shell/import_dialog.h"

#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"

#include <QHeaderView>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace signalbox::ui {

using config::ImportOutcome;

namespace {

enum Column { what, place, path, columnCount };

QString titleOf(ImportOutcome outcome, std::size_t count) {
    const int n = static_cast<int>(count);
    switch (outcome) {
    case ImportOutcome::conflict: return ImportDialog::tr("Says something else in gateway.toml, which stays (%1)").arg(n);
    case ImportOutcome::notCarried: return ImportDialog::tr("Not carried (%1)").arg(n);
    case ImportOutcome::changed: return ImportDialog::tr("Carried with changes (%1)").arg(n);
    case ImportOutcome::carried: return ImportDialog::tr("Carried (%1)").arg(n);
    case ImportOutcome::present: return ImportDialog::tr("There already (%1)").arg(n);
    }
    return {};
}

QString placeOf(const config::ImportEntry& entry) {
    const TextPosition at = entry.finding.position;
    if (at.line == 0) return format::none();
    const QString first = ImportDialog::tr("line %1:%2").arg(at.line).arg(at.column);
    return entry.also.empty() ? first : ImportDialog::tr("%1 and %2 more").arg(first).arg(entry.also.size());
}

}  // namespace

ImportDialog::ImportDialog(const QString& file, const config::ModelsImport& import, bool changesAnything, QWidget* parent) : QDialog(parent) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("importDialog"));
    setWindowTitle(tr("Import models"));
    setModal(true);
    auto* where = makeMuted(file);
    where->setProperty("data", true);
    auto* list = new QTreeWidget;
    list->setObjectName(QStringLiteral("import.report"));
    list->setAccessibleName(tr("What becomes of the registry"));
    list->setProperty("data", true);
    list->setWordWrap(true);
    list->setUniformRowHeights(false);
    list->setSelectionMode(QAbstractItemView::SingleSelection);
    list->setTabKeyNavigation(false);
    fill(list, import);

    auto* apply = makeButton(tr("Add to the draft"), {}, ButtonRole::primary);
    apply->setObjectName(QStringLiteral("import.apply"));
    apply->setToolTip(tr("One step that Undo takes back; gateway.toml on disk stays as it is until you save"));
    apply->setEnabled(changesAnything);
    apply->setDefault(changesAnything);
    connect(apply, &QPushButton::clicked, this, &QDialog::accept);
    auto* cancel = makeButton(changesAnything ? tr("Cancel") : tr("Close"));
    cancel->setObjectName(QStringLiteral("import.cancel"));
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(apply);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Theme::kSection, Theme::kMargin, Theme::kSection, Theme::kMargin);
    layout->setSpacing(Theme::kGapWide);
    layout->addWidget(makeHeading(summary(import, changesAnything)));
    layout->addWidget(where);
    layout->addWidget(list, 1);
    if (!import.variables.empty()) {
        QStringList names;
        for (const std::string& name : import.variables) names << format::text(name);
        auto* variables = makeLabel(tr("The registry holds keys, which are never copied. Set these variables before the next start: %1").arg(names.join(QStringLiteral(", "))));
        variables->setObjectName(QStringLiteral("import.variables"));
        variables->setWordWrap(true);
        layout->addWidget(variables);
    }
    layout->addLayout(buttons);
    resize(980, 640);
}

QString ImportDialog::summary(const config::ModelsImport& import, bool changesAnything) const {
    if (!changesAnything) return tr("Nothing to add: what can be carried stands in gateway.toml already");
    const auto count = [&](ImportOutcome outcome) { return static_cast<int>(import.count(outcome)); };
    return tr("%1 carried, %2 with changes, %3 not carried").arg(count(ImportOutcome::carried)).arg(count(ImportOutcome::changed)).arg(count(ImportOutcome::notCarried));
}

void ImportDialog::fill(QTreeWidget* list, const config::ModelsImport& import) {
    list->setColumnCount(columnCount);
    list->setHeaderLabels({tr("What"), tr("Place"), tr("Path in the registry")});
    for (const ImportOutcome outcome : {ImportOutcome::conflict, ImportOutcome::notCarried, ImportOutcome::changed, ImportOutcome::carried, ImportOutcome::present}) {
        const std::size_t count = import.count(outcome);
        if (count == 0) continue;
        auto* group = new QTreeWidgetItem(list, QStringList{titleOf(outcome, count)});
        group->setFirstColumnSpanned(true);
        for (const config::ImportEntry& entry : import.report) {
            if (entry.outcome != outcome) continue;
            const Finding& finding = entry.finding;
            const QString hint = format::text(finding.hint);
            const QString text = format::sentence(finding.message) + (hint.isEmpty() ? QString() : QLatin1Char(' ') + hint);
            auto* item = new QTreeWidgetItem(group, QStringList{text, placeOf(entry), format::text(finding.pointer)});
            for (int column = 0; column < columnCount; ++column) item->setToolTip(column, plainTip(item->text(column)));
        }
        group->setExpanded(outcome != ImportOutcome::present);
    }
    list->header()->setStretchLastSection(false);
    list->header()->setSectionResizeMode(what, QHeaderView::Stretch);
    list->header()->setSectionResizeMode(place, QHeaderView::ResizeToContents);
    list->header()->setSectionResizeMode(path, QHeaderView::ResizeToContents);
}

}  // namespace signalbox::ui
