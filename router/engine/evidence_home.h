// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/evidence.h"

#include <mutex>
#include <optional>

namespace signalbox::engine {

/// Where one gateway's evidence goes and comes from: a store of its own, or, where another process holds that, its
/// history alone. Thread safe.
class EvidenceHome {
public:
    EvidenceHome(bool enabled, evidence::EvidenceOptions options, const Clock& clock);

    [[nodiscard]] bool isEnabled() const { return m_enabled; }
    /// True when it has opened just now. Error: why it cannot; it is tried again with the next call.
    [[nodiscard]] Result<bool> open();
    /// Why no store is open although it is enabled.
    [[nodiscard]] std::optional<Error> openError() const;
    /// Null until it opened or when it is not enabled; then never another one.
    [[nodiscard]] evidence::EvidenceStore* store() const;
    /// Whether it holds all that earlier processes left in the journal and that can be read.
    [[nodiscard]] bool isCaughtUp() const;

    [[nodiscard]] Result<std::unique_ptr<evidence::EventSink>> makeEventSink() const;
    /// Never null: without a history it is one that says why.
    [[nodiscard]] std::unique_ptr<evidence::HistoryReader> makeReader() const;

private:
    const bool m_enabled;
    const evidence::EvidenceOptions m_options;
    const Clock& m_clock;
    mutable std::mutex m_mutex;
    std::unique_ptr<evidence::EvidenceStore> m_store;
    Error m_error; ///< why there is none
};

} // namespace signalbox::engine
