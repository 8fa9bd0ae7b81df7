// SPDX-License-Identifier: MIT
#include "router/gateway/offered_tools.h"

#include "router/gateway/schema_cost.h"

#include <nlohmann/json.hpp>
#include <simdjson.h>

namespace signalbox::gateway {

namespace {

using OfferedJson = nlohmann::json;

/// What comes after goes down into the values by calling itself.
constexpr int kDeepestOffer = 100;

/// The arrays that offer tools, as text.
std::vector<std::string> offeringArrays(std::string_view body) {
    std::vector<std::string> out;
    try {
        const simdjson::padded_string padded(body);
        simdjson::ondemand::parser parser;
        simdjson::ondemand::document document = parser.iterate(padded).value();
        for (auto field : document.get_object()) {
            const std::string_view key = field.unescaped_key().value();
            if (key != "tools" && key != "functions")
                continue;
            simdjson::ondemand::value value = field.value().value();
            if (value.type().value() == simdjson::ondemand::json_type::array)
                out.emplace_back(value.get_array().value().raw_json().value());
        }
    } catch (const simdjson::simdjson_error&) {
        out.clear();
    }
    return out;
}

const OfferedJson* memberOf(const OfferedJson& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() ? &*found : nullptr;
}

struct Offer {
    std::string name, schema;
};

std::optional<Offer> offerOf(const OfferedJson& tool) {
    if (!tool.is_object())
        return std::nullopt;
    const OfferedJson* function = memberOf(tool, "function");
    const OfferedJson& described = function != nullptr && function->is_object() ? *function : tool;
    const OfferedJson* name = memberOf(described, "name");
    if (name == nullptr || !name->is_string())
        return std::nullopt;
    const OfferedJson* schema = memberOf(described, "parameters");
    if (schema == nullptr)
        schema = memberOf(described, "input_schema");
    return Offer{name->get<std::string>(), schema != nullptr && schema->is_object() ? schema->dump() : std::string()};
}

} // namespace

void BodyTools::forget() {
    const std::scoped_lock lock(m_mutex);
    m_body = {};
    m_isRead = true;
}

void BodyTools::readBody() const {
    m_isRead = true;
    if (m_body.size() > kMostBodyBytes)
        return;
    std::size_t bytes = 0;
    for (const std::string& array : offeringArrays(m_body)) {
        bytes += array.size();
        if (bytes > kMostToolBytes || nestsDeeper(array, kDeepestOffer)) {
            m_tools.clear();
            m_isKnown = false;
            return;
        }
        const OfferedJson tools = OfferedJson::parse(array, nullptr, false);
        if (!tools.is_array())
            return;
        for (const OfferedJson& tool : tools)
            if (auto offer = offerOf(tool))
                m_tools[std::move(offer->name)].schema = std::move(offer->schema);
        m_isKnown = true;
    }
}

std::shared_ptr<const ToolSchema> BodyTools::checkerOf(Tool& tool) const {
    if (!std::exchange(tool.isRead, true))
        tool.checker = ToolSchema::read(std::exchange(tool.schema, {}));
    return tool.checker;
}

dispatch::OfferedTools::Verdict BodyTools::check(std::string_view tool, std::string_view arguments) const {
    std::shared_ptr<const ToolSchema> checker;
    {
        const std::scoped_lock lock(m_mutex);
        if (!m_isRead)
            readBody();
        if (!m_isKnown)
            return Verdict::unchecked;
        const auto found = m_tools.find(tool);
        if (found == m_tools.end())
            return Verdict::unknownTool;
        checker = checkerOf(found->second);
        const std::uint64_t work = checker ? checker->work(arguments.size()) : 0;
        if (work > m_workLeft)
            return Verdict::unchecked;
        m_workLeft -= work;
    }
    if (!checker)
        return Verdict::unchecked;
    switch (checker->check(arguments)) {
    case ToolSchema::Verdict::fits:
        return Verdict::fits;
    case ToolSchema::Verdict::violates:
        return Verdict::violates;
    case ToolSchema::Verdict::unknown:
        break;
    }
    return Verdict::unchecked;
}

} // namespace signalbox::gateway
