// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/console_fixture.h"

#include <QObject>
#include <QString>

namespace signalbox::test {

/// What every test that takes pictures of one page begins and ends with: the whole console at its usual size, both
/// schemes as data rows, and pictures in build/visual under PAGE-STATE-SCHEME.png that are checked as they are taken.
/// A test derives from it and has a slot `states` that begins with `begin()`.
class PagePictures : public QObject {
    Q_OBJECT
public:
    explicit PagePictures(QString page) : m_page(std::move(page)) {}

protected:
    enum class Checks {
        none,     ///< a state in which something is cut by intent, e.g. behind a scrolled edge
        clipped,  ///< no text is cut
        all       ///< nor faint
    };

    [[nodiscard]] ConsoleFixture& console() const { return *m_console; }
    [[nodiscard]] ui::MainWindow& window() const { return *m_console->window; }
    /// Puts on the row's scheme at the usual size.
    void begin();
    /// Goes to this page with these arguments, and waits until it is drawn.
    void look(const QVariantMap& arguments = {});
    /// Of the window, or of `widget` alone. Fails the test where a check does.
    void save(const QString& state, Checks checks = Checks::all, QWidget* widget = nullptr);
    /// Once the console stands; what the page is to show.
    virtual void prepare() {}

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_console.reset(); }
    void states_data();

private:
    QString m_page;
    std::unique_ptr<ConsoleFixture> m_console;
};

}  // namespace signalbox::test
