// SPDX-License-Identifier: MIT
#include "ui/shell/workspace_button.h"

#include "router/policy/first_workspace.h"
#include "ui/bridge/async.h"
#include "ui/document/policy_document.h"
#include "ui/settings/settings.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"

#include <QDir>
#include <QFileDialog>
#include <QMenu>

#include <utility>

namespace signalbox::ui {

static constexpr int kNameWidth = 120;

WorkspaceButton::WorkspaceButton(const PolicyDocument* document, const Settings* settings, QWidget* parent)
    : QPushButton(parent), m_document(document), m_settings(settings), m_recent(new QMenu(this)) {
    setObjectName(QStringLiteral("workspaceButton"));
    setProperty("align", QStringLiteral("left"));
    setProperty("data", true);  // shows a folder's name
    setRole(this, ButtonRole::quiet);
    setThemedIcon(this, QStringLiteral("folder"));
    setMenu(m_recent);
    connect(m_recent, &QMenu::aboutToShow, this, &WorkspaceButton::fillRecent);
    refresh();
}

void WorkspaceButton::setFolded(bool folded) {
    if (std::exchange(m_folded, folded) != folded) refresh();
}

void WorkspaceButton::refresh() {
    const QString title = m_document->title();
    const QString shown = title.isEmpty() ? tr("No workspace") : title;
    setText(m_folded ? QString() : fontMetrics().elidedText(shown, Qt::ElideMiddle, kNameWidth).replace(QLatin1Char('&'), QStringLiteral("&&")));
    setAccessibleName(tr("Workspace: %1").arg(shown));
    setToolTip(plainTip(m_document->folder()));
}

void WorkspaceButton::fillRecent() {
    m_recent->clear();
    for (const QString& path : m_settings->recentWorkspaces()) m_recent->addAction(QString(path).replace(QLatin1Char('&'), QStringLiteral("&&")), this, [this, path] { Q_EMIT chosen(path); });
    m_recent->addSeparator();
    m_recent->addActions(m_actions);
}

void WorkspaceButton::makeWorkspace() {
    const QString folder = QFileDialog::getExistingDirectory(window(), tr("Choose or make a folder for the new workspace"), QDir::homePath());
    if (!folder.isEmpty()) makeWorkspaceIn(folder);
}

void WorkspaceButton::makeWorkspaceIn(const QString& folder) {
    runAsync(
        this, [folder] { return policy::beginWorkspace(folder.toStdU16String(), format::now()); },
        [this, folder](const Result<policy::FirstWorkspace>& begun) {
            if (!begun) return Q_EMIT failed(begun.error());
            if (begun->simulatedPresets > 0) Q_EMIT cautioned(tr("%n preset(s) of the table answer by simulation until their providers are named", nullptr, static_cast<int>(begun->simulatedPresets)));
            Q_EMIT chosen(folder);
        });
}

void WorkspaceButton::chooseWorkspace() {
    const QString folder = QFileDialog::getExistingDirectory(window(), tr("Open a workspace folder"), m_document->folder());
    if (!folder.isEmpty()) Q_EMIT chosen(folder);
}

void WorkspaceButton::chooseTable() {
    const QString file = QFileDialog::getOpenFileName(window(), tr("Open a routing table"), m_document->folder(), tr("Routing tables (*.json);;All files (*)"));
    if (!file.isEmpty()) Q_EMIT chosen(file);
}

}  // namespace signalbox::ui
