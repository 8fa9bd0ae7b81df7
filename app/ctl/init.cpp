// SPDX-License-Identifier: MIT
#include "app/ctl/first_workspace.h"
#include "app/ctl/verbs.h"

#include <nlohmann/json.hpp>
#include <ostream>

namespace signalbox::ctl {
namespace {

/// The folder, made where only it or folders on the way are missing.
Result<void> makeFolder(const std::filesystem::path& folder) {
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    if (!code && std::filesystem::is_directory(folder, code)) return {};
    if (std::filesystem::exists(folder)) return fail(ErrorKind::badInput, "this is a file, a workspace is a folder", folder.string(), "Name a folder.");
    return fail(code == std::errc::permission_denied ? ErrorKind::denied : ErrorKind::badInput, "the folder cannot be made: " + code.message(),
                folder.string(), "Check the path and the permissions of the folders on the way.");
}

/// An argument as a shell takes it.
std::string quoted(const std::string& word) {
    constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+:@%,";
    if (word.find_first_not_of(kPlain) == std::string::npos && !word.starts_with('-')) return word;
    std::string out = word.starts_with('-') ? "./" : "";
    out += '\'';
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + '\'';
}

void printNext(std::ostream& to, const std::string& argument, bool isOwn) {
    to << "\nNext:\n";
    if (isOwn) to << "  export OPENAI_API_KEY=...        # and ANTHROPIC_API_KEY, or take out the provider that you do not have\n";
    to << "  signalboxctl check" << argument << "\n  signalboxctl serve" << argument << '\n';
    if (isOwn)
        to << "Then OpenAI's SDKs have the base URL http://127.0.0.1:38082/v1 and Anthropic's http://127.0.0.1:38082. The model \"practice\"\n"
              "answers by simulation, without any key. ";
    else to << "`serve` says where it listens. ";
    to << "The log of `serve` names the file with the token that clients send.\n";
}

}  // namespace

int runInit(const InitOptions& options, Context& context) {
    const std::filesystem::path folder = options.folder.empty() ? "." : options.folder;
    if (auto made = makeFolder(folder); !made) return report(context, made.error());
    const config::WorkspacePaths paths{folder};
    const auto table = paths.table().lexically_normal(), config = paths.config().lexically_normal();
    const bool hasTable = isTaken(table), hasConfig = isTaken(config);
    if (hasTable && hasConfig)
        return report(context, Error{ErrorKind::conflict, "this folder is a workspace already, and nothing is written over", folder.string(),
                                     "It holds routing-table.json and gateway.toml: `signalboxctl check` says how they are."});
    if (!hasConfig)
        if (auto written = writeNew(config, firstConfig(table, context.clock.now())); !written) return report(context, written.error());
    if (auto written = writeMissingTable(table, context.clock.now()); !written) return report(context, written.error());

    if (options.json) {
        OrderedJson out{{"folder", folder.string()}, {"written", OrderedJson::array()}, {"kept", OrderedJson::array()}};
        out[hasConfig ? "kept" : "written"].push_back(config.string());
        out[hasTable ? "kept" : "written"].push_back(table.string());
        context.out << out.dump(2) << '\n';
        return kOk;
    }
    context.out << config.string() << (hasConfig ? " is left as it is\n" : " written: where requests run, with two providers, an alias and a group as examples\n")
                << table.string() << (hasTable ? " is left as it is\n" : " written: which preset serves a kind of request; empty, so that gateway.toml alone routes\n");
    printNext(context.out, options.folder.empty() ? std::string() : ' ' + quoted(options.folder.string()), !hasConfig);
    return kOk;
}

}  // namespace signalbox::ctl
