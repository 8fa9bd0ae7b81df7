// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/read.h"
#include "ui/bridge/bridge.h"
#include "ui/theme/theme.h"

#include <QString>
#include <QVariant>

#include <optional>
#include <vector>

namespace signalbox::ui {

/// The four lists of the page.
enum class AccessList { principals, providers, prices, aliases };

/// What a row stands for.
struct AccessKey {
    AccessList list = AccessList::principals;
    QString name;   ///< principal, provider or alias
    QString model;  ///< of a price: empty stands for every model of the provider
    QString group;  ///< of a smart alias
    bool operator==(const AccessKey&) const = default;
};

struct AccessCell {
    QString text;
    QVariant sort;  ///< the text where it is invalid
    std::optional<Tone> tone;
    std::optional<double> share;
    QString tip;
};

struct AccessRow {
    AccessKey key;
    std::vector<AccessCell> cells;  ///< one for each column of the list
};

/// What the rows need to know beside the configuration.
struct AccessFacts {
    std::vector<engine::PrincipalUse> use;
    config::Environment environment;
    Timestamp now{};
};

[[nodiscard]] std::vector<AccessRow> accessRows(AccessList list, const config::GatewayConfig& config, const AccessFacts& facts);

/// "everything", "nothing", "2 groups, 1 model".
[[nodiscard]] QString allowedWords(const config::Principal& principal);
/// True when no list restricts the principal.
[[nodiscard]] bool isUnrestricted(const config::Principal& principal);
/// How the token is given, never the token.
[[nodiscard]] AccessCell tokenCell(const config::Principal& principal, const config::Environment& environment);
/// This month's estimate, against the budgets.
[[nodiscard]] AccessCell spendCell(const config::Principal& principal, const AccessFacts& facts);
[[nodiscard]] QString usd(double amount);
/// "tools, vision, 128,000 tokens"; empty while nobody has said anything.
[[nodiscard]] QString capabilityWords(const config::Capabilities& can);
/// "8 months old"; the text as written where it is no date.
[[nodiscard]] QString priceAge(const config::Pricing& price, Timestamp now);

}  // namespace signalbox::ui
