// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <QLabel>

class QWidget;

namespace signalbox::ui {

/// What is wrong with what stands in the field above, in full; takes no room while there is nothing to say. The field
/// keeps what was typed, is framed, and tells a screen reader.
class FieldMessage : public QLabel {
    Q_OBJECT
public:
    explicit FieldMessage(QWidget* field, QWidget* parent = nullptr);

    void show(const Error& error);
    void clear();
    [[nodiscard]] bool isShown() const { return !text().isEmpty(); }

private:
    void dress();
    QWidget* m_field;
};

}  // namespace signalbox::ui
