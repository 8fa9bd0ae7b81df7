// SPDX-License-Identifier: MIT
// What the documents say, against what is there: the links, the commands of signalboxctl with their options, and the
// systemd unit, judged by systemd's own tool.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace {

const QString kTop = QStringLiteral(SIGNALBOX_SOURCE_DIR "/");
const QString kUnit = QStringLiteral("packaging/systemd/signalbox-gateway.service");

QString textOf(const QString& file) {
    QFile in(kTop + file);
    return in.open(QIODevice::ReadOnly) ? QString::fromUtf8(in.readAll()) : QString();
}

const QStringList kDocuments{QStringLiteral("README.md"),           QStringLiteral("CONTRIBUTING.md"), QStringLiteral("app/README.md"),
                             QStringLiteral("packaging/README.md"), QStringLiteral("tests/README.md"), QStringLiteral("resources/demo/README.md"),
                             kUnit};

struct Ran {
    int code = -1;
    QString said;
};

Ran ranProgram(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    const bool ended = process.waitForFinished(30'000) && process.exitStatus() == QProcess::NormalExit;
    return {ended ? process.exitCode() : -1, QString::fromUtf8(process.readAll())};
}

/// `signalboxctl VERB …` wherever a document writes it, up to the end of the command.
QStringList commandsIn(const QString& text) {
    static const QRegularExpression command(QStringLiteral("(?:^ {4,}.*?\\b|`|ExecStart=/usr/local/bin/)(signalboxctl [a-z-]+[^`\\n#;|]*)"), QRegularExpression::MultilineOption);
    QStringList out;
    for (auto found = command.globalMatch(text); found.hasNext();) out << found.next().captured(1).trimmed();
    return out;
}

}  // namespace

class TestDocuments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linksLeadSomewhere();
    void commandsExist_data();
    void commandsExist();
    void theUnitIsAccepted();
    void alertsNameUnitsThatAreShipped();
};

void TestDocuments::linksLeadSomewhere() {
    static const QRegularExpression link(QStringLiteral("\\]\\(([^)#]+)[^)]*\\)"));
    int seen = 0;
    for (const QString& document : kDocuments) {
        const QString text = textOf(document);
        QVERIFY2(!text.isEmpty(), qPrintable(document));
        for (auto found = link.globalMatch(text); found.hasNext();) {
            const QString to = found.next().captured(1);
            if (to.contains(QLatin1String("://"))) continue;
            ++seen;
            QVERIFY2(QFileInfo::exists(QFileInfo(kTop + document).dir().filePath(to)), qPrintable(document + QStringLiteral(" links to ") + to));
        }
    }
    QVERIFY(seen > 15);
}

void TestDocuments::commandsExist_data() {
    QTest::addColumn<QString>("command");
    for (const QString& document : kDocuments)
        for (const QString& command : commandsIn(textOf(document)))
            QTest::addRow("%s: %s", qPrintable(document), qPrintable(command)) << command;
}

void TestDocuments::commandsExist() {
    QFETCH(QString, command);
    static QMap<QString, QString> helps;
    QStringList words = command.split(QLatin1Char(' '), Qt::SkipEmptyParts).mid(1);
    QStringList verb{words.takeFirst()};
    if (verb[0] == QLatin1String("keys") && !words.isEmpty()) verb << words.takeFirst();
    if (!helps.contains(verb.join(QLatin1Char(' ')))) {
        const Ran help = ranProgram(QStringLiteral(SIGNALBOXCTL), verb + QStringList{QStringLiteral("--help")});
        QVERIFY2(help.code == 0, qPrintable(help.said));
        helps[verb.join(QLatin1Char(' '))] = help.said;
    }
    const QString& help = helps[verb.join(QLatin1Char(' '))];
    for (const QString& word : words)
        if (word.startsWith(QLatin1String("--")))
            QVERIFY2(help.contains(QRegularExpression(QStringLiteral("(?m)^ +(-.,)?") + QRegularExpression::escape(word) + QStringLiteral("\\b"))),
                     qPrintable(verb.join(QLatin1Char(' ')) + QStringLiteral(" has no option ") + word));
}

void TestDocuments::theUnitIsAccepted() {
    const QString analyze = QStandardPaths::findExecutable(QStringLiteral("systemd-analyze"));
    if (analyze.isEmpty()) QSKIP("systemd-analyze is not installed");
    QString unit = textOf(kUnit);
    // It is installed elsewhere, and the user is made by whoever installs it.
    QVERIFY(unit.contains(QLatin1String("ExecStart=/usr/local/bin/signalboxctl serve ")));
    unit.replace(QLatin1String("/usr/local/bin/signalboxctl"), QLatin1String(SIGNALBOXCTL));
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("signalbox-gateway.service"));
    const auto verify = [&](const QString& text) {
        QFile out(file);
        if (!out.open(QIODevice::WriteOnly | QIODevice::Truncate) || out.write(text.toUtf8()) < 0) return Ran{};
        out.close();
        return ranProgram(analyze, {QStringLiteral("verify"), QStringLiteral("--man=no"), file});
    };
    const Ran good = verify(unit);
    QVERIFY2(good.code == 0 && !good.said.contains(QLatin1String("signalbox-gateway.service")), qPrintable(good.said));
    // The same tool must be able to say no.
    const Ran bad = verify(unit.replace(QLatin1String("KillMode=mixed"), QLatin1String("KillMode=some")));
    QVERIFY2(bad.said.contains(QLatin1String("KillMode")) || bad.said.contains(QLatin1String("kill mode")), qPrintable(bad.said));
}

void TestDocuments::alertsNameUnitsThatAreShipped() {
    static const QRegularExpression unit(QStringLiteral("systemctl \\w+ ([\\w-]+)"));
    int seen = 0;
    for (auto found = unit.globalMatch(textOf(QStringLiteral("packaging/prometheus/signalbox-alerts.yml"))); found.hasNext(); ++seen) {
        const QString name = found.next().captured(1);
        QVERIFY2(QFileInfo::exists(kTop + QStringLiteral("packaging/systemd/") + name + QStringLiteral(".service")), qPrintable(name));
    }
    QVERIFY(seen > 0);
}

QTEST_APPLESS_MAIN(TestDocuments)
#include "tst_documents.moc"
