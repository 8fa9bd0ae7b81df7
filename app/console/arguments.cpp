// SPDX-License-Identifier: MIT
#include "app/console/arguments.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QTextStream>

namespace signalbox::console {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Arguments)
};
}  // namespace

std::optional<Arguments> parseArguments(const QStringList& words, int& exitCode) {
    QCommandLineParser parser;
    parser.setApplicationDescription(Words::tr("Decide where LLM requests go, and see why they went there."));
    parser.addPositionalArgument(QStringLiteral("path"), Words::tr("A workspace folder or a routing table; the demo workspace when left out."),
                                 QStringLiteral("[path]"));
    const QCommandLineOption help = parser.addHelpOption();
    const QCommandLineOption version = parser.addVersionOption();
    const QCommandLineOption demo(QStringLiteral("demo"), Words::tr("Open the demo workspace."));
    const QCommandLineOption page(QStringLiteral("page"), Words::tr("Begin at this page, e.g. rules."), QStringLiteral("id"));
    parser.addOptions({demo, page});

    if (!parser.parse(words)) {
        QTextStream(stderr) << parser.errorText() << Qt::endl << Words::tr("Try signalbox --help.") << Qt::endl;
        exitCode = 2;
        return std::nullopt;
    }
    exitCode = 0;
    if (parser.isSet(help)) {
        QTextStream(stdout) << parser.helpText();
        return std::nullopt;
    }
    if (parser.isSet(version)) {
        QTextStream(stdout) << "signalbox " << SIGNALBOX_VERSION << Qt::endl;
        return std::nullopt;
    }
    const QStringList paths = parser.positionalArguments();
    if (paths.size() > 1 || (parser.isSet(demo) && !paths.isEmpty())) {
        QTextStream(stderr) << Words::tr("One workspace or table at a time, or --demo alone. Try signalbox --help.") << Qt::endl;
        exitCode = 2;
        return std::nullopt;
    }
    return Arguments{paths.value(0), parser.value(page)};
}

}  // namespace signalbox::console
