// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/presets/preset_rows.h"

#include <QString>
#include <QVariantMap>

#include <functional>
#include <memory>

class QWidget;

namespace signalbox::ui {

class FactList;

/// What the inspector shows of a preset. `go` is the page's way to other pages.
struct PresetsInspector {
    std::shared_ptr<const table::RoutingTable> table;
    const PresetRow& row;
    std::optional<std::uint64_t> total;  ///< of all requests in the range
    std::function<void(const QString& page, const QVariantMap& arguments)> go;

    /// To be read; `why` says why there is no form for it, if it has a reason of its own.
    [[nodiscard]] QWidget* facts(const QString& why) const;
    /// A form, the buttons of its row, and what is known of it beside its own values.
    [[nodiscard]] QWidget* sheet(QWidget* form, QWidget* buttons, FactList* known) const;
    void fillKnown(FactList* known) const;

private:
    void addWays(QWidget* sheet) const;
};

}  // namespace signalbox::ui
