// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/finding.h"
#include "router/config/pool_types.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace signalbox::config {

/// What became of something that stands in a models registry.
enum class ImportOutcome : std::uint8_t {
    carried,     ///< it is in gateway.toml now and means the same
    present,     ///< gateway.toml said it already
    changed,     ///< carried, but not as it was written; the message says with what
    notCarried,  ///< left out; the message says why
    conflict,    ///< gateway.toml says something else under this name, and keeps it
};
[[nodiscard]] std::string_view toString(ImportOutcome outcome);

/// One line of the report. `finding.pointer` is the path in the registry, `models[0].route[1].weight`, and
/// `finding.position` its place there; a severity of error only for conflicts.
struct ImportEntry {
    ImportOutcome outcome = ImportOutcome::carried;
    Finding finding;
    std::vector<TextPosition> also;  ///< more places with the same key and the same fate
};

struct ModelsImport {
    /// gateway.toml as it is to be: the bytes that were given, and what is new spliced in between.
    std::string text;
    std::vector<ImportEntry> report;
    /// Environment variables to set before a start: they stand for keys that the registry spelled out.
    std::vector<std::string> variables;

    [[nodiscard]] std::size_t count(ImportOutcome outcome) const;
};

/// Why nothing was imported: findings in the registry, or in the gateway.toml it was to go into.
struct ImportRefusal {
    enum class In : std::uint8_t { registry, config } in = In::registry;
    Findings findings;
};

/// Judges a model's `router_params` and routes as its strategy will; the configuration cannot know strategies. See
/// `strategy::checkRouters`. An error below `….router_params.NAME` leaves that parameter out, any other the model.
using ModelJudge = std::function<Findings(const Model& model)>;

/// Adds a models registry in the YAML form of the internals seed's project (contract C) to the text of a gateway.toml,
/// which may be empty. Nothing that stands there is changed, but for names added to a provider's `models`. Importing
/// the same again changes nothing.
///
/// - Prices are USD per million tokens on both sides. Where every rate is below 0.001 they were written per token, as
///   public catalogues do, and are multiplied; so are rates whose name says another unit.
/// - A key is never copied: `${VAR}` becomes `api_key_env = "VAR"`, a literal one a variable named after its provider.
///   No text that holds a literal key gets into the result, the report or a refusal.
/// - Several keys of a route become as many providers and routes, which share its weight and its resources.
///
/// Refused: text that is no YAML or over 1 MiB, nested deeper than 32 or, with every alias written out, over 100,000
/// values; a gateway.toml with errors.
[[nodiscard]] tl::expected<ModelsImport, ImportRefusal> importModels(std::string_view yaml, std::string_view gatewayToml,
                                                                    const ModelJudge& judge = {});

}  // namespace signalbox::config
