// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QWidget>

class QLabel;
class QStackedWidget;

namespace signalbox::ui {

class ErrorBanner;
class Page;
class RangeButton;
class ViewState;

/// The calm centre: banner, the question of the page, the sentence that answers it, the time range, the page.
class PageFrame : public QWidget {
    Q_OBJECT
public:
    explicit PageFrame(ViewState* view, QWidget* parent = nullptr);

    void addPage(Page* page);
    void show(Page* page);
    [[nodiscard]] Page* current() const;
    [[nodiscard]] ErrorBanner* banner() const { return m_banner; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ErrorBanner* m_banner;
    QLabel* m_question;
    QLabel* m_answer;
    RangeButton* m_range;
    QStackedWidget* m_stack;
    QHash<Page*, QString> m_answers;
};

}  // namespace signalbox::ui
