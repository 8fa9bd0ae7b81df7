// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/circuit_watch.h"

#include <map>

namespace signalbox::capacity {

/// The circuits of a process, one for each endpoint that was ever asked for. Outlives engines, so that applying a
/// policy heals nobody. Thread safe.
class Circuits {
public:
    explicit Circuits(const Clock& clock, const CircuitSettings& settings = {}) : m_clock(clock), m_settings(settings) {}

    /// Keep the pointer where the endpoint is known beforehand: this looks it up under a lock.
    [[nodiscard]] std::shared_ptr<Circuit> of(std::string_view endpointId);
    /// Settings of the policy that runs from here on, for all circuits; nobody is healed by it.
    void configure(const CircuitSettings& settings);
    /// Who hears of every circuit that opens or closes from here on; empty for nobody.
    void setListener(CircuitListener listener) { m_watch->setListener(std::move(listener)); }
    /// Sorted by endpoint.
    [[nodiscard]] std::vector<CircuitView> views() const;

private:
    void forgetIdle();

    /// Providers that take any model let callers invent names; beyond this many the idle ones are forgotten.
    static constexpr std::size_t kManyCircuits = 4096;

    const Clock& m_clock;
    const std::shared_ptr<CircuitWatch> m_watch = std::make_shared<CircuitWatch>();
    mutable std::mutex m_mutex;
    CircuitSettings m_settings;
    std::map<std::string, std::shared_ptr<Circuit>, std::less<>> m_circuits;
    std::size_t m_forgetAt = kManyCircuits;  // circuits at which idle ones are looked for
};

/// Judges the failures of one request together: the same fault on a second endpoint blames the request, and both
/// endpoints are excused. Belongs to one request; not thread safe.
class RequestBlame {
public:
    void failed(std::shared_ptr<Circuit> circuit, SampleId sample, const Fault& fault);

private:
    struct Failure {
        std::shared_ptr<Circuit> circuit;
        SampleId sample;
        Fault fault;
    };
    std::vector<Failure> m_failures;
};

}  // namespace signalbox::capacity
