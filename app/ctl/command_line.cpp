// SPDX-License-Identifier: MIT
#include "app/ctl/command_line.h"

#include "app/ctl/command_line_parts.h"
#include "router/base/text.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>

namespace signalbox::ctl {
namespace {

/// For a first workspace: nothing else shows what the file looks like. tst_ctl_check checks exactly this text.
constexpr const char* kFirstConfig = R"(

A first gateway.toml, which answers by simulation:
  [providers.lab]
  protocol = "simulated"     # or base_url = "http://127.0.0.1:8000/v1" and, where it needs a key, api_key_env = "NAME"
  [presets.PRESET_KEY]       # one for each preset of routing-table.json
  provider = "lab")";

CLI::Option* addWorkspace(CLI::App* command, std::filesystem::path& workspace) {
    return command->add_option("WORKSPACE", workspace, "folder with routing-table.json and gateway.toml (default: this one)");
}

void addFiles(CLI::App* command, FileArguments& files, bool withConfig) {
    addWorkspace(command, files.workspace);
    command->add_option("--table", files.table, "routing table to use instead of the workspace's");
    if (withConfig) command->add_option("--config", files.config, "gateway.toml to use instead of the workspace's");
}

void addServe(Registration& to) {
    auto* command = addCommand(to.program, "serve", "Run the gateway until SIGTERM; SIGHUP reads the policy again",
                               "signalboxctl serve my-workspace --listen 127.0.0.1:0");
    auto options = to.verb<ServeOptions>(command, runServe);
    auto* workspace = addWorkspace(command, options->workspace);
    command->add_flag("--demo", options->demo, "serve the demo workspace, installed on first use")->excludes(workspace);
    command->add_option("--listen", options->listen, "ADDRESS:PORT instead of the configured one; port 0: any free one. There, /livez says "
                        "that the process answers and /readyz that it takes requests (503 while it drains), whatever the upstreams do");
    command->add_flag("--require-signature", options->requireSignature,
                      "serve only a table and a gateway.toml that are signed by a trusted key");
    command->add_option("--trusted-key", options->trustedKeys, "minisign public key file; may be repeated")
        ->allow_extra_args(false);
    command->add_flag("--no-evidence", options->noEvidence, "keep no history");
    command->add_option("--log-level", options->logLevel, "trace, debug, info, warn, error or off (default: info). "
                        "info has a line for every request, warn for those that failed or were refused");
    command->add_option("--log-format", options->logFormat, "text, or json: one object a line (default: text)");
}

void addInit(Registration& to) {
    auto* command = addCommand(to.program, "init", "Make a workspace: a gateway.toml to begin with and an empty routing table; nothing is written over",
                               "signalboxctl init my-workspace");
    auto options = to.verb<InitOptions>(command, runInit);
    command->add_option("FOLDER", options->folder, "made where it is missing; files that stand in it are left (default: this one)");
    addJson(command, options->json);
}

void addCheck(Registration& to) {
    auto* command = addCommand(to.program, "check", "Validate table and configuration; starts nothing",
                               "signalboxctl check my-workspace" + std::string(kFirstConfig));
    auto options = to.verb<CheckOptions>(command, runCheck);
    addFiles(command, options->files, true);
    addJson(command, options->json);
}

void addRoutingTable(Registration& to) {
    auto* command = addCommand(to.program, "routing-table", "Validate, print or write a routing table",
                               "signalboxctl routing-table table.json --validate");
    auto options = to.verb<RoutingTableOptions>(command, runRoutingTable);
    command->add_option("FILE", options->file, "table, workspace folder or - for standard input (default: this folder)");
    addJson(command, options->json, "print the table itself");
    command->add_flag("--validate", options->validate, "check it and list every finding");
    command->add_option("--out", options->out, "write the table to this file, whole or not at all");
    command->add_option("--vllm-pin", options->vllmPin, "set vllm_pin in what is printed or written");
}

void addDecide(Registration& to) {
    auto* command = addCommand(to.program, "decide", "Decide one request as the gateway would, without sending it",
                               "echo '{\"model\":\"auto\",\"messages\":[]}' | signalboxctl decide my-workspace --explain");
    auto options = to.verb<DecideOptions>(command, runDecide);
    addFiles(command, options->files, true);
    command->add_option("--request", options->request, "JSON body of the request, - for standard input (default)");
    command->add_option("--edge", options->edge, "openai (default), or anthropic for a body of /v1/messages")
        ->check(CLI::IsMember({"openai", "anthropic"}));
    command->add_option("--hint", options->hints,
                        "expected_length=short|medium|long, category=code or input_tokens=N, as in the body's metadata or the header "
                        "X-Signalbox-Expected-Length and the like; may be repeated")
        ->allow_extra_args(false);
    command->add_option("--in-flight", options->inFlight, "requests in flight, this one included (default: unknown)")
        ->check(wholeNumber(0, UINT32_MAX));
    command->add_option("--pin", options->pin, "preset/KEY or endpoint/ID, as in the header X-Signalbox-Pin");
    command->add_option("--profile", options->profile,
                        "quality, balanced, economy or latency, as in the header X-Signalbox-Routing-Profile");
    command->add_option("--session", options->session,
                        "session reference, as in the header X-Signalbox-Session-Id; it decides affinity and canary bucket");
    command->add_option("--principal", options->principal,
                        "principal of the configuration: its default hints, what it may use, its sessions (default: local)");
    command->add_option("--request-id", options->requestId,
                        "as in the header X-Request-Id; decides the canary bucket where there is no session");
    command->add_flag("--explain", options->explain,
                      "show every rule and why it did or did not match, every candidate and what it scored");
    addJson(command, options->json);
}

void addCoverage(Registration& to) {
    auto* command = addCommand(to.program, "coverage", "Show where each kind of request of each family lands",
                               "signalboxctl coverage --table table.json");
    auto options = to.verb<CoverageOptions>(command, runCoverage);
    addFiles(command, options->files, false);
    command->add_option("--family", options->family, "only this model family");
    addJson(command, options->json);
}

void addGroupFilters(CLI::App* command, HistoryOptions& options) {
    command->add_option("--group", options.group, "only this smart group");
    command->add_option("--profile", options.profile, "only quality, balanced, economy or latency")
        ->check(CLI::IsMember({"quality", "balanced", "economy", "latency"}));
    command->add_option("--mode", options.mode, "only off_static, shadow, active or canary_control")
        ->check(CLI::IsMember({"off_static", "shadow", "active", "canary_control"}));
    command->add_option("--selected", options.selected, "only where the group tried this endpoint first, provider:model");
    command->add_option("--recommended", options.recommended, "only where the scores recommended this endpoint");
    command->add_option("--deciding-term", options.decidingTerm, "only disagreements that quality, cost, latency, reliability or affinity decided")
        ->check(CLI::IsMember({"quality", "cost", "latency", "reliability", "affinity"}));
    command->add_flag("--disagreement", options.disagreement, "only where both differ");
    command->add_option("--margin", options.margin, "only disagreements with this distance of scores, in steps of 0.01")
        ->check(CLI::Range(0.0, 2.0));
}

void addHistory(Registration& to) {
    auto* command = addCommand(to.program, "history", "List recorded decisions, newest first",
                               "signalboxctl history my-workspace --since 2h --outcome failed");
    auto options = to.verb<HistoryOptions>(command, runHistory);
    addWorkspace(command, options->workspace);
    command->add_option("--id", options->id, "one decision with its rules and attempts, as X-Signalbox-Decision-Id names it");
    command->add_option("--dsn-env", options->dsnEnv, "variable that holds the connection string of the database");
    command->add_option("--since", options->since, "90s, 30m, 24h, 7d or a UTC time (default: 24h)");
    command->add_option("--until", options->until, "a UTC time (default: now)");
    command->add_option("--preset", options->preset, "only this preset");
    command->add_option("--rule", options->rule, "only this rule, counted from 1")
        ->check(wholeNumber(1, UINT32_MAX));
    command->add_option("--family", options->family, "only this model family");
    command->add_option("--endpoint", options->endpoint, "only what this endpoint answered, PROVIDER:MODEL");
    auto* coverage = command->add_option("--coverage", options->coverage, "only rule, default, gap or none");
    coverage->check(CLI::IsMember({"rule", "default", "gap", "none"}));
    command->add_flag("--gap", options->gap, "only hits of declared gaps")->excludes(coverage);
    command->add_option("--outcome", options->outcome, "only served, failed, refused or cancelled");
    command->add_option("--attempted", options->attempted, "only where an attempt went to this endpoint, whatever came of it");
    command->add_option("--team", options->team, "only requests of this team's principals")->check(notEmpty("leave --team out for all of them"));
    command->add_option("--model", options->model, "only what asked for this model");
    addGroupFilters(command, *options);
    auto* events = command->add_flag("--events", options->events, "what happened to the gateways instead: applies, modes, circuits, notes");
    command->add_option("--kind", options->kinds, "only these events, e.g. apply,kill_switch,circuit_opened")->needs(events);
    command->add_flag("--all", options->all, "simulations and probes too");
    command->add_option("--limit", options->limit, "at most so many rows (default: 50)")->check(wholeNumber(1, 1'000'000));
    command->add_option("--after", options->after, "go on after this key, as printed at the end of a page");
    addJson(command, options->json, "print one JSON record a line");
    // Of decisions only: an event has none of these, and to leave them unheard would answer another question.
    for (const char* name : {"--id", "--preset", "--rule", "--family", "--coverage", "--gap", "--outcome", "--attempted", "--team", "--model", "--group", "--profile", "--mode",
                             "--selected", "--recommended", "--deciding-term", "--disagreement", "--margin", "--all"})
        events->excludes(command->get_option(name));
}

void addImport(Registration& to) {
    auto* command = addCommand(to.program, "import", "Add a models registry in YAML to gateway.toml, with a report of what could not be carried",
                               "signalboxctl import models.yaml --workspace my-workspace --dry-run");
    auto options = to.verb<ImportOptions>(command, runImport);
    command->add_option("FILE", options->registry, "models registry in YAML (models: with id and route), or - for standard input")->required();
    auto* workspace = command->add_option("--workspace", options->workspace, "folder whose gateway.toml it is added to (default: this one)");
    command->add_option("--output", options->output, "write a gateway.toml of its own instead; - prints it, with the report on stderr")->excludes(workspace);
    command->add_flag("--keep-existing", options->keepExisting, "leave what gateway.toml says otherwise as it is, and import the rest");
    command->add_flag("--dry-run", options->dryRun, "only report");
    addJson(command, options->json, "print the report as JSON");
}

void addKeys(Registration& to) {
    auto* keys = addCommand(to.program, "keys", "Make and look after signing keys, in minisign's format",
                            "signalboxctl keys create --out release-key");
    keys->require_subcommand(1);
    const auto add = [&](const char* name, const char* does, const std::string& example,
                         int (*run)(const KeysOptions&, Context&)) {
        auto* command = addCommand(*keys, name, does, example);
        auto options = to.verb<KeysOptions>(command, run);
        addJson(command, options->json);
        return std::pair(command, options);
    };
    auto [create, made] = add("create", "Make a key pair: PREFIX and PREFIX.pub",
                              "SIGNALBOX_KEY_PASSWORD=… signalboxctl keys create --out release-key", runKeysCreate);
    create->add_option("--out", made->name, "PREFIX of the two files (default: in your key folder)");
    create->add_option("--comment", made->comment, "one line that says whose key it is");
    create->add_flag("--no-password", made->noPassword, "leave the secret key unprotected");

    add("list", "List the keys in your key folder", "signalboxctl keys list", runKeysList);

    auto [show, shown] = add("show", "Show a key's id and its public half", "signalboxctl keys show release-key", runKeysShow);
    show->add_option("PREFIX", shown->name, "key files PREFIX and PREFIX.pub, or a name in your key folder")->required();

    auto [import, imported] = add("import", "Copy a minisign key, secret or public, into your key folder",
                                  "signalboxctl keys import ~/.minisign/minisign.key", runKeysImport);
    import->add_option("FILE", imported->importFrom, "secret or public key file of minisign")->required();
    import->add_option("--out", imported->name, "PREFIX of the copies (default: in your key folder)");

    auto [passwd, changed] = add("passwd", "Change the password of a secret key",
                                 "signalboxctl keys passwd release-key", runKeysPasswd);
    passwd->add_option("PREFIX", changed->name, "secret key file, or a name in your key folder")->required();
    passwd->add_flag("--no-password", changed->noPassword, "leave the secret key unprotected");
}

void addSign(Registration& to) {
    auto* command = addCommand(to.program, "sign", "Sign files: each FILE gets a FILE.minisig that stock minisign verifies",
                               "signalboxctl sign --key release-key routing-table.json");
    auto options = to.verb<SignOptions>(command, runSign);
    command->add_option("--key", options->key, "secret key file, or a name in your key folder")->required();
    command->add_option("FILE", options->files, "files to sign")->required();
    command->add_option("--signer", options->signer, "name to put into the trusted comment (default: your login name)");
    command->add_option("--policy-version", options->policyVersion, "default: that of the gateway.toml beside FILE");
    addJson(command, options->json);
}

void addVerify(Registration& to) {
    auto* command = addCommand(to.program, "verify", "Verify files against FILE.minisig: who, when, which policy version",
                               "signalboxctl verify --key release-key.pub routing-table.json");
    auto options = to.verb<VerifyOptions>(command, runVerify);
    command->add_option("--key", options->keys, "trusted public key file; may be repeated")
        ->required()
        ->allow_extra_args(false);
    command->add_option("FILE", options->files, "files to verify")->required();
    addJson(command, options->json);
}

/// "fly" for `signalboxctl fly` and `signalboxctl keys fly`, which the parser only calls a missing subcommand.
std::string unknownVerb(const CLI::App& program, int argc, const char* const* argv, const std::string& before = {}) {
    if (argc < 2 || argv[1][0] == '-') return {};
    std::vector<std::string> verbs;
    for (const auto* command : program.get_subcommands({})) verbs.push_back(command->get_name());
    const bool isKnown = std::find(verbs.begin(), verbs.end(), argv[1]) != verbs.end();
    if (isKnown) {
        const CLI::App& verb = *program.get_subcommand(argv[1]);
        return verb.get_subcommands({}).empty() ? std::string() : unknownVerb(verb, argc - 1, argv + 1, before + argv[1] + ' ');
    }
    const auto near = nearestName(argv[1], verbs);
    return "there is no verb \"" + before + argv[1] + "\"" + (near ? ", did you mean \"" + before + *near + "\"?" : "");
}

}  // namespace

int runCommandLine(int argc, const char* const* argv, Context& context) {
    CLI::App program("Signalbox on the command line: run, check, explain and sign routing policies.", "signalboxctl");
    program.set_version_flag("--version", std::string("signalboxctl ") + SIGNALBOX_VERSION);
    program.require_subcommand(1);
    program.footer("\nExit codes: 0 done, 1 the input is bad, 2 the command line is, 3 a service is unreachable or something broke.");
    int exitCode = kOk;
    Registration to{program, context, exitCode};
    for (const auto add : {addInit, addServe, addCheck, addRoutingTable, addDecide, addCoverage, addHistory, addImport, addKeys, addSign, addVerify, addTargetVerbs})
        add(to);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return program.exit(error, context.out, context.err);
        const std::string verb = unknownVerb(program, argc, argv);
        // A known verb's own help is the shorter way to the right option.
        const bool known = argc > 1 && argv[1][0] != '-' && unknownVerb(program, 2, argv).empty();
        context.err << "signalboxctl: " << (verb.empty() ? error.what() : verb) << "\nSee signalboxctl "
                    << (known ? std::string(argv[1]) + " " : "") << "--help.\n";
        return kUsage;
    }
    return exitCode;
}

}  // namespace signalbox::ctl
