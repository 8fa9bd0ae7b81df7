// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/file.h"
#include "router/table/read.h"
#include "tests/support/vectors.h"

#include <nlohmann/json.hpp>
#include <QTest>
#include <algorithm>
#include <stdexcept>

/// What the table tests share: a good table to start from, and short ways to look at what reading gave.
namespace signalbox::test {

/// A moment after every generated_at of the vectors.
inline Timestamp afterAll() { return Timestamp(std::chrono::sys_days(std::chrono::year(2040) / 1 / 1)); }

inline std::string readText(const std::filesystem::path& path) {
    auto text = readFile(path, std::size_t{32} << 20);
    if (!text) throw std::runtime_error(text.error().text());
    return std::move(*text);
}

inline std::string goodText() { return readText(vectorsFolder() / "tables-bad/00-good.json"); }
inline OrderedJson goodJson() { return OrderedJson::parse(goodText()); }
inline table::LoadedTable load(const OrderedJson& json) { return table::readTable(json.dump(1), afterAll()); }

/// "code pointer" of each finding, in order.
inline QStringList summary(const Findings& findings) {
    QStringList out;
    for (const Finding& finding : findings)
        out << QString::fromStdString(finding.code + " " + finding.pointer);
    return out;
}

inline const Finding* findCode(const Findings& findings, std::string_view code) {
    const auto it = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code; });
    return it == findings.end() ? nullptr : &*it;
}

/// The real emitted table, or an empty text where it is not at hand.
inline std::string genesisText() {
    const auto path = sharedVectorsFolder() / "genesis-table-v1.json";
    return std::filesystem::exists(path) ? readText(path) : std::string();
}

}  // namespace signalbox::test
