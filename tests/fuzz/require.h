// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace signalbox::fuzz {

/// A property that holds for every input. Its failure is a finding like a crash: libFuzzer keeps the input.
inline void require(bool holds, std::string_view what) {
    if (holds) return;
    std::fprintf(stderr, "property broken: %.*s\n", static_cast<int>(what.size()), what.data());
    std::abort();
}

}  // namespace signalbox::fuzz
