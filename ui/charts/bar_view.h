// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace signalbox::ui {

/// Counts side by side.
struct Bars {
    struct Bar {
        QString name;     ///< beside or below the bar
        QString meaning;  ///< in full, for hover and screen readers
        std::uint64_t count = 0;
        /// Fills the bar instead of the accent; may be empty.
        std::function<void(class QPainter&, const QRectF&)> fill;
    };
    std::vector<Bar> bars;
    QString unit;   ///< "decisions"
    QString scale;  ///< what the names of upright bars measure: "score margin"
    [[nodiscard]] std::uint64_t total() const;
};

/// Bars that can be read by mouse and keys: lying ones with their names before and their counts behind them, or upright
/// ones of a histogram on a scale. A click or Enter goes to what is behind a bar.
class BarView : public QWidget {
    Q_OBJECT
public:
    enum class Direction { lying, upright };
    BarView(Direction direction, const QString& name, QWidget* parent = nullptr);

    void setBars(Bars bars);
    [[nodiscard]] const Bars& bars() const { return m_bars; }
    [[nodiscard]] std::optional<std::size_t> cursor() const { return m_cursor; }
    /// Where a bar with its name and count stands.
    [[nodiscard]] QRectF boxOf(std::size_t bar) const;
    [[nodiscard]] QString sentenceOf(std::size_t bar) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void chosen(int bar);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void moveTo(std::optional<std::size_t> bar);
    /// The cursor's bar for screen readers; how to read the bars without one.
    void describe();
    void step(int by);
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] std::optional<std::size_t> barAt(const QPointF& position) const;
    [[nodiscard]] int nameWidth() const;
    [[nodiscard]] QString countText(std::size_t bar) const;
    void paintLying(QPainter& painter, std::size_t bar) const;
    void paintUpright(QPainter& painter, std::size_t bar) const;
    void paintScale(QPainter& painter) const;
    void fillBar(QPainter& painter, const QRectF& box, std::size_t bar) const;

    Direction m_direction;
    Bars m_bars;
    std::uint64_t m_highest = 0;
    double m_step = 1, m_top = 1;  ///< of the scale that upright bars stand on
    double m_left = 0;             ///< room for its counts
    std::optional<std::size_t> m_cursor;
};

}  // namespace signalbox::ui
