// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/access/access_rows.h"

namespace signalbox::ui {

class FactList;

/// What stands above the form of a row and cannot be edited there: this month's spend, whether a provider can be called,
/// what single models can do, how old a price is, where a smart alias belongs.
void fillFacts(FactList& list, const AccessKey& key, const config::GatewayConfig& config, const AccessFacts& facts);

/// "4 principals, 1 of them unrestricted. …": the answer to the page's question.
[[nodiscard]] QString accessSentence(const config::GatewayConfig& config, const AccessFacts& facts);

}  // namespace signalbox::ui
