// SPDX-License-Identifier: MIT
#pragma once

#include "app/ctl/context.h"
#include "router/signing/minisign.h"

namespace signalbox::ctl {

/// A minisign pair on disk: PREFIX is the secret key, PREFIX.pub the public one.
struct KeyFiles {
    std::filesystem::path secret;
    [[nodiscard]] std::filesystem::path publicKey() const {
        auto path = secret;
        path += ".pub";
        return path;
    }
};

/// The user's key folder.
[[nodiscard]] Result<std::filesystem::path> keyFolder(const Context& context);
/// The pair that `name` means: PREFIX or PREFIX.pub as a path, else of that name in the user's key folder.
[[nodiscard]] KeyFiles findKey(const Context& context, const std::string& name);
/// Refuses where either file exists, so that no key is ever overwritten.
[[nodiscard]] Result<void> expectNew(const KeyFiles& files);
/// Writes both or neither, the secret one for its owner only, and makes the folder (0700) when it is the user's.
[[nodiscard]] Result<void> writeNewPair(const KeyFiles& files, const std::string& secretText,
                                        const signing::PublicKey& publicKey);
/// Reads the secret key, asking for its password only if it has one.
[[nodiscard]] Result<signing::SecretKey> unlock(Context& context, const KeyFiles& files);

}  // namespace signalbox::ctl
