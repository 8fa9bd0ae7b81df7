// SPDX-License-Identifier: MIT
#pragma once

#include "router/classify/dialect.h"

#include <string>
#include <vector>

namespace signalbox::classify {

/// Their words, in the order of the enumeration.
[[nodiscard]] std::vector<std::string> wordsOf(const PeculiaritySet& set);
/// Those that are known; a record of a newer version may name others.
[[nodiscard]] PeculiaritySet peculiaritiesNamed(const std::vector<std::string>& words);

}  // namespace signalbox::classify
