// SPDX-License-Identifier: MIT
#include "ui/pages/gateway/snippets.h"

#include <QTest>

using namespace signalbox::ui;

class SnippetsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_data() {
        QTest::addColumn<int>("kind");
        QTest::addRow("curl") << int(SnippetKind::curl);
        QTest::addRow("node") << int(SnippetKind::openaiNode);
        QTest::addRow("python") << int(SnippetKind::openaiPython);
        QTest::addRow("curl messages") << int(SnippetKind::curlMessages);
        QTest::addRow("anthropic node") << int(SnippetKind::anthropicNode);
        QTest::addRow("anthropic python") << int(SnippetKind::anthropicPython);
    }
    void every() {
        QFETCH(int, kind);
        const SnippetInput input{QStringLiteral("http://127.0.0.1:9/v1"), QStringLiteral("gemma-4-26b"), true, true};
        const QString text = makeSnippet(SnippetKind(kind), input);
        QVERIFY(text.contains(anthropicBaseUrl(input.baseUrl)));
        QVERIFY(text.contains(input.model));
        QVERIFY(text.contains(QStringLiteral("SIGNALBOX_TOKEN")));  // by name, never the token itself
        QVERIFY(text.contains(QStringLiteral("stream")));
    }

    void withoutTokenAndStreamNeitherIsMentioned_data() { every_data(); }
    void withoutTokenAndStreamNeitherIsMentioned() {
        QFETCH(int, kind);
        const QString text = makeSnippet(SnippetKind(kind), {QStringLiteral("http://h/v1"), QStringLiteral("m"), false, false});
        QVERIFY(!text.contains(QStringLiteral("SIGNALBOX_TOKEN")));
        QVERIFY(!text.contains(QStringLiteral("stream")));
    }

    // Anthropic's SDKs put /v1 before every path themselves.
    void anthropicsSdksGetTheOrigin() {
        QCOMPARE(anthropicBaseUrl(QStringLiteral("http://h:1/v1")), QStringLiteral("http://h:1"));
        for (const SnippetKind kind : {SnippetKind::anthropicNode, SnippetKind::anthropicPython})
            QVERIFY(makeSnippet(kind, {QStringLiteral("http://h:1/v1"), QStringLiteral("m"), true, true}).contains(QStringLiteral("\"http://h:1\"")));
        for (const SnippetKind kind : {SnippetKind::openaiNode, SnippetKind::openaiPython})
            QVERIFY(makeSnippet(kind, {QStringLiteral("http://h:1/v1"), QStringLiteral("m"), true, true}).contains(QStringLiteral("\"http://h:1/v1\"")));
        const QString curl = makeSnippet(SnippetKind::curlMessages, {QStringLiteral("http://h:1/v1"), QStringLiteral("m"), true, true});
        QVERIFY2(curl.contains(QStringLiteral("http://h:1/v1/messages ")), qPrintable(curl));
        QVERIFY(curl.contains(QStringLiteral("anthropic-version")) && curl.contains(QStringLiteral("x-api-key: $SIGNALBOX_TOKEN")));
    }

    // F34: model ids hold quotes, spaces, CJK and emoji; the snippet must stay one valid command.
    void oddModelNamesAreQuoted() {
        const QString model = QStringLiteral("it's \"a\" 模型 🚦");
        const QString curl = makeSnippet(SnippetKind::curl, {QStringLiteral("http://h/v1"), model, false, false});
        QVERIFY2(curl.contains(QStringLiteral("it'\\''s \\\"a\\\" 模型 🚦")), qPrintable(curl));
        const QString node = makeSnippet(SnippetKind::openaiNode, {QStringLiteral("http://h/v1"), model, false, false});
        QVERIFY2(node.contains(QStringLiteral("\"it's \\\"a\\\" 模型 🚦\"")), qPrintable(node));
    }
};

QTEST_APPLESS_MAIN(SnippetsTest)
#include "tst_snippets.moc"
