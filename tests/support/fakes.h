// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/random.h"

#include <atomic>

namespace signalbox::test {

/// Stands still until told to move. Thread safe.
class ManualClock final : public Clock {
public:
    explicit ManualClock(Timestamp start = Timestamp(std::chrono::seconds(1'764'400'000))) : m_micros(start.time_since_epoch().count()) {}
    [[nodiscard]] Timestamp now() const override { return Timestamp(std::chrono::microseconds(m_micros.load())); }
    [[nodiscard]] Steady steady() const override { return Steady(std::chrono::microseconds(m_micros.load())); }
    void advance(std::chrono::microseconds by) { m_micros += by.count(); }

private:
    std::atomic<std::int64_t> m_micros;
};

}  // namespace signalbox::test
