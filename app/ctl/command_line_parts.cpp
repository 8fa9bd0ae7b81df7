// SPDX-License-Identifier: MIT
#include "app/ctl/command_line_parts.h"

#include <charconv>

namespace signalbox::ctl {

CLI::App* addCommand(CLI::App& to, const char* name, const char* does, const std::string& example) {
    return to.add_subcommand(name, does)->footer("\nExample:\n  " + example);
}

CLI::Validator wholeNumber(std::uint64_t min, std::uint64_t max) {
    const auto check = [min, max](const std::string& text) -> std::string {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc{} && end == text.data() + text.size() && value >= min && value <= max) return {};
        return '"' + text + "\" is not a whole number from " + std::to_string(min) + " to " + std::to_string(max);
    };
    return CLI::Validator(check, "N");
}

CLI::Validator notEmpty(const char* advice) {
    const auto check = [advice](const std::string& text) -> std::string {
        return text.empty() ? std::string("the value is empty; ") + advice : std::string();
    };
    return CLI::Validator(check, "");
}

void addJson(CLI::App* command, bool& json, const char* does) {
    command->add_flag("--json", json, does);
}

}  // namespace signalbox::ctl
