// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QWidget>

class QLabel;
class QScrollArea;

namespace signalbox::ui {

/// What is selected, in full, with its reasons and its actions. Folded with F4.
class Inspector : public QWidget {
    Q_OBJECT
public:
    explicit Inspector(QWidget* parent = nullptr);

    /// What a page shows here is put away with the page and comes back with it. Nothing is shown for a page that has
    /// nothing selected.
    void setPage(const QString& page);
    /// Takes `content` of a page over; null empties it. Content of a page that is not shown waits for it.
    void setContent(const QString& page, QWidget* content, const QString& title);
    [[nodiscard]] QString page() const { return m_page; }
    [[nodiscard]] bool isEmpty() const { return m_empty; }

Q_SIGNALS:
    void closed();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Kept {
        QWidget* canvas = nullptr;
        QString title;
    };
    void display(QWidget* canvas, const QString& title);
    void drop(const QString& page);

    QHash<QString, Kept> m_kept;  ///< by page; the one that is shown as well
    QString m_page;
    QLabel* m_title;
    QScrollArea* m_area;
    bool m_empty = true;
};

}  // namespace signalbox::ui
