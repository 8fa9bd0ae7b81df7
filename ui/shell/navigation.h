// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QWidget>

class QAbstractButton;
class QButtonGroup;
class QVBoxLayout;

namespace signalbox::ui {

/// The pages on the left, in groups. One Tab stop; the arrow keys move between pages.
class Navigation : public QWidget {
    Q_OBJECT
public:
    explicit Navigation(QWidget* parent = nullptr);

    /// Widgets above the first group, e.g. the workspace button.
    void setTop(QWidget* top);
    void addGroup(const QString& title);
    void addPage(const QString& id, const QString& name, const QString& icon, const QString& toolTip);
    void setCurrent(const QString& id);

Q_SIGNALS:
    void chosen(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QVBoxLayout* m_layout;
    QButtonGroup* m_buttons;
    QHash<QString, QAbstractButton*> m_byId;
};

}  // namespace signalbox::ui
