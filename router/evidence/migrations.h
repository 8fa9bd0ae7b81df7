// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace signalbox::evidence {

/// The statements that bring the schema from version `version - 1` to `version`.
struct Migration {
    int version = 0;
    std::string_view sql;
};

/// The files of resources/schema/sql in order; put into the library when it is configured.
[[nodiscard]] std::span<const Migration> migrations();

}  // namespace signalbox::evidence
