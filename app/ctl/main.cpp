// SPDX-License-Identifier: MIT
#include "app/ctl/command_line.h"
#include "app/ctl/visible_output.h"

#include <exception>
#include <iostream>
#include <unistd.h>

int main(int argc, char** argv) {
    using namespace signalbox;
    std::ios::sync_with_stdio(false);
    const SystemClock clock;
    ctl::VisibleOutput visibleOut(*std::cout.rdbuf(), ::isatty(STDOUT_FILENO) == 1);
    ctl::VisibleOutput visibleErr(*std::cerr.rdbuf(), ::isatty(STDERR_FILENO) == 1);
    std::ostream out(&visibleOut), err(&visibleErr);
    err << std::unitbuf;
    ctl::Context context{.in = std::cin,
                         .out = out,
                         .err = err,
                         .environment = config::processEnvironment(),
                         .clock = clock,
                         .inIsTerminal = ::isatty(STDIN_FILENO) == 1,
                         .errIsTerminal = ::isatty(STDERR_FILENO) == 1};
    int code = ctl::kUnreachable;
    try {
        code = ctl::runCommandLine(argc, argv, context);
    } catch (const std::exception& error) {
        err << "signalboxctl: something went wrong that should not: " << error.what() << '\n';
        return ctl::kUnreachable;  // nothing that was given is known to be wrong, and another try may go well
    }
    out.flush();
    if (!out) {
        err << "signalboxctl: cannot write to standard output: is the disk full or the reader gone?\n";
        return ctl::kUnreachable;
    }
    return code;
}
