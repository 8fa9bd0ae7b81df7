// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace signalbox::gateway {

/// The JSON Schema of one tool's arguments, as a client wrote it: checked with bounds on what reading and checking may cost,
/// since whoever may use the gateway may send any schema. Thread safe.
///
/// Regular expressions are not run: a `pattern` makes an answer that is right in everything else `unknown`. `format` is an
/// annotation, as the drafts say. References inside of the schema are followed, others are not.
class ToolSchema {
public:
    enum class Verdict { fits, violates, unknown };

    /// Null when it cannot be read: no object, too large or too deep, a reference that leaves it or leads back to itself,
    /// `patternProperties`, a keyword with a value that no draft up to 7 allows.
    [[nodiscard]] static std::unique_ptr<const ToolSchema> read(std::string_view schema);
    ~ToolSchema();

    /// `json` is one JSON value; `unknown` also when checking would cost too much.
    [[nodiscard]] Verdict check(std::string_view json) const;
    /// What checking that many bytes may cost; in all, a request should not be worth more than kMostWork.
    [[nodiscard]] std::uint64_t work(std::size_t bytes) const;
    /// Nodes of the schema times bytes of the arguments: some hundred milliseconds at the very worst.
    static constexpr std::uint64_t kMostWork = 20'000'000;

private:
    struct Parts;
    explicit ToolSchema(std::unique_ptr<const Parts> parts);
    std::unique_ptr<const Parts> m_parts;
};

} // namespace signalbox::gateway
