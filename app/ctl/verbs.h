// SPDX-License-Identifier: MIT
#pragma once

#include "app/ctl/context.h"
#include "app/ctl/target_access.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// One function per verb of `signalboxctl`, each in a file of its own; it gives the exit code. Their options are
/// filled by command_line.cpp, the only file that knows the parser.
namespace signalbox::ctl {

struct ServeOptions {
    std::filesystem::path workspace;
    bool demo = false;
    std::string listen;  ///< HOST:PORT; empty means as configured
    bool requireSignature = false;
    std::vector<std::filesystem::path> trustedKeys;
    bool noEvidence = false;
    std::string logLevel = "info";
    std::string logFormat = "text";
};
[[nodiscard]] int runServe(const ServeOptions& options, Context& context);

struct InitOptions {
    std::filesystem::path folder;
    bool json = false;
};
[[nodiscard]] int runInit(const InitOptions& options, Context& context);

struct CheckOptions {
    FileArguments files;
    bool json = false;
};
[[nodiscard]] int runCheck(const CheckOptions& options, Context& context);

struct RoutingTableOptions {
    std::filesystem::path file;  ///< a table, a workspace folder, or `-`
    bool json = false;
    bool validate = false;
    std::filesystem::path out;
    std::optional<std::string> vllmPin;
};
[[nodiscard]] int runRoutingTable(const RoutingTableOptions& options, Context& context);

struct DecideOptions {
    FileArguments files;
    std::filesystem::path request = "-";
    std::string edge = "openai";     ///< openai, anthropic: whose API the body is of
    std::vector<std::string> hints;  ///< K=V
    std::optional<std::uint32_t> inFlight;
    std::string pin;
    std::string profile;    ///< quality, balanced, economy or latency
    std::string session;    ///< hashed at once, never printed
    std::string principal;  ///< of the configuration; empty: one that may do everything
    std::string requestId;
    bool explain = false;
    bool json = false;
};
[[nodiscard]] int runDecide(const DecideOptions& options, Context& context);

struct CoverageOptions {
    FileArguments files;
    std::string family;
    bool json = false;
};
[[nodiscard]] int runCoverage(const CoverageOptions& options, Context& context);

struct HistoryOptions {
    std::filesystem::path workspace;
    std::string id;  ///< only this decision
    std::string dsnEnv;
    std::string since = "24h";  ///< a duration back from now, or a time
    std::string until;          ///< a time; empty means now
    std::string preset, family, coverage, outcome, endpoint;
    std::string attempted;      ///< an endpoint that any attempt went to
    std::string team, model;    ///< of the principal; as the client named it
    std::string group, profile, mode, selected, recommended, decidingTerm;
    bool disagreement = false;
    std::optional<double> margin;  ///< distance of the scores; its step of 0.01 is meant
    std::optional<std::uint32_t> rule;  ///< counted from 1
    bool gap = false;
    bool all = false;           ///< simulations and probes too
    bool events = false;        ///< what happened to the gateways, instead of decisions
    std::string kinds;          ///< of events, with commas between
    std::string after;          ///< page key, as printed at the end of a page
    std::size_t limit = 50;
    bool json = false;
};
[[nodiscard]] int runHistory(const HistoryOptions& options, Context& context);

struct ImportOptions {
    std::filesystem::path registry;   ///< a models registry in YAML, or `-`
    std::filesystem::path workspace;  ///< whose gateway.toml it goes into
    std::filesystem::path output;     ///< a new gateway.toml instead, or `-`
    bool keepExisting = false;
    bool dryRun = false;
    bool json = false;
};
[[nodiscard]] int runImport(const ImportOptions& options, Context& context);

struct KeysOptions {
    std::string name;  ///< PREFIX or FILE; for create and import also where to
    std::filesystem::path importFrom;
    std::string comment;
    bool noPassword = false;
    bool json = false;
};
[[nodiscard]] int runKeysCreate(const KeysOptions& options, Context& context);
[[nodiscard]] int runKeysList(const KeysOptions& options, Context& context);
[[nodiscard]] int runKeysShow(const KeysOptions& options, Context& context);
[[nodiscard]] int runKeysImport(const KeysOptions& options, Context& context);
[[nodiscard]] int runKeysPasswd(const KeysOptions& options, Context& context);

struct SignOptions {
    std::string key;
    std::vector<std::filesystem::path> files;
    std::string signer;
    std::string policyVersion;
    bool json = false;
};
[[nodiscard]] int runSign(const SignOptions& options, Context& context);

struct VerifyOptions {
    std::vector<std::filesystem::path> keys;
    std::vector<std::filesystem::path> files;
    bool json = false;
};
[[nodiscard]] int runVerify(const VerifyOptions& options, Context& context);

// The on-call's verbs, on a gateway that runs.

struct StatusOptions {
    TargetArguments to;
};
[[nodiscard]] int runStatus(const StatusOptions& options, Context& context);

struct OffOptions {
    TargetArguments to;
    bool undo = false;
};
[[nodiscard]] int runOff(const OffOptions& options, Context& context);

struct ModeOptions {
    TargetArguments to;
    std::string mode;  ///< off, shadow or active
    std::optional<std::uint32_t> percent;  ///< 0 to 100
};
[[nodiscard]] int runMode(const ModeOptions& options, Context& context);

struct EndpointVerbOptions {
    TargetArguments to;
    std::string endpoint;  ///< provider:model
    std::string action;    ///< of `circuit`: trip or reset
};
[[nodiscard]] int runDrain(const EndpointVerbOptions& options, Context& context);
[[nodiscard]] int runUndrain(const EndpointVerbOptions& options, Context& context);
[[nodiscard]] int runCircuit(const EndpointVerbOptions& options, Context& context);

struct TailOptions {
    TargetArguments to;
    std::string outcome, endpoint, preset, family, model, group, principal, team;
    std::string attempted;  ///< an endpoint that any attempt went to
    std::optional<std::size_t> limit;
};
[[nodiscard]] int runTail(const TailOptions& options, Context& context);

struct ApplyOptions {
    TargetArguments to;
    std::filesystem::path release;  ///< a folder, or a file in it
};
[[nodiscard]] int runApply(const ApplyOptions& options, Context& context);

struct NoteOptions {
    TargetArguments to;
    std::string text;  ///< `-` for standard input
};
[[nodiscard]] int runNote(const NoteOptions& options, Context& context);

}  // namespace signalbox::ctl
