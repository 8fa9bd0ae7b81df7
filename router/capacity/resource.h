// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace signalbox::capacity {

/// Capacity that calls consume. One object per identity and process, shared by every router that names it; see
/// ResourceRegistry. What a call takes, it holds as a Reservation.
class Resource {
public:
    explicit Resource(std::string identity) : m_identity(std::move(identity)) {}
    virtual ~Resource() = default;
    Resource(const Resource&) = delete;
    Resource& operator=(const Resource&) = delete;

    [[nodiscard]] const std::string& identity() const { return m_identity; }

private:
    friend class Reservation;
    /// Ends a hold of `units`; `spent` tells whether anything was sent for it.
    virtual void settle(std::uint64_t units, bool spent) = 0;

    const std::string m_identity;
};

/// A hold on a resource. Move-only; it ends when it is released or destroyed, whichever comes first, and only once,
/// so that no ending of a call (success, error, timeout, a client that left, a lost hedge, shutdown) can forget it.
class Reservation {
public:
    Reservation() = default;
    Reservation(std::shared_ptr<Resource> owner, std::uint64_t units) : m_owner(std::move(owner)), m_units(units) {}
    Reservation(Reservation&& other) noexcept;
    Reservation& operator=(Reservation&& other) noexcept;
    ~Reservation() { release(); }

    /// The call is on its way: quota units stay used after the release. Slots come back all the same.
    void markSpent() { m_spent = true; }
    /// Idempotent.
    void release();

    [[nodiscard]] bool held() const { return m_owner != nullptr; }
    [[nodiscard]] const Resource* resource() const { return m_owner.get(); }

private:
    std::shared_ptr<Resource> m_owner;
    std::uint64_t m_units = 0;
    bool m_spent = false;
};

}  // namespace signalbox::capacity
