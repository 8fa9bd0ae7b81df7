// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/read.h"

#include <QByteArray>

#include <algorithm>

namespace signalbox::test {

/// Every finding on a line of its own, for the message of a failed test.
inline QByteArray listed(const Findings& findings) {
    std::string out;
    for (const Finding& finding : findings) out += "\n  " + finding.text("gateway.toml");
    return QByteArray::fromStdString(out);
}

inline const Finding* findCode(const Findings& findings, std::string_view code) {
    const auto at = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code; });
    return at == findings.end() ? nullptr : &*at;
}

inline std::size_t countCode(const Findings& findings, std::string_view code) {
    return static_cast<std::size_t>(
        std::count_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code; }));
}

}  // namespace signalbox::test
