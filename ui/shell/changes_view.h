// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QWidget>

class QAction;
class QLabel;
class QVBoxLayout;

namespace signalbox::ui {

class PolicyDocument;

/// What lies between the draft and the files: the steps, newest first, the files they touch, and what can be done.
class ChangesView : public QWidget {
    Q_OBJECT
public:
    ChangesView(PolicyDocument* document, const QList<QAction*>& actions, QWidget* parent = nullptr);

private:
    void refresh();

    PolicyDocument* m_document;
    QLabel* m_summary;
    QLabel* m_files;
    QVBoxLayout* m_steps;
};

}  // namespace signalbox::ui
