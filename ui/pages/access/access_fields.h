// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/access/access_rows.h"
#include "ui/pages/access/field_form.h"

namespace signalbox::ui {

/// The fields of what a row stands for, bound to their places in gateway.toml. Of a smart alias there are none: it belongs
/// to its group.
[[nodiscard]] std::vector<BoundField> accessFields(const AccessKey& key);

/// The fields of something new, by their keys: `name`, `provider`, `model`, `target`, …
[[nodiscard]] std::vector<FieldSpec> newFields(AccessList list, const config::GatewayConfig& config);

}  // namespace signalbox::ui
