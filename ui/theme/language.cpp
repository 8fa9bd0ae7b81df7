// SPDX-License-Identifier: MIT
#include "ui/theme/language.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTranslator>

// The macro must stand outside any namespace.
static void loadTranslationResources() { Q_INIT_RESOURCE(translations); }

namespace signalbox::ui {

void installLanguage(QCoreApplication& application) {
    loadTranslationResources();
    const QString folder = QStringLiteral(":/translations");
    // The one installed last is asked first.
    for (const QLocale& locale : {QLocale(QLocale::English), QLocale()}) {
        auto* translator = new QTranslator(&application);
        if (translator->load(locale, QStringLiteral("signalbox"), QStringLiteral("_"), folder)) QCoreApplication::installTranslator(translator);
        else delete translator;
    }
}

}  // namespace signalbox::ui
