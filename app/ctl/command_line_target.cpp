// SPDX-License-Identifier: MIT
#include "app/ctl/command_line_parts.h"

namespace signalbox::ctl {
namespace {

void addTarget(CLI::App* command, TargetArguments& to, const char* json = "print JSON for programs") {
    auto* target = command->add_option("--target", to.target, "address of the gateway, https://HOST:PORT (default: the one of the workspace on this machine)");
    command->add_option("--token-file", to.tokenFile, "file with its admin token (default: $SIGNALBOX_ADMIN_TOKEN; of a gateway of this machine its state folder)");
    command->add_option("--ca-file", to.caFile, "PEM file with the certificates to trust (default: the system's)");
    auto* workspace = command->add_option("--workspace", to.workspace, "whose gateway on this machine is meant (default: this folder)");
    command->add_flag("--demo", to.demo, "the gateway of the demo workspace is meant, as `signalboxctl serve --demo` runs it")->excludes(workspace)->excludes(target);
    command->add_option("--as", to.actor, "who does it, for its audit (default: USER@HOST)");
    command->add_option("--timeout", to.timeoutSeconds, "seconds to wait for a connection, and again for the answer (default: 5)")->check(wholeNumber(1, 600));
    addJson(command, to.json, json);
}

void addStatus(Registration& to) {
    auto* command = addCommand(to.program, "status", "Show what a running gateway runs and how its endpoints are",
                               "signalboxctl status --target https://gateway.example:38082");
    addTarget(command, to.verb<StatusOptions>(command, runStatus)->to);
}

void addOff(Registration& to) {
    auto* command = addCommand(to.program, "off", "Kill switch: smart routing off at once, until --undo or the next apply", "signalboxctl off --target https://gateway.example");
    auto options = to.verb<OffOptions>(command, runOff);
    command->add_flag("--undo", options->undo, "release the switch: the running policy's own mode again");
    addTarget(command, options->to);
}

void addMode(Registration& to) {
    auto* command = addCommand(to.program, "mode", "Set the mode of smart routing until the next apply", "signalboxctl mode active --percent 10 --target https://gateway.example");
    auto options = to.verb<ModeOptions>(command, runMode);
    command->add_option("MODE", options->mode, "off, shadow or active")->required()->check(CLI::IsMember({"off", "shadow", "active"}));
    command->add_option("--percent", options->percent, "share of the requests that an active mode serves (default: as it is now)")->check(wholeNumber(0, 100));
    addTarget(command, options->to);
}

void addEndpointVerb(Registration& to, const char* name, const char* does, int (*run)(const EndpointVerbOptions&, Context&)) {
    auto* command = addCommand(to.program, name, does, "signalboxctl " + std::string(name) + " deepseek:deepseek-v4 --target https://gateway.example");
    auto options = to.verb<EndpointVerbOptions>(command, run);
    command->add_option("ENDPOINT", options->endpoint, "PROVIDER:MODEL, as status lists it")->required();
    addTarget(command, options->to);
}

void addCircuit(Registration& to) {
    auto* command = addCommand(to.program, "circuit", "Open an endpoint's circuit for its cooling time, or close it at once", "signalboxctl circuit reset deepseek:deepseek-v4 --target https://gateway.example");
    auto options = to.verb<EndpointVerbOptions>(command, runCircuit);
    command->add_option("ACTION", options->action, "trip or reset")->required()->check(CLI::IsMember({"trip", "reset"}));
    command->add_option("ENDPOINT", options->endpoint, "PROVIDER:MODEL, as status lists it")->required();
    addTarget(command, options->to);
}

void addTail(Registration& to) {
    auto* command = addCommand(to.program, "tail", "Show decisions as they happen, one line each, until stopped", "signalboxctl tail --target https://gateway.example --outcome failed");
    auto options = to.verb<TailOptions>(command, runTail);
    command->add_option("--outcome", options->outcome, "only served, failed, refused or cancelled")->check(CLI::IsMember({"served", "failed", "refused", "cancelled"}));
    command->add_option("--endpoint", options->endpoint, "only what this endpoint answered, PROVIDER:MODEL");
    command->add_option("--attempted", options->attempted, "only where an attempt went to this endpoint, whatever came of it");
    command->add_option("--preset", options->preset, "only this preset");
    command->add_option("--family", options->family, "only this model family");
    command->add_option("--model", options->model, "only what asked for this model");
    command->add_option("--group", options->group, "only this smart group");
    command->add_option("--principal", options->principal, "only this principal");
    command->add_option("--team", options->team, "only requests of this team's principals")->check(notEmpty("leave --team out for all of them"));
    command->add_option("--limit", options->limit, "end after so many")->check(wholeNumber(1, UINT32_MAX));
    addTarget(command, options->to, "print one JSON record a line");
}

void addApply(Registration& to) {
    auto* command = addCommand(to.program, "apply", "Hand a release to a running gateway, which verifies its signatures itself", "signalboxctl apply releases/rel-14 --target https://gateway.example");
    auto options = to.verb<ApplyOptions>(command, runApply);
    command->add_option("RELEASE", options->release, "folder with routing-table.json, gateway.toml and their .minisig files, or a file in it")->required();
    addTarget(command, options->to);
}

void addNote(Registration& to) {
    auto* command = addCommand(to.program, "note", "Write a note into the events of a running gateway, drawn on every chart", "signalboxctl note 'lab-b has new drivers' --target https://gateway.example");
    auto options = to.verb<NoteOptions>(command, runNote);
    command->add_option("TEXT", options->text, "the words, - for standard input")->required();
    addTarget(command, options->to);
}

}  // namespace

void addTargetVerbs(Registration& to) {
    addStatus(to);
    addOff(to);
    addMode(to);
    addEndpointVerb(to, "drain", "Give an endpoint no new attempts; what is in flight finishes", runDrain);
    addEndpointVerb(to, "undrain", "Let a drained endpoint have attempts again", runUndrain);
    addCircuit(to);
    addTail(to);
    addApply(to);
    addNote(to);
}

}  // namespace signalbox::ctl
