// SPDX-License-Identifier: MIT
#include "ui/document/draft_findings.h"

namespace signalbox::ui {

DraftTexts textsOf(const policy::LoadedWorkspace& workspace) {
    return {workspace.table.document ? workspace.table.document->text() : std::string(), workspace.config.text};
}

Findings allErrors(const policy::LoadedWorkspace& workspace) {
    Findings all;
    for (const Findings* list : {&workspace.table.findings, &workspace.config.findings, &workspace.crossFindings})
        for (const Finding& finding : *list)
            if (finding.severity == Severity::error) all.push_back(finding);
    return all;
}

void leaveOutTheObvious(policy::LoadedWorkspace& workspace) {
    if (workspace.configFile.empty())
        std::erase_if(workspace.crossFindings, [](const Finding& finding) { return finding.code == "preset_without_endpoint"; });
}

Error editRefusal(const policy::LoadedWorkspace& workspace) {
    const Findings errors = allErrors(workspace);
    if (errors.empty()) return {ErrorKind::badInput, "The policy could not be used after this change", {}, "Nothing was changed."};
    const Finding& first = errors.front();
    std::string where = first.pointer;
    if (where.empty()) {
        const auto& file = hasErrors(workspace.table.findings) ? workspace.tableFile : workspace.configFile;
        where = file.filename().string() + ':' + std::to_string(first.position.line) + ':' + std::to_string(first.position.column);
    }
    return {ErrorKind::badInput, first.message, where, first.hint};
}

}  // namespace signalbox::ui
