// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/evidence/descriptor.h"

#include <filesystem>

namespace signalbox::evidence {

/// Keeps every other process, and every other store of this process, out of a folder. The kernel releases it when
/// the process ends, however it ends.
class OwnerLock {
public:
    /// Errors: conflict with the owner's name and process id; unavailable when the folder cannot be written.
    [[nodiscard]] static Result<OwnerLock> take(const std::filesystem::path& folder);

private:
    explicit OwnerLock(Descriptor fd) : m_fd(std::move(fd)) {}
    Descriptor m_fd;
};

}  // namespace signalbox::evidence
