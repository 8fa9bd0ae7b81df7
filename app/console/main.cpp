// SPDX-License-Identifier: MIT
#include "app/console/console.h"
#include "app/shared/process_setup.h"
#include "app/shared/shutdown.h"
#include "ui/theme/language.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QSocketNotifier>

#include <algorithm>
#include <cstdio>
#include <string_view>

// Asked over ssh or in a script, where no display is.
static bool isOnlyAQuestion(int argc, char** argv) {
    return std::any_of(argv + 1, argv + argc, [](const char* word) {
        const std::string_view asked(word);
        return asked == "-h" || asked == "--help" || asked == "--help-all" || asked == "-v" || asked == "--version";
    });
}

// Without any Qt ends the program by abort(), with a message about plugins. Who names a platform knows what it needs.
static bool hasNoDisplay(int argc, char** argv) {
    const auto isSet = [](const char* variable) { return !qEnvironmentVariableIsEmpty(variable); };
    const bool namesPlatform = std::any_of(argv + 1, argv + argc, [](const char* word) {
        const std::string_view asked(word);
        return asked == "-platform" || asked == "--platform" || asked == "-display" || asked == "--display";
    });
    // A compositor under its usual name needs no variable.
    if (qgetenv("XDG_SESSION_TYPE") == "wayland") return false;
    return !namesPlatform && !isSet("QT_QPA_PLATFORM") && !isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY") && !isSet("WAYLAND_SOCKET");
}

static int refuseWithoutDisplay() {
    std::fputs("signalbox: No display: neither DISPLAY nor WAYLAND_DISPLAY is set, and the console is a window. "
               "Run the gateway without it by `signalboxctl serve`, or set DISPLAY (over ssh: ssh -X).\n",
               stderr);
    return 1;
}

static int answer(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    int exitCode = 0;
    static_cast<void>(signalbox::console::parseArguments(QCoreApplication::arguments(), exitCode));
    return exitCode;
}

int main(int argc, char** argv) {
    if (isOnlyAQuestion(argc, argv)) return answer(argc, argv);
    if (hasNoDisplay(argc, argv)) return refuseWithoutDisplay();
    signalbox::app::keepPagesSmall();  // its gateway runs in this process
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
        // Not quit(), which a window may refuse to ask its question: nobody may be there, and what is not saved is kept.
        QApplication::exit();
    });
    signalbox::console::Console console(*arguments);
    console.start();
    return QApplication::exec();
}
