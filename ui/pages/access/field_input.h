// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/edit.h"

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

namespace signalbox::ui {

/// What a form shows and gives back; nullopt: nothing is written, so the default holds.
using FieldValue = std::optional<config::Scalar>;

enum class FieldKind { text, id, integer, number, list, choice };

/// One value of a form.
struct FieldSpec {
    const char* key = "";  ///< objectName of the editor: `team`
    QString name;       ///< label, tr()
    FieldKind kind = FieldKind::text;
    QString whenUnset;  ///< what holds while nothing is written: "unrestricted"
    QString help;       ///< one muted line below the editor; may be empty
    std::vector<std::pair<config::Scalar, QString>> choices;  ///< of a choice: value and words
};

/// The control of a field. Emits `edited` when the user is done with a change: Enter, leaving, choosing.
class FieldInput : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    /// False when the control cannot show the value in full, or would change it by showing it (F82).
    [[nodiscard]] virtual bool display(const FieldValue& value) = 0;
    /// badInput when what stands there is no value of this kind.
    [[nodiscard]] virtual Result<FieldValue> value() const = 0;
    /// Takes names, descriptions and the mark of a refused value.
    [[nodiscard]] virtual QWidget* control() const = 0;
    virtual void setReadOnly(bool readOnly) = 0;

Q_SIGNALS:
    void edited();
};

[[nodiscard]] FieldInput* makeFieldInput(const FieldSpec& spec);

}  // namespace signalbox::ui
