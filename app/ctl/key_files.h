// SPDX-License-Identifier: MIT
#pragma once

#include "app/ctl/context.h"
#include "router/signing/key_pairs.h"

namespace signalbox::ctl {

using KeyFiles = signing::KeyPair;
using signing::expectNew;
using signing::writeNewPair;

/// The user's key folder.
[[nodiscard]] Result<std::filesystem::path> keyFolder(const Context& context);
/// The pair that `name` means: PREFIX or PREFIX.pub as a path, else of that name in the user's key folder.
[[nodiscard]] KeyFiles findKey(const Context& context, const std::string& name);
/// Reads the secret key, asking for its password only if it has one.
[[nodiscard]] Result<signing::SecretKey> unlock(Context& context, const KeyFiles& files);

}  // namespace signalbox::ctl
