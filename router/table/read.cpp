// SPDX-License-Identifier: MIT
#include "router/table/read.h"

#include "router/base/file.h"
#include "router/base/hashing.h"
#include "router/base/text.h"
#include "router/table/lint.h"
#include "router/table/parts.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace signalbox::table {
namespace {

/// Numbers that no double holds cannot be written back as they were, wherever they stand.
void refuseHugeNumbers(const OrderedJson& value, const std::string& pointer, Remarks& remarks) {
    if (value.is_number_float() && !std::isfinite(value.get<double>()))
        remarks.error("number_out_of_range", pointer, "the number is too large", "Write a number that a double can hold.");
    if (!value.is_structured()) return;
    std::size_t index = 0;
    for (const auto& item : value.items()) {
        const std::string token = value.is_array() ? std::to_string(index++) : item.key();
        refuseHugeNumbers(item.value(), pointer + (OrderedJson::json_pointer() / token).to_string(), remarks);
    }
}

class TableReader {
public:
    TableReader(const JsonDocument& document, Timestamp now, Remarks& remarks)
        : m_root(document.root()), m_now(now), m_remarks(remarks),
          m_fields(m_root, "", "the table", {"missing_top_level_key", "top_level_type"}, remarks) {}

    /// Null if an error was remarked.
    std::shared_ptr<const RoutingTable> read() {
        m_fields.gatherMissing();
        const auto version = readVersion();
        if (version && *version != 1) return shell(*version);
        auto table = std::make_shared<RoutingTable>();
        readOrigin(*table);
        readLists(*table);
        checkSections();
        m_fields.reportMissing("A routing table needs all of them. If this is none: `signalboxctl init FOLDER` writes an empty one.");
        refuseHugeNumbers(m_root, "", m_remarks);
        m_fields.noteUnknown({"schema_version", "generated_by", "generated_at", "vllm_pin", "presets", "routing_rules",
                              "workload_class_detection", "concurrency_mode_detection", "length_detection", "fallback",
                              "coverage_gaps"});
        if (m_remarks.hasErrors()) return nullptr;
        lint(*table, m_remarks);
        return table;
    }

private:
    std::optional<std::int64_t> readVersion();
    std::shared_ptr<const RoutingTable> shell(std::int64_t version);
    void readOrigin(RoutingTable& table);
    void checkGeneratedAt(const std::string& text);
    void readLists(RoutingTable& table);
    void checkSections();
    const OrderedJson* section(const std::string& key) { return m_fields.object(key); }

    const OrderedJson& m_root;
    Timestamp m_now;
    Remarks& m_remarks;
    Fields m_fields;
};

std::optional<std::int64_t> TableReader::readVersion() {
    if (!m_fields.has("schema_version")) return m_fields.integer("schema_version");
    const OrderedJson& value = m_root["schema_version"];
    const auto version = asInteger(value);
    if (!version)
        m_remarks.error("schema_version_type", "/schema_version",
                        "\"schema_version\" must be an integer, not " + typeName(value), "Write 1.");
    return version;
}

std::shared_ptr<const RoutingTable> TableReader::shell(std::int64_t version) {
    m_remarks.warning("unknown_schema_version", "/schema_version",
                      "schema version " + std::to_string(version) + " is not known; this program reads version 1",
                      "Nothing of the table is applied and every model keeps its natural preset. Use a newer Signalbox "
                      "or fetch a table of version 1.");
    auto table = std::make_shared<RoutingTable>();
    table->schemaVersion = version;
    return table;
}

void TableReader::readOrigin(RoutingTable& table) {
    if (m_fields.has("generated_by")) table.generatedBy = m_fields.text("generated_by").value_or("");
    else
        m_remarks.warning("generated_by_missing", "", "the table does not say who generated it",
                          "Add \"generated_by\"; without it the table counts as foreign.");
    if (const auto at = m_fields.text("generated_at")) {
        table.generatedAt = *at;
        checkGeneratedAt(*at);
    }
    if (!m_fields.has("vllm_pin"))
        m_remarks.warning("vllm_pin_missing", "", "the table has no \"vllm_pin\"",
                          "It is read as null; add the pinned version or null.");
    table.vllmPin = m_fields.textOrNull("vllm_pin", false);
}

void TableReader::checkGeneratedAt(const std::string& text) {
    const auto at = parseIso8601(text);
    if (!at)
        m_remarks.warning("generated_at_not_date_time", "/generated_at",
                          "\"" + elided(text, 80) + "\" is not an ISO-8601 date and time",
                          "Write it as in 2026-11-29T12:49:09Z.");
    else if (*at > m_now)
        m_remarks.warning("generated_at_in_future", "/generated_at",
                          "the table says it was generated at " + elided(text, 80) + ", which is in the future",
                          "Check the clocks of this machine and of the emitting one.");
}

void TableReader::readLists(RoutingTable& table) {
    const OrderedJson* presets = m_fields.array("presets");
    const OrderedJson* rules = m_fields.array("routing_rules");
    const OrderedJson* gaps = m_fields.array("coverage_gaps");
    if (presets != nullptr) table.presets = readPresets(*presets, m_remarks);
    if (rules != nullptr) table.rules = readRules(*rules, m_remarks);
    if (gaps != nullptr) table.gaps = readGaps(*gaps, m_remarks);
    // Without the presets every rule would look wrong.
    if (presets != nullptr) checkRuleTargets(table.rules, table.presets, m_remarks);
}

void TableReader::checkSections() {
    if (const auto* object = section("workload_class_detection")) checkWorkloadDetection(*object, m_remarks);
    if (const auto* object = section("concurrency_mode_detection")) checkConcurrencyDetection(*object, m_remarks);
    if (const auto* object = section("fallback")) checkFallback(*object, m_remarks);
    if (!m_fields.has("length_detection"))
        m_remarks.warning("length_detection_missing", "", "the table has no \"length_detection\"",
                          "The documented thresholds 256 and 512 are used.");
    else if (const auto* object = section("length_detection"))
        checkLengthDetection(*object, m_remarks);
}

}  // namespace

LoadedTable readTable(std::string bytes, Timestamp now) {
    LoadedTable loaded;
    loaded.sha256 = sha256Hex(bytes);
    auto document = JsonDocument::parse(std::move(bytes));
    if (!document) {
        loaded.findings.push_back(std::move(document.error()));
        return loaded;
    }
    loaded.document = std::move(*document);
    Remarks remarks(*loaded.document);
    if (loaded.document->hadByteOrderMark())
        remarks.warning("byte_order_mark", "", "the file starts with a byte order mark",
                        "It is skipped; save the file as UTF-8 without one.");
    if (loaded.document->root().is_object())
        loaded.table = TableReader(*loaded.document, now, remarks).read();
    else
        remarks.error("top_level_not_object", "",
                      "a routing table is an object, this is " + typeName(loaded.document->root()),
                      "Check that it is the right file.");
    loaded.findings = remarks.takeFindings();
    loaded.advisories = remarks.takeAdvisories();
    return loaded;
}

Result<LoadedTable> readTableFile(const std::filesystem::path& path, Timestamp now) {
    auto bytes = readFile(path, JsonLimits{}.maxBytes);
    if (!bytes) return tl::unexpected(std::move(bytes.error()));
    return readTable(std::move(*bytes), now);
}

}  // namespace signalbox::table
