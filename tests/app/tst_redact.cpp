// SPDX-License-Identifier: MIT
#include "app/shared/redact.h"

#include <QTest>

using namespace signalbox;

class TestRedact : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void secretsGo_data();
    void secretsGo();
    void restStays_data();
    void restStays();
    void longTextsAreFine();
};

void TestRedact::secretsGo_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* tag, const char* text, const char* expected) {
        QTest::newRow(tag) << QByteArray(text) << QByteArray(expected);
    };
    row("bearer", "got Authorization: Bearer abc.DEF-123 back", "got Authorization: Bearer [redacted] back");
    row("bearer in JSON", R"({"authorization":"bearer abc"})", R"({"authorization":"bearer [redacted]"})");
    row("provider key", "key sk-proj-abcdefghijkl is wrong", "key sk-[redacted] is wrong");
    row("token of ours", "model sbx_6019aaaabbbbcccc", "model sbx_[redacted]");
    row("key of GitHub", "ghp_abcdefghijklmnopqrstuvwxyz", "ghp_[redacted]");
    row("word that begins like one", "hf_hub is no key, sk-short neither", "hf_hub is no key, sk-short neither");
    row("two keys", "sk-aaaaaaaaaaaa,sk-bbbbbbbbbbbb", "sk-[redacted],sk-[redacted]");
    row("libpq", "host=db password=hunter2 user=u", "host=db password=[redacted] user=u");
    row("libpq quoted", "password='hunter2'", "password='[redacted]'");
    row("JSON", R"({"api_key": "abc", "n": 1})", R"({"api_key": "[redacted]", "n": 1})");
    row("header", "x-api-key: abc", "x-api-key: [redacted]");
    row("with a prefix", "client_token=abc;", "client_token=[redacted];");
    row("URL", "postgresql://ada:hunter2@db.example/x?a=b", "postgresql://ada:[redacted]@db.example/x?a=b");
    row("URL with @ in it", "postgresql://ada:hunt@er2@db/x", "postgresql://ada:[redacted]@db/x");
    row("query", "https://h/x?token=abc&n=1", "https://h/x?token=[redacted]&n=1");
}

void TestRedact::secretsGo() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(app::redacted(text.toStdString())), expected);
}

void TestRedact::restStays_data() {
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"", "listening on http://127.0.0.1:38082", "max_tokens=64 prompt_tokens: 12", "the token is missing",
                             "task-scheduler sk-8", "http://[::1]:80/x", "postgresql://ada@db/x", "token_env = X",
                             "the password does not unlock this key"})
        QTest::newRow(text) << QByteArray(text);
}

void TestRedact::restStays() {
    QFETCH(QByteArray, text);
    QCOMPARE(QByteArray::fromStdString(app::redacted(text.toStdString())), text);
}

void TestRedact::longTextsAreFine() {
    const std::string text(1 << 20, 's');
    QVERIFY(app::redacted(text) == text);
    QVERIFY(app::redacted("password=" + text) == "password=[redacted]");
}

QTEST_APPLESS_MAIN(TestRedact)
#include "tst_redact.moc"
