// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/overview/attention.h"

#include <QWidget>

class QVBoxLayout;

namespace signalbox::ui {

/// The needs-attention list: one row a cause, with the button that mends it.
class AttentionList : public QWidget {
    Q_OBJECT
public:
    explicit AttentionList(QWidget* parent = nullptr);
    /// Rebuilds only when something differs, so that focus and pointer stay where they are.
    void show(const std::vector<AttentionItem>& items);

Q_SIGNALS:
    void remedyWanted(const signalbox::ui::AttentionItem& item);

private:
    QWidget* makeRow(const AttentionItem& item);

    std::vector<AttentionItem> m_items;
    QVBoxLayout* m_layout;
};

}  // namespace signalbox::ui
