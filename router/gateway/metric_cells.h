// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace signalbox::gateway {

/// A sum that one thread adds to and any may read: a plain load and store, no locked instruction.
template <class Number>
class SumCell {
public:
    void add(Number amount) { m_value.store(value() + amount, std::memory_order_relaxed); }
    [[nodiscard]] Number value() const { return m_value.load(std::memory_order_relaxed); }

private:
    std::atomic<Number> m_value{0};
};
using CountCell = SumCell<std::uint64_t>;

/// A histogram under the same rule. `kBounds` are the upper ends of its buckets, ascending; one more has no end.
template <const auto& kBounds>
class HistogramCell {
public:
    static constexpr std::size_t kBuckets = std::size(kBounds) + 1;

    void observe(double value) {
        const auto bucket = std::lower_bound(std::begin(kBounds), std::end(kBounds), value) - std::begin(kBounds);
        m_counts[static_cast<std::size_t>(bucket)].add(1);
        m_sum.add(value);
    }
    [[nodiscard]] std::uint64_t count(std::size_t bucket) const { return m_counts[bucket].value(); }
    [[nodiscard]] double sum() const { return m_sum.value(); }

private:
    std::array<CountCell, kBuckets> m_counts;
    SumCell<double> m_sum;
};

/// Cells by label values that come from the policy. One thread finds and adds, without a lock or an allocation once the
/// labels are known; any thread may look at all of them.
template <std::size_t N, class Cells>
class LabelledCells {
public:
    using Key = std::array<std::string_view, N>;
    using Labels = std::array<std::string, N>;
    /// Policies come and go, and with them labels. Beyond this many the rest is counted together, as "other".
    static constexpr std::size_t kMost = 4096;

    /// Only by the thread that counts.
    Cells& at(const Key& key) {
        if (const auto found = m_cells.find(key); found != m_cells.end())
            return *found->second;
        return m_cells.size() < kMost ? add(key) : other();
    }

    template <class Visitor>
    void forEach(Visitor&& visit) const {
        const std::scoped_lock lock(m_growth);
        for (const auto& [labels, cells] : m_cells)
            visit(labels, *cells);
    }

private:
    struct Hash {
        using is_transparent = void;
        template <class Texts>
        std::size_t operator()(const Texts& texts) const {
            std::size_t hash = 0;
            for (const auto& text : texts)
                hash = hash * 31 + std::hash<std::string_view>()(text);
            return hash;
        }
    };
    struct Same {
        using is_transparent = void;
        template <class Left, class Right>
        bool operator()(const Left& left, const Right& right) const {
            return std::equal(left.begin(), left.end(), right.begin());
        }
    };

    Cells& add(const Key& key) {
        Labels labels;
        std::copy(key.begin(), key.end(), labels.begin());
        const std::scoped_lock lock(m_growth); // only against readers: nobody else adds
        return *m_cells.emplace(std::move(labels), std::make_unique<Cells>()).first->second;
    }

    Cells& other() {
        Key key;
        key.fill("other");
        const auto found = m_cells.find(key);
        return found != m_cells.end() ? *found->second : add(key);
    }

    mutable std::mutex m_growth;
    std::unordered_map<Labels, std::unique_ptr<Cells>, Hash, Same> m_cells;
};

} // namespace signalbox::gateway
