// SPDX-License-Identifier: MIT
#include "router/engine/evidence_home.h"

#include "router/engine/history_worker.h"

namespace signalbox::engine {

EvidenceHome::EvidenceHome(bool enabled, evidence::EvidenceOptions options, const Clock& clock)
    : m_enabled(enabled), m_options(std::move(options)), m_clock(clock) {}

Result<bool> EvidenceHome::open() {
    if (!m_enabled || store() != nullptr)
        return false;
    auto opened = evidence::openEvidence(m_options, m_clock);
    const std::scoped_lock lock(m_mutex);
    if (!opened) {
        m_error = opened.error();
        return tl::unexpected(opened.error());
    }
    m_store = std::move(*opened);
    return true;
}

std::optional<Error> EvidenceHome::openError() const {
    const std::scoped_lock lock(m_mutex);
    if (!m_enabled || m_store || m_error.message.empty())
        return std::nullopt;
    return m_error;
}

evidence::EvidenceStore* EvidenceHome::store() const {
    const std::scoped_lock lock(m_mutex);
    return m_store.get();
}

bool EvidenceHome::isCaughtUp() const {
    const evidence::EvidenceStore* const own = store();
    // A writer is ready before it has read the journal for the first time.
    return own != nullptr && own->status().state == evidence::StoreState::ready && !own->holdsLeftOvers();
}

Result<std::unique_ptr<evidence::EventSink>> EvidenceHome::makeEventSink() const {
    if (evidence::EvidenceStore* const own = store(); own != nullptr)
        return own->makeEventSink();
    const std::scoped_lock lock(m_mutex);
    return tl::unexpected(m_error);
}

std::unique_ptr<evidence::HistoryReader> EvidenceHome::makeReader() const {
    if (!m_enabled)
        return makeAbsentHistory({ErrorKind::unavailable, "this gateway keeps no evidence", {}, "Set evidence.enabled to true."});
    {
        const std::scoped_lock lock(m_mutex);
        if (m_store)
            return m_store->makeReader();
        // Another process may hold it: then we only read.
        if (m_error.kind != ErrorKind::conflict)
            return makeAbsentHistory(m_error);
    }
    auto reader = evidence::openHistory(m_options);
    return reader ? std::move(*reader) : makeAbsentHistory(reader.error());
}

} // namespace signalbox::engine
