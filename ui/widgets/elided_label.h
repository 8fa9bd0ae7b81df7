// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

namespace signalbox::ui {

/// One line that gives way: too long text is elided (ids in the middle) and stands whole on hover.
/// When copyable it takes focus, and click, Enter or Ctrl+C copies the whole text.
class ElidedLabel : public QWidget {
    Q_OBJECT
public:
    explicit ElidedLabel(const QString& text = {}, Qt::TextElideMode mode = Qt::ElideRight, QWidget* parent = nullptr);
    /// In the fixed font, elided in the middle, copyable.
    [[nodiscard]] static ElidedLabel* forId(const QString& id, QWidget* parent = nullptr);

    /// The last `kept` characters are never elided: a figure behind a name that may be long.
    void setText(const QString& text, qsizetype kept = 0);
    [[nodiscard]] QString text() const { return m_text; }
    /// What fits into `room` pixels.
    [[nodiscard]] QString shownIn(int room) const;
    void setCopyable(bool copyable);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void copied();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void copy();

    QString m_text;
    qsizetype m_kept = 0;
    Qt::TextElideMode m_mode;
    bool m_copyable = false;
    bool m_hovered = false;
    bool m_justCopied = false;
};

}  // namespace signalbox::ui
