// SPDX-License-Identifier: MIT
// Visits every widget of every page, in the language of PseudoTranslator: has it a name for a screen reader, does Tab
// reach it, was its text translated, does the longer text fit, can it be hit.
#include "tests/support/console_fixture.h"
#include "tests/ui/pages/endpoints/endpoint_samples.h"
#include "tests/ui/walker/pseudo_translator.h"
#include "tests/ui/walker/walk.h"
#include "tests/visual/contrast_probe.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class WalkerTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QVERIFY(QCoreApplication::installTranslator(&m_translator));
        m_console = std::make_unique<test::ConsoleFixture>();
        QVERIFY2(m_console->isReady(), qPrintable(m_console->why));
        m_console->window->resize(1440, 900);
        m_console->window->show();
        m_console->window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_console->window.get()));
    }
    void cleanupTestCase() {
        m_console.reset();
        QCoreApplication::removeTranslator(&m_translator);
    }

    void walk_data() {
        QTest::addColumn<QString>("id");
        for (const QString& id : m_console->window->pageIds()) QTest::addRow("%s", qPrintable(id)) << id;
    }
    void walk() {
        QFETCH(QString, id);
        MainWindow& window = *m_console->window;
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.go(id);
        judge(id, policyNames());
    }

    // What the fake gateway of the others has none of: pools, and the inspector with their facts.
    void endpoints_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("subject");
        QTest::newRow("routewise") << QStringLiteral("pool") << QStringLiteral("assistant");
        QTest::newRow("greedy") << QStringLiteral("pool") << QStringLiteral("triage");
        QTest::newRow("endpoint") << QStringLiteral("endpoint") << QStringLiteral("lab_a:gemma-4-26b");
    }
    void endpoints() {
        QFETCH(QString, kind);
        QFETCH(QString, subject);
        test::tellStory(*m_console->target);
        m_console->window->go(QStringLiteral("endpoints"), {{kind, subject}});
        QTRY_COMPARE(m_console->window->currentPage()->state().value(kind).toString(), subject);
        QTRY_VERIFY(m_console->window->findChild<QWidget*>(kind == QLatin1String("pool") ? QStringLiteral("poolSheet") : QStringLiteral("endpointSheet")) != nullptr);
        judge(QStringLiteral("endpoints-") + subject.section(QLatin1Char(':'), 0, 0), policyNames() << subject);
    }

private:
    void judge(const QString& picture, const QSet<QString>& names) {
        MainWindow& window = *m_console->window;
        m_console->settle();
        window.grab().save(QStringLiteral(SIGNALBOX_BINARY_DIR "/visual/%1-pseudo.png").arg(picture));
        const QStringList problems = marked("no accessible name", test::withoutAccessibleName(window)) +
                                     marked("not reached by Tab", test::notReachedByTab(window)) +
                                     marked("not translated", test::untranslated(window, names)) + marked("clipped", test::clippedTexts(window)) +
                                     marked("too small", test::tooSmall(window));
        QVERIFY2(problems.isEmpty(), qPrintable(QLatin1Char('\n') + problems.join(QLatin1Char('\n'))));
    }
    QSet<QString> policyNames() const {
        QSet<QString> names;
        const auto add = [&names](const std::string& name) { names << QString::fromStdString(name); };
        const auto workspace = m_console->document->workspace();
        for (const auto& preset : workspace->table.table->presets) {
            add(preset.presetKey);
            add(preset.model);
            add(preset.servedModelName.value_or(""));
            add(preset.role.value_or(""));
        }
        for (const auto& family : workspace->table.table->families()) add(family);
        for (const auto& rule : workspace->table.table->rules) add(rule.evidence);
        for (const auto& gap : workspace->table.table->gaps)
            for (const auto& text : {gap.missingCell, gap.fallbackPreset, gap.nextPhase}) add(text);
        for (const auto& provider : workspace->config.config->providers) add(provider.id);
        return names;
    }
    static QStringList marked(const char* what, QStringList found) {
        for (QString& one : found) one = QString::fromLatin1(what) + QStringLiteral(": ") + one;
        return found;
    }
    test::PseudoTranslator m_translator;
    std::unique_ptr<test::ConsoleFixture> m_console;
};

QTEST_MAIN(WalkerTest)
#include "tst_walker.moc"
