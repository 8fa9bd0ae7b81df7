// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/random.h"
#include "router/table/edit.h"
#include "router/table/when.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

namespace signalbox::test {

/// One change of a table's text beside the same change of its values, and the bytes that it may touch.
struct TableStep {
    std::string label;
    Result<std::string> text;
    OrderedJson tree;
    ByteRange touched;
};

/// Draws changes, each possible for the table that it is given.
class TableEdits {
public:
    explicit TableEdits(std::uint64_t seed) : m_random(seed) {}

    TableStep next(const std::string& text, OrderedJson tree) {
        m_document = *JsonDocument::parse(text);
        const std::size_t kind = draw(4);
        if (kind == 0 && !tree["presets"].empty()) return rename(text, std::move(tree));
        static const std::array<std::string, 3> kLists{"presets", "routing_rules", "coverage_gaps"};
        const std::string list = kLists[draw(3)];
        const std::size_t size = tree[list].size();
        const std::size_t action = size == 0 ? 0 : draw(4);
        if (action == 0) return add(text, std::move(tree), list);
        if (action == 1) return remove(text, std::move(tree), list);
        if (action == 2) return change(text, std::move(tree), list);
        return move(text, std::move(tree), list);
    }

private:
    std::size_t draw(std::size_t below) { return static_cast<std::size_t>(m_random.next() % below); }
    bool coin() { return draw(2) == 0; }
    std::string word() {
        static const std::array<std::string, 6> kWords{"plain", "with \"quotes\"", "tab\tand\nline", "größer", "{[,:]}", "back\\slash"};
        return kWords[draw(kWords.size())];
    }

    ByteRange rangeOf(const std::string& pointer) const { return *m_document.rangeOf(pointer); }
    std::string at(const std::string& list, std::size_t i) const { return "/" + list + "/" + std::to_string(i); }

    table::Preset preset() {
        table::Preset out;
        out.presetKey = "new-" + std::to_string(m_random.next());
        out.model = word();
        if (coin()) out.servedModelName = word();
        out.modelFamily = word();
        out.specDecodeK = static_cast<std::int64_t>(draw(6)) + 1;
        if (coin()) out.role = "gateway";
        for (std::size_t i = draw(3); i > 0; --i) out.intendedWorkloads.push_back(word());
        return out;
    }

    static OrderedJson json(const table::Preset& p) {
        return {{"preset_key", p.presetKey}, {"model", p.model},
                {"served_model_name", p.servedModelName ? OrderedJson(*p.servedModelName) : OrderedJson()},
                {"model_family", p.modelFamily}, {"spec_decode_K", p.specDecodeK}, {"max_num_seqs", p.maxNumSeqs},
                {"role", p.role ? OrderedJson(*p.role) : OrderedJson()}, {"intended_workloads", p.intendedWorkloads},
                {"default_for_family", p.defaultForFamily}};
    }

    table::RoutingRule rule() {
        table::RoutingRule out;
        out.modelFamily = word();
        for (const table::Axis axis : table::kAxes) {
            if (coin()) continue;
            auto& words = table::wordsOf(out.when, axis).emplace();
            for (const std::string& w : table::axisWords(axis))
                if (coin()) words.push_back(w);
        }
        out.presetKey = word();
        out.evidence = word();
        if (coin()) out.evidenceTag = "measured";
        return out;
    }

    static OrderedJson json(const table::When& when) {
        OrderedJson out = OrderedJson::object();
        for (const table::Axis axis : table::kAxes)
            if (const auto& words = table::wordsOf(when, axis)) out[std::string(toString(axis))] = *words;
        return out;
    }

    static OrderedJson json(const table::RoutingRule& r) {
        return {{"model_family", r.modelFamily}, {"when", json(r.when)}, {"preset_key", r.presetKey},
                {"evidence", r.evidence}, {"evidence_tag", r.evidenceTag ? OrderedJson(*r.evidenceTag) : OrderedJson()}};
    }

    table::CoverageGap gap() { return {word(), word(), word(), word()}; }
    static OrderedJson json(const table::CoverageGap& g) {
        return {{"model_family", g.modelFamily}, {"missing_cell", g.missingCell},
                {"fallback_preset", g.fallbackPreset}, {"next_phase", g.nextPhase}};
    }

