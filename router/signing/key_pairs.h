// SPDX-License-Identifier: MIT
#pragma once

#include "router/signing/minisign.h"

#include <filesystem>
#include <string>
#include <vector>

/// Minisign key pairs on disk, as the command line and the console keep them.
namespace signalbox::signing {

/// PREFIX is the secret key, PREFIX.pub the public one.
struct KeyPair {
    std::filesystem::path secret;
    [[nodiscard]] std::filesystem::path publicKey() const;
};

/// Refuses where either file exists, so that no key is ever overwritten.
[[nodiscard]] Result<void> expectNew(const KeyPair& files);
/// Writes both or neither, the secret one for its owner only.
[[nodiscard]] Result<void> writeNewPair(const KeyPair& files, const std::string& secretText, const PublicKey& publicKey);
/// Makes a folder for keys, its owner's alone, where there is none.
[[nodiscard]] Result<void> makeKeyFolder(const std::filesystem::path& folder);

struct ListedKey {
    KeyPair files;
    PublicKey key;
    bool hasSecret = false;       ///< false: somebody else's, for checking only
    bool needsPassword = false;
};
struct KeyList {
    std::vector<ListedKey> keys;  ///< by file name
    std::vector<Error> unreadable;
};
/// The pairs and lone public keys of a folder; none where the folder does not exist.
[[nodiscard]] Result<KeyList> listKeys(const std::filesystem::path& folder);

}  // namespace signalbox::signing
