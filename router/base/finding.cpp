// SPDX-License-Identifier: MIT
#include "router/base/finding.h"

#include <algorithm>

namespace signalbox {

std::string_view toString(Severity severity) {
    switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: return "note";
    }
    return "error";
}

std::string Finding::text(std::string_view file) const {
    std::string out(file);
    if (position.line != 0) {
        out += ':' + std::to_string(position.line);
        if (position.column != 0) out += ':' + std::to_string(position.column);
    }
    if (!out.empty()) out += ": ";
    out += toString(severity);
    out += ": " + message;
    if (!pointer.empty()) out += " (" + pointer + ")";
    out += " [" + code + "]";
    if (!hint.empty()) out += " " + hint;
    return out;
}

bool hasErrors(const Findings& findings) {
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding& f) { return f.severity == Severity::error; });
}

}  // namespace signalbox
