// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/error.h"
#include "router/base/finding.h"
#include "router/config/read.h"

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::ctl {

/// Exit codes (contract G).
inline constexpr int kOk = 0;           ///< done; warnings allowed
inline constexpr int kBadInput = 1;     ///< the input is bad
inline constexpr int kUsage = 2;        ///< the command line is
inline constexpr int kUnreachable = 3;  ///< a service, disk or socket cannot be used, or something broke inside

/// Everything of the outside that a verb may touch beside the files it is told to.
struct Context {
    std::istream& in;
    std::ostream& out;
    std::ostream& err;
    config::Environment environment;
    const Clock& clock;
    bool inIsTerminal = false;
    bool errIsTerminal = false;
};

[[nodiscard]] int exitCodeOf(ErrorKind kind);
/// Prints "signalboxctl: WHERE: message. hint" to `err` and gives the exit code.
[[nodiscard]] int report(Context& context, const Error& error);
/// For what only a person at the command line can mend; exit code 2.
[[nodiscard]] int reportUsage(Context& context, std::string_view message);
/// One line each to `to`.
void printFindings(std::ostream& to, const Findings& findings, std::string_view file);
/// `1 error, 2 warnings`; empty parts are left out. `unreadable` files count as errors too.
[[nodiscard]] std::string countsText(const Findings& findings, std::size_t unreadable = 0);

/// A file, or standard input for `-`.
[[nodiscard]] Result<std::string> readInput(Context& context, const std::filesystem::path& file, std::size_t maxBytes);
/// How messages name it.
[[nodiscard]] std::string inputName(const std::filesystem::path& file);

/// Which files a verb works on: those of the workspace, unless named one by one.
struct FileArguments {
    std::filesystem::path workspace;
    std::filesystem::path table;
    std::filesystem::path config;
};
struct Files {
    std::optional<std::filesystem::path> table, config;
};
/// Without any argument the workspace is the current folder. A workspace that is no folder is an error; whether its
/// files exist shows when they are read.
[[nodiscard]] Result<Files> filesOf(const FileArguments& arguments);
/// The workspace folder, `.` by default; an error unless it is a folder.
[[nodiscard]] Result<std::filesystem::path> workspaceFolder(const std::filesystem::path& argument);

}  // namespace signalbox::ctl
