// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/read.h"

namespace signalbox::config {

/// What `first` does not know is looked for as a file of that name in the folder that `first` calls
/// CREDENTIALS_DIRECTORY: systemd's `LoadCredential=NAME:PATH`, `LoadCredentialEncrypted=` and `SetCredential=`. A secret
/// that is handed over so stands in no environment, which children and `/proc` would see. One line end behind it is not
/// part of it. Only names that a variable may have are looked for.
[[nodiscard]] Environment withCredentials(Environment first);

}  // namespace signalbox::config
