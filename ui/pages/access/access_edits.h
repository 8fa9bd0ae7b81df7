// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/edit.h"
#include "router/config/types.h"
#include "ui/pages/access/access_rows.h"

#include <functional>

namespace signalbox::ui {

using ConfigEdit = std::function<Result<std::string>(std::string_view text)>;

/// Where a row stands in gateway.toml.
[[nodiscard]] config::Path pathOf(const AccessKey& key);

/// A static alias; refused when the name is taken, which setting the value would overwrite.
[[nodiscard]] ConfigEdit addAlias(const config::GatewayConfig& config, const std::string& name, const std::string& target);
[[nodiscard]] Result<std::string> renameAlias(std::string_view text, const std::string& from, const std::optional<config::Scalar>& to);
/// Everything of `original` but its token, which nobody may share.
[[nodiscard]] ConfigEdit copyPrincipal(const config::Principal& original, const std::string& id);
[[nodiscard]] ConfigEdit removeRow(const AccessKey& key);

/// "ann-copy", "ann-copy-2", …: the first that `isTaken` does not know.
[[nodiscard]] std::string freeName(const std::string& name, const std::function<bool(const std::string&)>& isTaken);

}  // namespace signalbox::ui
