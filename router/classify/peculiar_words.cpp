// SPDX-License-Identifier: MIT
#include "router/classify/peculiar_words.h"

#include <algorithm>

namespace signalbox::classify {

std::vector<std::string> wordsOf(const PeculiaritySet& set) {
    std::vector<std::string> out;
    for (int i = 0; i < kPeculiarities; ++i)
        if (const auto one = static_cast<Peculiarity>(i); set.contains(one)) out.emplace_back(toString(one));
    return out;
}

PeculiaritySet peculiaritiesNamed(const std::vector<std::string>& words) {
    PeculiaritySet out;
    for (int i = 0; i < kPeculiarities; ++i) {
        const auto one = static_cast<Peculiarity>(i);
        if (std::find(words.begin(), words.end(), toString(one)) != words.end()) out.add(one);
    }
    return out;
}

}  // namespace signalbox::classify
