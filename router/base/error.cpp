// SPDX-License-Identifier: MIT
#include "router/base/error.h"

namespace signalbox {

std::string Error::text() const {
    std::string out;
    if (!where.empty()) out += where + ": ";
    out += message;
    if (!hint.empty()) {
        if (!out.empty() && out.back() != '.' && out.back() != '?' && out.back() != '!') out += '.';
        out += ' ';
        out += hint;
    }
    return out;
}

}  // namespace signalbox
