// SPDX-License-Identifier: MIT
// Pictures of the access page in the states that the walk over all pages does not reach: principals with budgets, a
// provider and a price in their forms, a refused edit, something new, a narrow window.
#include "router/config/edit.h"
#include "tests/visual/page_pictures.h"
#include "ui/pages/access/field_editor.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class AccessPicturesTest : public test::PagePictures {
    Q_OBJECT
public:
    AccessPicturesTest() : PagePictures(QStringLiteral("access")) {}

protected:
    void prepare() override {
        const auto added = console().document->editConfig(QStringLiteral("teams"), [](std::string_view text) { return withTeams(std::string(text)); });
        QVERIFY2(added.has_value(), added ? "" : added.error().text().c_str());
        console().target->setPrincipals({{"support-bot", 214, 43.2, true}, {"dispatch-extract", 31, 12.75, true}, {"coding-agents", 8, 151.4, true}, {"research", 0, 0.0, true}});
    }

private Q_SLOTS:
    void states() {
        begin();
        show("principals", "support-bot");
        save(QStringLiteral("principals"));
        show("principals", "research");
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
        console().settle();
        save(QStringLiteral("refused"));
        QTest::keyClick(rate, Qt::Key_Escape);
        names->setPlainText(before);
        names->document()->setModified(true);
        QCoreApplication::sendEvent(names, &leaving);
        show("providers", "deepseek");
        save(QStringLiteral("providers"));
        window().go(QStringLiteral("access"), {{QStringLiteral("list"), QStringLiteral("prices")}, {QStringLiteral("name"), QStringLiteral("deepseek")}, {QStringLiteral("model"), QStringLiteral("deepseek-v4-flash")}});
        console().settle();
        save(QStringLiteral("prices"));
        show("aliases", "fast");
        save(QStringLiteral("aliases"));
        for (auto* button : window().findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Add alias")) button->click();
        console().settle();
        save(QStringLiteral("new"));
        show("principals", "coding-agents");
        window().resize(1100, 720);
        console().settle();
        save(QStringLiteral("narrow"));
    }

private:
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
    void show(const char* list, const char* name) { look({{QStringLiteral("list"), QLatin1String(list)}, {QStringLiteral("name"), QLatin1String(name)}}); }
    [[nodiscard]] FieldEditor* editor(const char* key) const { return window().findChild<FieldEditor*>(QLatin1String(key)); }
};

QTEST_MAIN(AccessPicturesTest)
#include "tst_access_pictures.moc"
