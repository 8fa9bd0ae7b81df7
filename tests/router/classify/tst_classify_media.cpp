// SPDX-License-Identifier: MIT
// How much of a body is a picture, a recording or a file, and what beside the text there is.
#include "tests/router/classify/message_bodies.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;

class TestClassifyMedia : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void mediaBytesOfChats_data();
    void mediaBytesOfChats();
    void mediaBytesBesideTheContent_data();
    void mediaBytesBesideTheContent();
    void imagesBesideTheContent_data();
    void imagesBesideTheContent();
    void mediaBytesOfMessages_data();
    void mediaBytesOfMessages();
};

void TestClassifyMedia::mediaBytesOfChats_data() {
    QTest::addColumn<QByteArray>("part");
    QTest::addColumn<int>("bytes");
    const auto row = [](const char* part, int bytes) { QTest::newRow(part) << QByteArray(part) << bytes; };
    row(R"({"type":"text","text":"12345678"})", 0);
    row(R"({"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}})", 26);
    row(R"({"image_url":{"url":"data:image\/png;base64,AAAA","detail":"low"},"type":"image_url"})", 29);  // as some languages write a slash
    row(R"({"type":"image_url","image_url":{"url":"https://h/p.png"}})", 15);
    row(R"({"type":"input_image","image_url":"data:image/png;base64,AA=="})", 26);
    row(R"({"type":"image","image":"AAAA","text":"1234"})", 4);
    row(R"({"type":"video","video":["AAAA","BBBB"]})", 8);
    row(R"({"type":"input_audio","input_audio":{"data":"AAAAAAAA","format":"wav"}})", 11);
    row(R"({"type":"audio_url","audio_url":{"url":"AAAA"}})", 4);
    row(R"({"type":"file","file":{"file_data":"data:application/pdf;base64,AAAA"}})", 32);
    row(R"({"type":"file","file":{"file_data":"data:text/csv;base64,AAAA"}})", 0);  // its words are tokens
    row(R"({"type":"document_url","document_url":"data:application/pdf;base64,AAAA"})", 32);
    row(R"({"type":"document_url","document_url":"https://h/d.pdf"})", 15);
    row(R"({"type":"image_embeds","image_embeds":{"image_embeds":"AAAA","image_grid_thw":"BBBB"}})", 8);
    row(R"({"audio_embeds":"AAAA","type":"audio_embeds"})", 4);
    row(R"({"type":"shiny","data":"AAAA"})", 0);
    row(R"({"type":"shiny","note":"1234","shiny":[{"url":"data:image/png;base64,AAAA"}]})", 26);  // it says itself what it is
    row(R"({"type":"shiny","data":"data:text/plain;base64,AAAA"})", 0);
    row(R"({"type":"shiny","data":"data: what we know, ;base64 aside"})", 0);
    row(R"({"type":"text","text":"data:image/png;base64,AAAA"})", 0);
    row(R"({"type":"image","image":[[[[[[[[[[[[[["AAAA"]]]]]]]]]]]]]]})", 0);  // only checked: nobody means it so deep
}

void TestClassifyMedia::mediaBytesOfChats() {
    QFETCH(QByteArray, part);
    QFETCH(int, bytes);
    const auto request = classify::classify(R"({"messages":[{"role":"user","content":[)" + part.toStdString() + "]}]}", {}, {}, 1);
    QVERIFY(request);
    QCOMPARE(request->features.mediaBytes, static_cast<std::uint64_t>(bytes));
}

// As OpenRouter, and Ollama, have them in a message of the history.
void TestClassifyMedia::mediaBytesBesideTheContent_data() {
    QTest::addColumn<QByteArray>("images");
    QTest::addColumn<int>("bytes");
    const auto row = [](const char* images, int bytes) { QTest::newRow(images) << QByteArray(images) << bytes; };
    row(R"([{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}])", 35);
    row(R"(["AAAA","BBBB"])", 8);
    row("[]", 0);
    row("null", 0);
}

void TestClassifyMedia::mediaBytesBesideTheContent() {
    QFETCH(QByteArray, images);
    QFETCH(int, bytes);
    const std::string said = R"({"messages":[{"role":"assistant","content":"x","images":)" + images.toStdString() + "}]}";
    const auto request = classify::classify(said, {}, {}, 1);
    QVERIFY(request);
    QCOMPARE(request->features.mediaBytes, static_cast<std::uint64_t>(bytes));
    // What the history shows asks for no eyes now. The other protocol has no place for it.
    QVERIFY(!request->features.vision);
    QCOMPARE(text(wordsOf(request->features.peculiarities)), bytes > 0 ? QStringLiteral("message_images") : QString());
}

void TestClassifyMedia::imagesBesideTheContent_data() {
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* message, const char* words) {
        QTest::newRow(message) << QByteArray(message) << QString::fromLatin1(words);
    };
    row(R"({"role":"user","content":"x","images":["AAAA"]})", "message_images");
    row(R"({"role":"tool","tool_call_id":"i","content":"x","images":["AAAA"]})", "message_images");
    row(R"({"images":[null],"role":"assistant"})", "message_images");
    row(R"({"role":"assistant","content":"x","images":"AAAA"})", "message_images");
    row(R"({"role":"assistant","content":"x","images":{}})", "message_images");
    row(R"({"role":"assistant","content":"x","images":[ ]})", "");
    row(R"({"role":"assistant","content":"x","images":null})", "");
    row(R"({"role":"assistant","content":"","images":[]})", "only_system");
}

void TestClassifyMedia::imagesBesideTheContent() {
    QFETCH(QByteArray, message);
    QFETCH(QString, words);
    const auto request = classify::classify(R"({"messages":[)" + message.toStdString() + "]}", {}, {}, 1);
    QVERIFY(request);
    QCOMPARE(text(wordsOf(request->features.peculiarities)), words);
}

void TestClassifyMedia::mediaBytesOfMessages_data() {
    QTest::addColumn<QByteArray>("block");
    QTest::addColumn<int>("bytes");
    const auto row = [](const char* block, int bytes) { QTest::newRow(block) << QByteArray(block) << bytes; };
    row(R"({"type":"text","text":"12345678"})", 0);
    row(R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAAAAAA"}})", 8);
    row(R"({"source":{"data":"AAAAAAAA","type":"base64"},"type":"image"})", 8);
    row(R"({"type":"document","title":"t","source":{"type":"base64","media_type":"application/pdf","data":"AAAA"}})", 4);
    row(R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"12345678"}})", 0);
    row(R"({"type":"document","source":{"type":"content","content":[{"type":"image","source":{"type":"base64","data":"AAAA"}}]}})", 4);
    row(R"({"type":"tool_result","tool_use_id":"t","content":[{"type":"image","source":{"type":"base64","data":"AAAA"}}]})", 4);
    row(fetched(R"({"type":"base64","media_type":"application/pdf","data":"AAAA"})").c_str(), 4);
    row(fetched(R"({"type":"text","media_type":"text/plain","data":"12345678"})").c_str(), 0);
}

void TestClassifyMedia::mediaBytesOfMessages() {
    QFETCH(QByteArray, block);
    QFETCH(int, bytes);
    const auto request = readMessages(userContent("[" + block.toStdString() + "]"));
    QVERIFY(request);
    QCOMPARE(request->features.mediaBytes, static_cast<std::uint64_t>(bytes));
}

QTEST_APPLESS_MAIN(TestClassifyMedia)
#include "tst_classify_media.moc"
