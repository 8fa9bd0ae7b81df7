// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QPointer>
#include <QWidget>

#include <functional>

class QLabel;
class QLineEdit;
class QListWidget;

namespace signalbox::ui {

/// One thing the palette can find and do.
struct Command {
    QString label;
    QString kind;      ///< "page", "preset", "action"; tr()
    QString icon;      ///< of resources/icons
    QString shortcut;  ///< as text, may be empty
    std::function<void()> run;
    QStringList otherNames = {};  ///< by which it is found, too; tr()
};

/// Ctrl+K: type a few letters, arrows choose, Enter does it, Escape leaves. Lies over its parent window.
class CommandPalette : public QWidget {
    Q_OBJECT
public:
    explicit CommandPalette(QWidget* parent);
    /// Opens with these commands. `forText` may add commands made from what is typed, e.g. a decision id.
    void open(QList<Command> commands, std::function<QList<Command>(const QString&)> forText = {});

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter();
    void runCurrent();
    void close();
    bool handleKey(int key);

    QLineEdit* m_input;
    QListWidget* m_list;
    QLabel* m_nothing;
    QList<Command> m_commands;
    QList<Command> m_shown;  ///< each with what it was found by as its kind
    std::function<QList<Command>(const QString&)> m_forText;
    QPointer<QWidget> m_focusBefore;
};

}  // namespace signalbox::ui
