// SPDX-License-Identifier: MIT
#include "app/ctl/context.h"

#include "app/shared/redact.h"
#include "router/base/file.h"

#include <algorithm>
#include <ostream>

namespace signalbox::ctl {

namespace fs = std::filesystem;

int exitCodeOf(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::unavailable:
    case ErrorKind::internal: return kUnreachable;  // nothing that was given is known to be wrong
    case ErrorKind::badInput:
    case ErrorKind::notFound:
    case ErrorKind::conflict:
    case ErrorKind::denied:
    case ErrorKind::cancelled: return kBadInput;
    }
    return kUnreachable;
}

int report(Context& context, const Error& error) {
    context.err << "signalboxctl: " << app::redacted(error.text()) << '\n';
    return exitCodeOf(error.kind);
}

int reportUsage(Context& context, std::string_view message) {
    context.err << "signalboxctl: " << message << '\n';
    return kUsage;
}

void printFindings(std::ostream& to, const Findings& findings, std::string_view file) {
    for (const Finding& finding : findings) to << finding.text(file) << '\n';
}

std::string countsText(const Findings& findings, std::size_t unreadable) {
    std::string out;
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
        auto count = static_cast<std::size_t>(std::count_if(
            findings.begin(), findings.end(), [&](const Finding& f) { return f.severity == severity; }));
        if (severity == Severity::error) count += unreadable;
        if (count == 0) continue;
        out += (out.empty() ? "" : ", ") + std::to_string(count) + ' ' + std::string(toString(severity));
        if (count != 1) out += 's';
    }
    return out;
}

Result<std::string> readInput(Context& context, const fs::path& file, std::size_t maxBytes) {
    if (file != "-") return readFile(file, maxBytes);
    if (context.inIsTerminal) context.err << "Reading from the terminal; end with Ctrl+D." << std::endl;
    std::string bytes;
    char chunk[65536];
    while (context.in.read(chunk, sizeof chunk) || context.in.gcount() > 0) {
        bytes.append(chunk, static_cast<std::size_t>(context.in.gcount()));
        if (bytes.size() > maxBytes)
            return fail(ErrorKind::badInput, "it is larger than " + std::to_string(maxBytes) + " bytes",
                        inputName(file), "Check that it is the right input.");
    }
    return bytes;
}

std::string inputName(const fs::path& file) { return file == "-" ? "<stdin>" : file.string(); }

Result<fs::path> workspaceFolder(const fs::path& argument) {
    const fs::path folder = argument.empty() ? fs::path(".") : argument;
    std::error_code code;
    const auto status = fs::status(folder, code);
    if (fs::is_directory(status)) return folder;
    const std::string hint = "A workspace is a folder with routing-table.json and gateway.toml.";
    if (code == std::errc::permission_denied)
        return fail(ErrorKind::denied, "no permission to look into this workspace", folder.string(),
                    "Check the owner and the permissions of the folders on the way.");
    if (!fs::exists(status)) return fail(ErrorKind::notFound, "there is no such workspace", folder.string(), hint);
    return fail(ErrorKind::badInput, "this is a file, a workspace folder is needed", folder.string(), hint);
}

Result<Files> filesOf(const FileArguments& arguments) {
    Files files;
    const bool named = !arguments.table.empty() || !arguments.config.empty();
    if (!arguments.workspace.empty() || !named) {
        auto folder = workspaceFolder(arguments.workspace);
        if (!folder) return tl::unexpected(folder.error());
        const config::WorkspacePaths paths{*folder};
        files = {paths.table().lexically_normal(), paths.config().lexically_normal()};
    }
    if (!arguments.table.empty()) files.table = arguments.table;
    if (!arguments.config.empty()) files.config = arguments.config;
    return files;
}

}  // namespace signalbox::ctl
