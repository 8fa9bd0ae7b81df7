// SPDX-License-Identifier: MIT
#include "app/ctl/command_line.h"

#include <exception>
#include <iostream>
#include <unistd.h>

int main(int argc, char** argv) {
    using namespace signalbox;
    std::ios::sync_with_stdio(false);
    const SystemClock clock;
    ctl::Context context{.in = std::cin,
                         .out = std::cout,
                         .err = std::cerr,
                         .environment = config::processEnvironment(),
                         .clock = clock,
                         .inIsTerminal = ::isatty(STDIN_FILENO) == 1,
                         .errIsTerminal = ::isatty(STDERR_FILENO) == 1};
    int code = ctl::kUnreachable;
    try {
        code = ctl::runCommandLine(argc, argv, context);
    } catch (const std::exception& error) {
        std::cerr << "signalboxctl: something went wrong that should not: " << error.what() << '\n';
        return ctl::kBadInput;
    }
    std::cout.flush();
    if (!std::cout) {
        std::cerr << "signalboxctl: cannot write to standard output: is the disk full or the reader gone?\n";
        return ctl::kUnreachable;
    }
    return code;
}
