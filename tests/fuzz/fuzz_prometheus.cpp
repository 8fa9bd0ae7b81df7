// SPDX-License-Identifier: MIT
// A metrics page: what is read can be written and reads back as it was, and a page that ends early holds no more.
#include "router/upstream/prometheus_text.h"
#include "tests/fuzz/require.h"

#include <algorithm>
#include <cstdint>

using namespace signalbox;
using fuzz::require;
using upstream::PrometheusSample;

namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\' || c == '"') out += '\\';
        out += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return out;
}

/// Everything but the value, which has many spellings.
std::string written(const PrometheusSample& sample) {
    std::string out = sample.name + "{";
    for (const auto& [name, value] : sample.labels) out += name + "=\"" + escaped(value) + "\",";
    out += "} 1";
    if (sample.timestampMs) out += " " + std::to_string(*sample.timestampMs);
    return out + "\n";
}

bool same(const PrometheusSample& a, const PrometheusSample& b) {
    return a.name == b.name && a.labels == b.labels && a.timestampMs == b.timestampMs;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view page(reinterpret_cast<const char*>(data), size);
    const auto read = upstream::readPrometheusText(page);
    if (!read) {
        require(!read.error().message.empty(), "a refusal says why");
        return 0;
    }
    require(page.empty() || page.back() == '\n', "a page ends with its last line");
    std::string again;
    for (const PrometheusSample& sample : *read) again += written(sample);
    const auto reread = upstream::readPrometheusText(again);
    require(again.size() > upstream::kMaxPrometheusBytes || reread.has_value(), "what was read can be written");
    if (reread) require(std::equal(read->begin(), read->end(), reread->begin(), reread->end(), same), "and reads back");
    if (const std::size_t cut = page.substr(0, size / 2).rfind('\n'); cut != std::string_view::npos) {
        const auto part = upstream::readPrometheusText(page.substr(0, cut + 1));
        require(part && part->size() <= read->size(), "whole lines of a page are a page");
        require(std::equal(part->begin(), part->end(), read->begin(), same), "and hold what they held");
    }
    return 0;
}
