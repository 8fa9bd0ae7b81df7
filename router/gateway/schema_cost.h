// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace signalbox::gateway {

/// What checking one value against a schema may cost, and what had to be left out of it.
struct SchemaCost {
    std::uint64_t nodes = 0;      ///< with every reference written out
    bool leftOutPatterns = false; ///< what fits the rest may still violate one
    bool comparesItems = false;   ///< uniqueItems: each item with each other
};

/// Takes out of `schema` what is not run (`pattern`, `format`) and weighs the rest. nullopt: deeper than 64, larger than
/// 20,000 nodes when written out, a reference that leaves the schema, leads nowhere or back to itself, `patternProperties`, a `multipleOf` that is no
/// positive number.
[[nodiscard]] std::optional<SchemaCost> weighSchema(nlohmann::json& schema);

/// Whether arrays and objects stand in each other more than `depth` deep.
[[nodiscard]] bool nestsDeeper(std::string_view json, int depth);

} // namespace signalbox::gateway
