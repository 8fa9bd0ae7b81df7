// SPDX-License-Identifier: MIT
#pragma once

#include "app/ctl/verbs.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>

/// What the files that declare verbs share. They alone include CLI11, which is slow to compile.
namespace signalbox::ctl {

/// Adds one verb to the program; `exitCode` takes what it returns.
struct Registration {
    CLI::App& program;
    Context& context;
    int& exitCode;

    /// The options live as long as the parser, which writes into them.
    template <class Options>
    std::shared_ptr<Options> verb(CLI::App* command, int (*run)(const Options&, Context&)) {
        auto options = std::make_shared<Options>();
        Context* where = &context;
        int* code = &exitCode;
        command->callback([options, run, where, code] { *code = run(*options, *where); });
        return options;
    }
};

[[nodiscard]] CLI::App* addCommand(CLI::App& to, const char* name, const char* does, const std::string& example);
/// The parser's own range check shows the limits as floating-point numbers, its conversion says only "could not".
[[nodiscard]] CLI::Validator wholeNumber(std::uint64_t min, std::uint64_t max);
/// Of a filter whose empty value would mean everything: a script whose variable is not set would be shown what it did not ask for.
[[nodiscard]] CLI::Validator notEmpty(const char* advice);
void addJson(CLI::App* command, bool& json, const char* does = "print JSON for programs");

/// The verbs that speak to a running gateway.
void addTargetVerbs(Registration& to);

}  // namespace signalbox::ctl
