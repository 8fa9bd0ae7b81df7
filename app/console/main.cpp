// SPDX-License-Identifier: MIT
#include "app/console/console.h"
#include "app/shared/shutdown.h"
#include "ui/theme/language.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QSocketNotifier>

int main(int argc, char** argv) {
    // Before any thread, which inherits which signals are held back.
    signalbox::app::ShutdownSignals signals;
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("signalbox"));
    QApplication::setApplicationDisplayName(QStringLiteral("Signalbox"));
    QApplication::setApplicationVersion(QStringLiteral(SIGNALBOX_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("signalbox"));

    signalbox::ui::installLanguage(application);

    int exitCode = 0;
    const auto arguments = signalbox::console::parseArguments(QApplication::arguments(), exitCode);
    if (!arguments) return exitCode;
    QApplication::setWindowIcon(signalbox::ui::Theme::instance().icon(QStringLiteral("signalbox")));

    QSocketNotifier stop(signals.descriptor(), QSocketNotifier::Read);
    QObject::connect(&stop, &QSocketNotifier::activated, &application, [&signals] {
        if (signals.wait(std::chrono::milliseconds(0)) != signalbox::app::SignalRequest::stop) return;
        QApplication::closeAllWindows();
        QApplication::quit();
    });
    signalbox::console::Console console(*arguments);
    console.start();
    return QApplication::exec();
}
