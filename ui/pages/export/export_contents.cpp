// SPDX-License-Identifier: MIT
#include "ui/pages/export/export_contents.h"

#include "ui/widgets/elided_label.h"
#include "ui/widgets/fact_list.h"
#include "ui/theme/format.h"
#include "ui/widgets/section.h"

#include <QVBoxLayout>

namespace signalbox::ui {

std::optional<std::uintmax_t> tableBytes(const policy::LoadedWorkspace& workspace) {
    std::error_code code;
    const auto size = std::filesystem::file_size(workspace.tableFile, code);
    return code ? std::nullopt : std::optional(size);
}

std::string policyVersionOf(const policy::LoadedWorkspace& workspace) {
    return workspace.config.config ? workspace.config.config->routing.policyVersion : std::string();
}

ExportContents::ExportContents(QWidget* parent) : QWidget(parent), m_leaves(new FactList), m_stays(new FactList) {
    auto* leaves = new Section(tr("What leaves this machine"));
    leaves->body()->addWidget(m_leaves);
    auto* stays = new Section(tr("What stays here"));
    stays->body()->addWidget(m_stays);
    m_stays->addText(tr("gateway.toml"), tr("endpoints, aliases and limits of this workstation"));
    m_stays->addText(tr("Secret key"), tr("never copied; it only signs"));
    m_stays->addText(tr("Evidence"), tr("no decision and no request goes with the table"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kSection);
    layout->addWidget(leaves);
    layout->addWidget(stays);
    layout->addStretch();
}

static QString findingsText(const policy::LoadedWorkspace& workspace) {
    return ExportContents::tr("%n finding(s)", nullptr, static_cast<int>(workspace.table.findings.size())) + QStringLiteral(", ") +
           ExportContents::tr("%n advisory(ies)", nullptr, static_cast<int>(workspace.table.advisories.size()));
}

void ExportContents::show(const policy::LoadedWorkspace& workspace) {
    m_leaves->clear();
    const table::RoutingTable& table = *workspace.table.table;
    const auto bytes = tableBytes(workspace);
    const QString version = format::text(policyVersionOf(workspace));
    m_leaves->addText(tr("File"), bytes ? tr("routing-table.json, %1, byte for byte as read").arg(format::bytes(*bytes)) : tr("routing-table.json"));
    m_leaves->addWidget(tr("Read from"), new ElidedLabel(QString::fromStdU16String(workspace.tableFile.u16string()), Qt::ElideMiddle));
    m_leaves->addId(tr("SHA-256"), format::text(workspace.table.sha256));
    m_leaves->addText(tr("Signature"), tr("routing-table.json.minisig, with who, when and which version"));
    m_leaves->addText(tr("Policy version"), version);
    m_leaves->addText(tr("Made by"), format::text(table.generatedBy));
    m_leaves->addText(tr("Made at"), format::text(table.generatedAt));
    m_leaves->addText(tr("Content"), tr("%n preset(s)", nullptr, static_cast<int>(table.presets.size())) + QStringLiteral(", ") +
                                         tr("%n rule(s)", nullptr, static_cast<int>(table.rules.size())) + QStringLiteral(", ") +
                                         tr("%n declared gap(s)", nullptr, static_cast<int>(table.gaps.size())));
    if (workspace.table.findings.empty()) m_leaves->addTone(tr("Checked"), Tone::clear, findingsText(workspace));
    else m_leaves->addTone(tr("Checked"), Tone::caution, findingsText(workspace));
}

}  // namespace signalbox::ui
