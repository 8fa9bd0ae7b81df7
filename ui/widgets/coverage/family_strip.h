// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/coverage.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QScrollArea>

#include <array>
#include <vector>

class QButtonGroup;
class QHBoxLayout;

namespace signalbox::ui {

/// One family in small: its name, its cells as a thumbnail, and one line about it.
class FamilyButton : public QAbstractButton {
    Q_OBJECT
public:
    explicit FamilyButton(const table::FamilyCoverage& coverage, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    void paintThumbnail(QPainter& painter, const QRect& box) const;

    QString m_summary;
    std::array<Tone, table::kCellCount> m_tones{};
};

/// All families side by side; choosing one shows it.
class FamilyStrip : public QScrollArea {
    Q_OBJECT
public:
    explicit FamilyStrip(QWidget* parent = nullptr);
    void setFamilies(const std::vector<table::FamilyCoverage>& families);
    void choose(int index);
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void chosen(int index);

private:
    QButtonGroup* m_group;
    QHBoxLayout* m_row;
};

}  // namespace signalbox::ui
