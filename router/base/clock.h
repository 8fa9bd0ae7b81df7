// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace signalbox {

/// UTC with the resolution that PostgreSQL keeps.
using Timestamp = std::chrono::sys_time<std::chrono::microseconds>;
using Steady = std::chrono::steady_clock::time_point;

/// The only source of time for code that decides or records; tests inject their own.
class Clock {
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual Timestamp now() const = 0;
    [[nodiscard]] virtual Steady steady() const = 0;
};

class SystemClock final : public Clock {
public:
    [[nodiscard]] Timestamp now() const override {
        return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
    }
    [[nodiscard]] Steady steady() const override { return std::chrono::steady_clock::now(); }
};

}  // namespace signalbox
