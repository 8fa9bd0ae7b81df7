// SPDX-License-Identifier: MIT
#include "router/config/section_json.h"

#include "router/base/json_document.h"

#include <nlohmann/json.hpp>
#include <sstream>

namespace signalbox::config {
namespace {

OrderedJson toJson(const toml::node& node) {
    if (const auto* table = node.as_table()) {
        OrderedJson out = OrderedJson::object();
        for (auto&& [key, value] : *table) out[std::string(key.str())] = toJson(value);
        return out;
    }
    if (const auto* list = node.as_array()) {
        OrderedJson out = OrderedJson::array();
        for (auto&& value : *list) out.push_back(toJson(value));
        return out;
    }
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* whole = node.as_integer()) return whole->get();
    if (const auto* number = node.as_floating_point()) return number->get();
    if (const auto* flag = node.as_boolean()) return flag->get();
    std::ostringstream out;
    if (const auto* date = node.as_date()) out << date->get();
    if (const auto* time = node.as_time()) out << time->get();
    if (const auto* both = node.as_date_time()) out << both->get();
    return out.str();
}

}  // namespace

std::string jsonOf(const toml::table& table) { return toJson(table).dump(); }

}  // namespace signalbox::config
