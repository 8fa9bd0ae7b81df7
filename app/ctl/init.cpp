// SPDX-License-Identifier: MIT
#include "app/ctl/verbs.h"
#include "router/policy/first_workspace.h"

#include <nlohmann/json.hpp>
#include <ostream>

namespace signalbox::ctl {
namespace {

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
    const auto begun = policy::beginWorkspace(folder, context.clock.now());
    if (!begun) return report(context, begun.error());
    const std::string config = begun->config.string(), table = begun->table.string();
    if (options.json) {
        OrderedJson out{{"folder", folder.string()}, {"written", OrderedJson::array()}, {"kept", OrderedJson::array()}, {"simulated_presets", begun->simulatedPresets}};
        out[begun->wroteConfig ? "written" : "kept"].push_back(config);
        out[begun->wroteTable ? "written" : "kept"].push_back(table);
        context.out << out.dump(2) << '\n';
        return kOk;
    }
    context.out << config << (begun->wroteConfig ? " written: where requests run, with two providers, an alias and a group as examples\n" : " is left as it is\n") << table
                << (begun->wroteTable ? " written: which preset serves a kind of request; empty, so that gateway.toml alone routes\n" : " is left as it is\n");
    if (const std::size_t bound = begun->simulatedPresets; bound > 0)
        context.out << "Careful: what goes by its " << bound << (bound == 1 ? " preset is" : " presets is") << " answered by simulation until you name their providers in " << config << '\n';
    printNext(context.out, options.folder.empty() ? std::string() : ' ' + quoted(options.folder.string()), begun->wroteConfig);
    return kOk;
}

}  // namespace signalbox::ctl
