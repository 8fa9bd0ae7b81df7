// SPDX-License-Identifier: MIT
// Tool tips and message boxes guess whether they are given HTML. Holds the console to showing text that is not its own as
// it is written: through plainTip (ui/theme), unless every word is a literal of ours.
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>

namespace {

QString readSource(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? QString::fromUtf8(in.readAll()) : QString();
}

QStringList sourcesOf(std::initializer_list<const char*> folders) {
    QStringList files;
    for (const char* folder : folders)
        for (QDirIterator it(QStringLiteral(SIGNALBOX_SOURCE_DIR "/") + QLatin1String(folder), {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files, QDirIterator::Subdirectories); it.hasNext();)
            files << it.next();
    files.sort();
    return files;
}

struct Call {
    qsizetype at = 0;
    QString arguments;
};

/// Every call of `function` with what stands between its parentheses.
QList<Call> callsOf(const QString& source, const QString& function) {
    QList<Call> calls;
    for (qsizetype at = source.indexOf(function + QLatin1Char('(')); at >= 0; at = source.indexOf(function + QLatin1Char('('), at + 1)) {
        const qsizetype from = at + function.size() + 1;
        int depth = 1;
        bool quoted = false;
        qsizetype to = from;
        for (; to < source.size() && depth > 0; ++to) {
            const QChar c = source.at(to);
            if (c == QLatin1Char('"') && source.at(to - 1) != QLatin1Char('\\') && source.at(to - 1) != QLatin1Char('\'')) quoted = !quoted;
            else if (!quoted && c == QLatin1Char('(')) ++depth;
            else if (!quoted && c == QLatin1Char(')')) --depth;
        }
        calls << Call{at, source.mid(from, to - from - 1).simplified()};
    }
    return calls;
}

/// tr("…"), nothing, or a choice between them: no word of anybody else.
bool isOurs(const QString& text) {
    static const QString word = QStringLiteral("(?:(?:\\w+::)?tr\\(\"(?:[^\"\\\\]|\\\\.)*\"\\)|QString\\(\\)|\\{\\})");
    static const QRegularExpression ours(QStringLiteral("^(?:[\\w.>()!:-]+ \\? %1 : )*%1$").arg(word));
    return ours.match(text).hasMatch();
}

bool isPlain(const QString& text) { return isOurs(text) || text.contains(QLatin1String("plainTip(")); }

QString placeOf(const QString& file, const QString& source, qsizetype at) {
    return QStringLiteral("%1:%2").arg(file.mid(int(sizeof(SIGNALBOX_SOURCE_DIR))), QString::number(source.left(at).count(QLatin1Char('\n')) + 1));
}

}  // namespace

class PlainTexts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void literalsAreTold_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("plain");
        const auto row = [](const char* text, bool plain) { QTest::addRow("%s", text) << QString::fromLatin1(text) << plain; };
        row("tr(\"Stop (now)\")", true);
        row("up ? tr(\"Stop\") : QString()", true);
        row("plainTip(name)", true);
        row("{}", true);
        row("name", false);
        row("tr(\"From %1\").arg(name)", false);
        row("up ? tr(\"Stop\") : name", false);
        row("QStringLiteral(\"<b>\") + tr(\"Stop\")", false);
    }
    void literalsAreTold() {
        QFETCH(QString, text);
        QFETCH(bool, plain);
        QCOMPARE(isPlain(text), plain);
    }

    void toolTipsAndMessageBoxesShowTextAsItIsWritten() {
        // The tip of an action was made plain where it was given to the action.
        const QStringList knownPlain{QStringLiteral("m_action->toolTip()")};
        QStringList broken;
        int seen = 0;
        for (const QString& file : sourcesOf({"ui", "app"})) {
            const QString source = readSource(file);
            for (const char* function : {"setToolTip", "QToolTip::showText", "setInformativeText", "new QMessageBox"})
                for (const Call& call : callsOf(source, QLatin1String(function))) {
                    ++seen;
                    if (!isPlain(call.arguments) && !knownPlain.contains(call.arguments))
                        broken << placeOf(file, source, call.at) + QStringLiteral(": ") + QLatin1String(function) + QLatin1Char('(') + call.arguments + QLatin1Char(')');
                }
        }
        QVERIFY2(seen > 50, "the sources are not seen");
        QVERIFY2(broken.isEmpty(), qPrintable(QStringLiteral("text of others needs plainTip:\n  ") + broken.join(QStringLiteral("\n  "))));
    }

    /// RowModel makes the tips of its cells plain; a model of its own does it itself, once for each place that gives one.
    void modelsShowTextAsItIsWritten() {
        QStringList broken;
        int seen = 0;
        for (const QString& file : sourcesOf({"ui"})) {
            if (!file.endsWith(QLatin1String(".cpp"))) continue;
            const QString source = readSource(file);
            const qsizetype tips = source.count(QLatin1String("Qt::ToolTipRole"));
            if (tips == 0) continue;
            ++seen;
            const QString header = readSource(QFileInfo(file).path() + QLatin1Char('/') + QFileInfo(file).completeBaseName() + QStringLiteral(".h"));
            const bool isRowModel = (source + header).contains(QRegularExpression(QStringLiteral(": public \\w*RowModel")));
            if (!isRowModel && source.count(QLatin1String("plainTip(")) < tips) broken << placeOf(file, source, source.indexOf(QLatin1String("Qt::ToolTipRole")));
        }
        QVERIFY2(seen > 10, "the sources are not seen");
        QVERIFY2(broken.isEmpty(), qPrintable(QStringLiteral("tips without plainTip:\n  ") + broken.join(QStringLiteral("\n  "))));
    }
};

QTEST_APPLESS_MAIN(PlainTexts)
#include "tst_plain_texts.moc"