    TableStep add(const std::string& text, OrderedJson tree, const std::string& list) {
        OrderedJson& items = tree[list];
        const std::size_t index = draw(items.size() + 1);
        ByteRange touched = rangeOf("/" + list);
        if (index > 0) touched.begin = rangeOf(at(list, index - 1)).end;
        if (index < items.size()) touched.end = rangeOf(at(list, index)).begin;
        else if (index > 0) touched.end = touched.begin;
        const auto put = [&](auto value, auto edit) {
            items.insert(items.begin() + static_cast<std::ptrdiff_t>(index), json(value));
            return TableStep{"add to " + list, edit(text, index, value), tree, touched};
        };
        if (list == "presets") return put(preset(), table::addPreset);
        if (list == "routing_rules") return put(rule(), table::addRule);
        return put(gap(), table::addGap);
    }

    TableStep remove(const std::string& text, OrderedJson tree, const std::string& list) {
        const std::size_t size = tree[list].size();
        const std::size_t index = draw(size);
        ByteRange touched = rangeOf(at(list, index));
        if (size == 1) touched = rangeOf("/" + list);
        else if (index + 1 < size) touched.end = rangeOf(at(list, index + 1)).begin;
        else touched.begin = rangeOf(at(list, index - 1)).end;
        tree[list].erase(index);
        const auto edit = list == "presets" ? table::removePreset : list == "routing_rules" ? table::removeRule : table::removeGap;
        return {"remove from " + list, edit(text, index), tree, touched};
    }

    TableStep move(const std::string& text, OrderedJson tree, const std::string& list) {
        OrderedJson& items = tree[list];
        const std::size_t from = draw(items.size());
        const std::size_t to = draw(items.size());
        const ByteRange touched{rangeOf(at(list, std::min(from, to))).begin, rangeOf(at(list, std::max(from, to))).end};
        const OrderedJson item = items[from];
        items.erase(from);
        items.insert(items.begin() + static_cast<std::ptrdiff_t>(to), item);
        const auto edit = list == "presets" ? table::movePreset : list == "routing_rules" ? table::moveRule : table::moveGap;
        return {"move in " + list, edit(text, from, to), tree, touched};
    }

    /// Sets known members; what the object has beside them stays.
    static void take(OrderedJson& item, const OrderedJson& members) {
        for (const auto& [key, value] : members.items()) {
            if (key == "when" && item.contains("when")) continue;
            if (!value.is_null() || item.contains(key)) item[key] = value;
        }
        if (!members.contains("when") || !item.contains("when")) return;
        for (const table::Axis axis : table::kAxes) {
            const std::string key(toString(axis));
            if (members["when"].contains(key)) item["when"][key] = members["when"][key];
            else item["when"].erase(key);
        }
    }

    TableStep change(const std::string& text, OrderedJson tree, const std::string& list) {
        const std::size_t index = draw(tree[list].size());
        const auto put = [&](auto value, auto edit) {
            take(tree[list][index], json(value));
            return TableStep{"change in " + list, edit(text, index, value), tree, rangeOf(at(list, index))};
        };
        if (list == "presets") return put(preset(), table::changePreset);
        if (list == "routing_rules") return put(rule(), table::changeRule);
        return put(gap(), table::changeGap);
    }

    TableStep rename(const std::string& text, OrderedJson tree) {
        const std::size_t index = draw(tree["presets"].size());
        const auto from = tree["presets"][index]["preset_key"].get<std::string>();
        const std::string to = from + "-" + std::to_string(draw(1000));
        tree["presets"][index]["preset_key"] = to;
        for (OrderedJson& rule : tree["routing_rules"])
            if (rule["preset_key"] == from) rule["preset_key"] = to;
        for (OrderedJson& gap : tree["coverage_gaps"])
            if (gap["fallback_preset"] == from) gap["fallback_preset"] = to;
        return {"rename", table::renamePreset(text, from, to), tree, {0, text.size()}};
    }

    FastRandom m_random;
    JsonDocument m_document = *JsonDocument::parse("{}");
};

}  // namespace signalbox::test
