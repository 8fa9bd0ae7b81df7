// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/signing/key_pairs.h"
#include "router/signing/trust.h"

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

namespace signalbox::ui {

/// Lets the operator call off what runs on a worker, up to the moment when it begins to write. Either of the two comes
/// first, so that "called off" always means that nothing was written. Thread safe.
class WriteGate {
public:
    /// False when writing has begun: the rest takes milliseconds.
    bool callOff() { return move(State::calledOff); }
    /// For a job that waited for its turn: it need not begin any more.
    [[nodiscard]] bool isCalledOff() const { return m_state == State::calledOff; }
    /// The worker, before it writes; false when it was called off.
    bool pass() { return move(State::writing); }

private:
    enum class State { open, calledOff, writing };
    bool move(State to) {
        State expected = State::open;
        return m_state.compare_exchange_strong(expected, to) || expected == to;
    }
    std::atomic<State> m_state = State::open;
};

/// What to write out and in whose name.
struct ExportRequest {
    std::filesystem::path tableFile;
    std::string expectedSha256;  ///< of the bytes that were shown; other bytes on disk are refused
    std::filesystem::path folder;
    bool replace = false;        ///< another table of that name in the folder may be replaced
    signing::KeyPair key;
    std::string password;        ///< ignored by a key that has none
    std::string signer;
    std::string policyVersion;
    Timestamp at{};
    std::shared_ptr<WriteGate> gate{};  ///< passed once the key is unlocked; without one it cannot be called off
};

/// What was written, read back and verified.
struct ExportResult {
    std::filesystem::path table, signature;
    signing::VerifiedFile verified;
};

/// Writes the table's bytes as they are to FOLDER/routing-table.json and FOLDER/routing-table.json.minisig, each whole
/// or not at all, then verifies both as a receiver would. The key is unlocked first, so that a wrong password writes
/// nothing. Takes seconds with a stock minisign key: call it from a worker.
/// Errors: conflict when the table changed since it was shown, or when the folder holds another one and `replace` is
/// not set; denied for a wrong password; unavailable for a folder that cannot be written; cancelled.
[[nodiscard]] Result<ExportResult> exportTable(const ExportRequest& request);

/// Makes a key pair NAME and NAME.pub in `folder`, encrypted under `password`. Slow by design: call it from a worker.
[[nodiscard]] Result<signing::ListedKey> createSigningKey(const std::filesystem::path& folder, const std::string& name,
                                                          const std::string& password, const std::string& owner,
                                                          const std::shared_ptr<WriteGate>& gate = {});

}  // namespace signalbox::ui
