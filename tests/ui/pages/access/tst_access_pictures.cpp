// SPDX-License-Identifier: MIT
// Pictures of the access page in the states that the walk over all pages does not reach: principals with budgets, a
// provider and a price in their forms, a refused edit, something new, a narrow window.
#include "router/config/edit.h"
#include "tests/support/console_fixture.h"
#include "tests/visual/contrast_probe.h"
#include "ui/pages/access/field_editor.h"
#include "ui/theme/language.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QDir>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class AccessPicturesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        installLanguage(*QCoreApplication::instance());
        m_console = std::make_unique<test::ConsoleFixture>();
        QVERIFY2(m_console->isReady(), qPrintable(m_console->why));
        const auto added = m_console->document->editConfig(QStringLiteral("teams"), [](std::string_view text) { return withTeams(std::string(text)); });
        QVERIFY2(added.has_value(), added ? "" : added.error().text().c_str());
        m_console->target->setPrincipals({{"support-bot", 214, 43.2, true}, {"dispatch-extract", 31, 12.75, true}, {"coding-agents", 8, 151.4, true}, {"research", 0, 0.0, true}});
        window().resize(1440, 900);
        window().show();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        QVERIFY(QDir().mkpath(folder()));
    }
    void cleanupTestCase() { m_console.reset(); }

    void states_data() {
        QTest::addColumn<Scheme>("scheme");
        QTest::newRow("light") << Scheme::light;
        QTest::newRow("dark") << Scheme::dark;
    }
    void states() {
        QFETCH(Scheme, scheme);
        Theme::instance().setScheme(scheme);
        window().resize(1440, 900);
        look("principals", "support-bot");
        save(QStringLiteral("principals"));
        look("principals", "research");
        auto* names = editor("allowed_models")->findChild<QPlainTextEdit*>();
        const QString before = names->toPlainText();
        names->setPlainText(QStringLiteral("gemma-4-26b\ngemma-4-31"));
        names->document()->setModified(true);
        QFocusEvent leaving(QEvent::FocusOut, Qt::TabFocusReason);
        QCoreApplication::sendEvent(names, &leaving);
        auto* rate = editor("requests_per_minute")->findChild<QLineEdit*>();
        rate->setFocus();
        rate->selectAll();
        QTest::keyClicks(rate, QStringLiteral("0"));
        QTest::keyClick(rate, Qt::Key_Return);
        m_console->settle();
        save(QStringLiteral("refused"));
        QTest::keyClick(rate, Qt::Key_Escape);
        names->setPlainText(before);
        names->document()->setModified(true);
        QCoreApplication::sendEvent(names, &leaving);
        look("providers", "deepseek");
        save(QStringLiteral("providers"));
        window().go(QStringLiteral("access"), {{QStringLiteral("list"), QStringLiteral("prices")}, {QStringLiteral("name"), QStringLiteral("deepseek")}, {QStringLiteral("model"), QStringLiteral("deepseek-v4-flash")}});
        m_console->settle();
        save(QStringLiteral("prices"));
        look("aliases", "fast");
        save(QStringLiteral("aliases"));
        for (auto* button : window().findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Add alias")) button->click();
        m_console->settle();
        save(QStringLiteral("new"));
        look("principals", "coding-agents");
        window().resize(1100, 720);
        m_console->settle();
        save(QStringLiteral("narrow"));
    }

private:
    static QString folder() { return QStringLiteral(SIGNALBOX_BINARY_DIR "/visual"); }
    static Result<std::string> withTeams(std::string text) {
        using config::Members;
        using Names = std::vector<std::string>;
        const std::vector<std::pair<std::string, Members>> teams{
            {"support-bot", {{"team", std::string("support")}, {"token_env", std::string("SUPPORT_BOT_TOKEN")}, {"requests_per_minute", std::int64_t{600}}, {"monthly_budget_soft_usd", 40.0}, {"monthly_budget_hard_usd", 60.0}, {"allowed_groups", Names{"auto"}}}},
            {"dispatch-extract", {{"team", std::string("dispatch")}, {"token_env", std::string("PATH")}, {"monthly_budget_hard_usd", 80.0}, {"allowed_providers", Names{"lab_a", "lab_b"}}}},
            {"coding-agents", {{"team", std::string("engineering")}, {"token_env", std::string("HOME")}, {"may_pin", true}, {"monthly_budget_hard_usd", 150.0}}},
            {"research", {{"team", std::string("research")}, {"token_sha256", std::string(64, 'a')}, {"allowed_models", Names{}}}}};
        Result<std::string> out = std::move(text);
        for (const auto& [id, members] : teams)
            if (out) out = config::addTable(*out, {"principals", id}, members);
        if (out) out = config::setValue(*out, {"principals", "support-bot", "hints", "expected_length"}, std::string("short"));
        if (out)
            out = config::addTable(*out, {"providers", "deepseek", "model_pricing", "deepseek-v4-flash"},
                                   {{"input_per_million", 0.14}, {"output_per_million", 0.28}, {"cache_read_per_million", 0.014}, {"effective_at", std::string("2026-02-01")}, {"source", std::string("price list")}});
        return out;
    }
    void look(const char* list, const char* name) {
        window().go(QStringLiteral("access"), {{QStringLiteral("list"), QLatin1String(list)}, {QStringLiteral("name"), QLatin1String(name)}});
        m_console->settle();
    }
    [[nodiscard]] FieldEditor* editor(const char* key) const { return m_console->window->findChild<FieldEditor*>(QLatin1String(key)); }
    void save(const QString& name) {
        const QString scheme = Theme::instance().scheme() == Scheme::light ? QStringLiteral("light") : QStringLiteral("dark");
        const QString file = folder() + QStringLiteral("/access-%1-%2.png").arg(name, scheme);
        const QImage picture = window().grab().toImage();
        QVERIFY2(picture.save(file), qPrintable(file));
        QCOMPARE(test::clippedTexts(window()), QStringList());
        const QStringList faint = test::faintTexts(window(), picture);
        QVERIFY2(faint.isEmpty(), qPrintable(file + QStringLiteral(": ") + faint.join(QStringLiteral("; "))));
    }
    MainWindow& window() { return *m_console->window; }
    std::unique_ptr<test::ConsoleFixture> m_console;
};

Q_DECLARE_METATYPE(signalbox::ui::Scheme)
QTEST_MAIN(AccessPicturesTest)
#include "tst_access_pictures.moc"
