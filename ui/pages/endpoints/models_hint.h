// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

namespace signalbox::ui {

/// Shown while no model has a router: what `[models]` are, and a piece of gateway.toml to begin with.
class ModelsHint : public QWidget {
    Q_OBJECT
public:
    explicit ModelsHint(QWidget* parent = nullptr);
    [[nodiscard]] static QString snippet();

Q_SIGNALS:
    void copied();
};

}  // namespace signalbox::ui
