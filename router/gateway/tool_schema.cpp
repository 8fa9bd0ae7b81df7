// SPDX-License-Identifier: MIT
// The one file that compiles valijson. Without this its errors would end the process.
#define VALIJSON_USE_EXCEPTIONS 1

#include "router/gateway/tool_schema.h"

#include "router/gateway/schema_cost.h"

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace signalbox::gateway {

namespace {

constexpr std::size_t kMostSchemaBytes = std::size_t{256} << 10;
constexpr int kDeepestArguments = 200;
constexpr std::size_t kMostComparedBytes = std::size_t{8} << 10;

} // namespace

struct ToolSchema::Parts {
    SchemaCost cost;
    valijson::Schema schema;
};

ToolSchema::ToolSchema(std::unique_ptr<const Parts> parts) : m_parts(std::move(parts)) {}
ToolSchema::~ToolSchema() = default;

std::unique_ptr<const ToolSchema> ToolSchema::read(std::string_view text) {
    if (text.size() > kMostSchemaBytes)
        return nullptr;
    try {
        nlohmann::json schema = nlohmann::json::parse(text);
        const auto cost = weighSchema(schema);
        if (!cost)
            return nullptr;
        auto parts = std::make_unique<Parts>();
        parts->cost = *cost;
        valijson::SchemaParser(valijson::SchemaParser::kDraft7)
            .populateSchema(valijson::adapters::NlohmannJsonAdapter(schema), parts->schema);
        return std::unique_ptr<const ToolSchema>(new ToolSchema(std::move(parts)));
    } catch (const std::exception&) {
        return nullptr; // neither the library's words nor the schema's belong anywhere
    }
}

std::uint64_t ToolSchema::work(std::size_t bytes) const { return m_parts->cost.nodes * bytes; }

ToolSchema::Verdict ToolSchema::check(std::string_view json) const {
    const SchemaCost& cost = m_parts->cost;
    if (nestsDeeper(json, kDeepestArguments) || work(json.size()) > kMostWork || (cost.comparesItems && json.size() > kMostComparedBytes))
        return Verdict::unknown;
    try {
        const nlohmann::json value = nlohmann::json::parse(json);
        valijson::Validator validator;
        if (!validator.validate(m_parts->schema, valijson::adapters::NlohmannJsonAdapter(value), nullptr))
            return Verdict::violates;
        return cost.leftOutPatterns ? Verdict::unknown : Verdict::fits;
    } catch (const std::exception&) {
        return Verdict::unknown;
    }
}

} // namespace signalbox::gateway
