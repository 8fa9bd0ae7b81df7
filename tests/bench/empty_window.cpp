// SPDX-License-Identifier: MIT
// The yardstick of the console's start: a window with nothing in it, linked with the same libraries.
#include "app/console/startup_trace.h"

#include <QApplication>
#include <QMainWindow>

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QMainWindow window;
    window.resize(1440, 900);
    window.show();
    signalbox::console::reportFirstFrame(window);
    return QApplication::exec();
}
