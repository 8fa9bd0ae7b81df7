// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace signalbox::upstream {

/// A plain JSON value that a schema accepts: what is required and nothing else, `const`, an enum's first, the smallest that
/// the bounds allow, otherwise "simulated", 0, true. References inside of the schema and `allOf` are followed, of `anyOf`
/// and `oneOf` the first is taken. Patterns are not read, so that a text may miss one. The same schema gives the same value;
/// what it costs is bounded whatever the schema says, and beyond the bound stands null.
[[nodiscard]] nlohmann::ordered_json plainValue(const nlohmann::ordered_json& schema);

}  // namespace signalbox::upstream
