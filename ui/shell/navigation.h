// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QWidget>

class QAbstractButton;
class QButtonGroup;
class QLabel;
class QVBoxLayout;

namespace signalbox::ui {

/// The pages on the left, in groups. One Tab stop; the arrow keys move between pages. Folded it shows icons alone; their names
/// are in the tool tips and for screen readers.
class Navigation : public QWidget {
    Q_OBJECT
public:
    explicit Navigation(QWidget* parent = nullptr);

    /// Widgets above the first group, e.g. the workspace button.
    void setTop(QWidget* top);
    void addGroup(const QString& title);
    void addPage(const QString& id, const QString& name, const QString& icon, const QString& toolTip);
    void setCurrent(const QString& id);
    void setFolded(bool folded);
    [[nodiscard]] bool isFolded() const { return m_folded; }

Q_SIGNALS:
    void chosen(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QVBoxLayout* m_layout;
    QButtonGroup* m_buttons;
    QHash<QString, QAbstractButton*> m_byId;
    QHash<QLabel*, QString> m_groups;  ///< headings, which say nothing while folded
    bool m_folded = false;
};

}  // namespace signalbox::ui
