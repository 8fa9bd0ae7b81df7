// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/file.h"
#include "router/base/json_document.h"
#include "tests/support/vectors.h"

#include <nlohmann/json.hpp>
#include <QTest>
#include <cmath>

namespace signalbox::test {

/// A vector file by name; null if it cannot be read, which every user checks first.
inline OrderedJson vectorFile(const char* name) {
    const auto text = readFile(vectorsFolder() / name, std::size_t{256} << 20);
    return text ? OrderedJson::parse(*text) : OrderedJson();
}

/// One row per case of a section, named by its id and tag; the column `index` is the position.
inline void addVectorRows(const OrderedJson& file, const char* section) {
    QTest::addColumn<int>("index");
    if (!file.is_object() || !file.contains(section)) return;
    int index = 0;
    for (const OrderedJson& one : file.at(section)) {
        const std::string name = one.at("id").get<std::string>() + " " + one.value("tag", std::string());
        QTest::newRow(name.c_str()) << index++;
    }
}

/// Absolute, as the vectors' README states it.
inline bool closeTo(double actual, double expected, double tolerance) {
    return std::abs(actual - expected) <= tolerance;
}

inline bool relativelyCloseTo(double actual, double expected, double tolerance) {
    return std::abs(actual - expected) <= tolerance * std::abs(expected);
}

}  // namespace signalbox::test
