// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/circuits.h"
#include "tests/support/fakes.h"

#include <QString>

namespace signalbox::test {

inline const capacity::Fault kStatus500{capacity::FaultKind::status, 500, std::nullopt};
inline const capacity::Fault kRefused{capacity::FaultKind::connect, 0, std::nullopt};

inline capacity::Fault limited(std::optional<std::chrono::seconds> retryAfter) { return {capacity::FaultKind::status, 429, retryAfter}; }

template <class T>
QString word(T value) {
    const std::string_view text = toString(value);
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// A circuit, its clock, and attempts as short words.
struct CircuitBench {
    ManualClock clock;
    capacity::Circuits circuits;
    std::shared_ptr<capacity::Circuit> circuit;

    explicit CircuitBench(const capacity::CircuitSettings& settings = {}) : circuits(clock, settings), circuit(circuits.of("lab:m")) {}
    bool succeed() const {
        auto permit = circuit->tryAdmit();
        if (permit) permit->succeeded();
        return permit.has_value();
    }
    bool failWith(const capacity::Fault& fault) const {
        auto permit = circuit->tryAdmit();
        if (permit) permit->failed(fault);
        return permit.has_value();
    }
    [[nodiscard]] bool cooling() const { return circuit->isCooling(clock.steady()); }
    [[nodiscard]] capacity::CircuitState state() const { return circuit->view().state; }
    void openIt() const {
        for (int i = 0; i < 3; ++i) failWith(kStatus500);
    }
};

}  // namespace signalbox::test
