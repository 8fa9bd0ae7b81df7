// SPDX-License-Identifier: MIT
#include "ui/shell/changes_view.h"

#include "ui/document/policy_document.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/basics.h"

#include <QAction>
#include <QFileInfo>
#include <QLabel>
#include <QVBoxLayout>

namespace signalbox::ui {

ChangesView::ChangesView(PolicyDocument* document, const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent), m_document(document), m_summary(makeLabel({})), m_files(makeMuted({})), m_steps(new QVBoxLayout) {
    m_summary->setObjectName(QStringLiteral("changes.summary"));
    m_steps->setSpacing(4);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGapWide);
    layout->addWidget(m_summary);
    layout->addWidget(m_files);
    layout->addWidget(makeHairline());
    layout->addLayout(m_steps);
    for (QAction* action : actions) layout->addWidget(new ActionButton(action, action->property("paletteIcon").toString()), 0, Qt::AlignLeft);
    connect(m_document, &PolicyDocument::dirtyChanged, this, &ChangesView::refresh);
    refresh();
}

void ChangesView::refresh() {
    clearLayout(m_steps);
    const QStringList changes = m_document->changes();
    m_summary->setText(changes.isEmpty() ? tr("Everything is saved") : tr("%n step(s) since the files were read or saved, newest first", nullptr, static_cast<int>(changes.size())));
    QStringList names;
    for (const QString& file : m_document->dirtyFiles()) names << QFileInfo(file).fileName();
    m_files->setText(names.isEmpty() ? tr("No file differs from the draft.") : tr("Differs on disk: %1").arg(names.join(QStringLiteral(", "))));
    for (auto step = changes.crbegin(); step != changes.crend(); ++step) m_steps->addWidget(makeLabel(*step));
}

}  // namespace signalbox::ui
