// SPDX-License-Identifier: MIT
// Where the cells of the demo table and of the real emitted table land, rendered to text; and the matrix by keyboard
// and for screen readers.
#include "tests/support/vectors.h"

#include "router/table/read.h"
#include "ui/theme/theme.h"
#include "ui/widgets/coverage/coverage_matrix.h"
#include "ui/widgets/coverage/coverage_model.h"
#include "ui/widgets/coverage/table_words.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QSignalSpy>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

static std::shared_ptr<const table::RoutingTable> readOrNull(const std::filesystem::path& file) {
    const auto loaded = table::readTableFile(file, SystemClock().now());
    return loaded ? loaded->table : nullptr;
}

static table::FamilyCoverage familyOf(const table::RoutingTable& table, std::string_view family) {
    for (auto& coverage : table::computeCoverage(table).families)
        if (coverage.family == family) return coverage;
    return {};
}

/// One line a workload class: three cells of one stream, a bar, three of many. A star: a gap is declared beside it.
static QString grid(const CoverageModel& model) {
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row) {
        QString line = model.headerData(row, Qt::Vertical).toString() + QLatin1Char(':');
        for (int column = 0; column < model.columnCount(); ++column) {
            const QModelIndex index = model.index(row, column);
            if (column == CoverageModel::kLengths) line += QStringLiteral(" |");
            line += QLatin1Char(' ') + index.data().toString();
            if (index.data(CoverageModel::HatchedRole).toBool() && index.data().toString() != QStringLiteral("gap")) line += QLatin1Char('*');
        }
        lines << line;
    }
    return lines.join(QLatin1Char('\n'));
}

class CoverageMatrixTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(); }

    void landsAsTheTableSays_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("expected");
        const QString demo = QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo/routing-table.json");
        QTest::newRow("demo 26B: two rules and a gap beside the default")
            << demo << QStringLiteral("gemma4_moe_26b")
            << QStringLiteral("tool call: default* default default | measured default default\n"
                              "structured answer: default* default default | measured default default\n"
                              "summarization: default default default | default default default\n"
                              "code: default default default | inferred inferred default\n"
                              "free chat: default default default | default default default");
        QTest::newRow("demo 31B: gaps and nothing")
            << demo << QStringLiteral("gemma4_dense_31b")
            << QStringLiteral("tool call: gap gap gap | nothing nothing gap\n"
                              "structured answer: gap gap gap | nothing nothing gap\n"
                              "summarization: nothing nothing nothing | nothing nothing gap\n"
                              "code: nothing nothing nothing | nothing nothing gap\n"
                              "free chat: nothing nothing nothing | nothing nothing gap");
        const QString byDesign = QStringLiteral("by design by design by design | by design by design by design");
        QTest::newRow("demo 35B: single preset by design")
            << demo << QStringLiteral("qwen36_35b")
            << QStringLiteral("tool call: %1\nstructured answer: %1\nsummarization: %1\ncode: %1\nfree chat: %1").arg(byDesign);
        const QString genesis = QString::fromStdU16String((test::sharedVectorsFolder() / "genesis-table-v1.json").u16string());
        QTest::newRow("genesis 26B")
            << genesis << QStringLiteral("gemma4_moe_26b_a4b")
            << QStringLiteral("tool call: default* default* default* | measured* default* default*\n"
                              "structured answer: default* default default | measured default default\n"
                              "summarization: default default default | default default default\n"
                              "code: default default default | default default default\n"
                              "free chat: default default default | default default default");
        QTest::newRow("genesis 31B: no rule, no default")
            << genesis << QStringLiteral("gemma4_dense_31b")
            << QStringLiteral("tool call: gap gap gap | gap gap gap\n"
                              "structured answer: gap gap gap | gap gap gap\n"
                              "summarization: nothing nothing nothing | gap gap gap\n"
                              "code: nothing nothing nothing | gap gap gap\n"
                              "free chat: nothing nothing nothing | gap gap gap");
        QTest::newRow("genesis 35B: the gap of every family beside single preset by design")
            << genesis << QStringLiteral("qwen3_6_35b")
            << QStringLiteral("tool call: gap gap gap | gap gap gap\nstructured answer: %1\nsummarization: %1\ncode: %1\nfree chat: %1").arg(byDesign);
    }
    void landsAsTheTableSays() {
        QFETCH(QString, file);
        QFETCH(QString, family);
        QFETCH(QString, expected);
        const auto path = std::filesystem::path(file.toStdU16String());
        if (!std::filesystem::exists(path)) QSKIP("The real emitted table does not stand beside this checkout.");
        const auto table = readOrNull(path);
        QVERIFY(table != nullptr);
        CoverageModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setCoverage(familyOf(*table, family.toStdString()));
        QCOMPARE(grid(model), expected);
    }

    void everyCellSaysItsPlaceLandingAndHits() {
        const auto matrix = demoMatrix();
        evidence::CellHits hits;
        hits.hits[table::Cell{table::WorkloadClass::structuredJson, table::LengthBucket::shortOutput, table::ConcurrencyMode::multiConc}.index()] = 412;
        hits.total = 412;
        matrix->setHits(hits);
        auto* accessible = QAccessible::queryAccessibleInterface(matrix.get());
        QVERIFY(accessible != nullptr && accessible->tableInterface() != nullptr);
        QCOMPARE(accessible->tableInterface()->cellAt(1, 3)->text(QAccessible::Name),
                 QStringLiteral("structured answer, short output, many at once: rule, measured, preset g26-struct-multi; 412 request(s)"));
        QCOMPARE(matrix->cells()->toText().count(QLatin1Char('\n')), 29);
        // The busiest cell has the full bar.
        QCOMPARE(matrix->cells()->index(1, 3).data(ShareRole).toDouble(), 1.0);
        QCOMPARE(matrix->cells()->index(0, 0).data(ShareRole).toDouble(), 0.0);
    }
    void unknownHitsShowNoBar() {
        const auto matrix = demoMatrix();
        matrix->setHits(std::nullopt);
        QVERIFY(!matrix->cells()->index(0, 0).data(ShareRole).isValid());
        QVERIFY(!matrix->cells()->sentence(matrix->cells()->index(0, 0)).contains(QStringLiteral("request")));
    }

    void arrowsMoveAndEnterOpens() {
        const auto matrix = demoMatrix();
        matrix->resize(matrix->sizeHint());
        matrix->show();
        QVERIFY(QTest::qWaitForWindowExposed(matrix.get()));
        matrix->setFocus();
        QSignalSpy opened(matrix.get(), &CoverageMatrix::cellOpened);
        matrix->selectCell({table::WorkloadClass::toolCall, table::LengthBucket::longOutput, table::ConcurrencyMode::singleStream});
        QTest::keyClick(matrix.get(), Qt::Key_Right);
        QTest::keyClick(matrix.get(), Qt::Key_Down);
        const table::Cell expected{table::WorkloadClass::structuredJson, table::LengthBucket::shortOutput, table::ConcurrencyMode::multiConc};
        QCOMPARE(matrix->currentCell(), std::optional(expected));
        QTest::keyClick(matrix.get(), Qt::Key_Return);
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.first().first().value<table::Cell>(), expected);
    }

    void conditionsAreToldInWords_data() {
        QTest::addColumn<QString>("prose");
        QTest::addColumn<QString>("expected");
        QTest::newRow("all axes") << QStringLiteral("workload_class=structured_json/tool_call AND expected_output_length=short AND concurrency_mode=multi_conc")
                                  << QStringLiteral("structured answer or tool call, short output, many at once");
        QTest::newRow("two lengths") << QStringLiteral("expected_output_length=short/medium") << QStringLiteral("short or medium output");
        QTest::newRow("three classes") << QStringLiteral("workload_class=code_gen/free_chat/summarization")
                                       << QStringLiteral("code, free chat or summarization");
        QTest::newRow("names no cell") << QStringLiteral("nested arguments") << QString();
    }
    void conditionsAreToldInWords() {
        QFETCH(QString, prose);
        QFETCH(QString, expected);
        QCOMPARE(words::gapCells({.modelFamily = "f", .missingCell = prose.toStdString(), .fallbackPreset = {}, .nextPhase = {}}).value_or(QString()), expected);
    }

    void evidenceIsDatedWhereItSaysSo() {
        QCOMPARE(words::evidenceDate("B4 (2026-05-23): K=4"), std::optional(QDate(2026, 5, 23)));
        QCOMPARE(words::evidenceDate("run 2026-13-40, then 2025-10-28"), std::optional(QDate(2025, 10, 28)));
        QCOMPARE(words::evidenceDate("inferred from structured answers"), std::optional<QDate>());
    }

private:
    static std::unique_ptr<CoverageMatrix> demoMatrix() {
        auto matrix = std::make_unique<CoverageMatrix>();
        matrix->setCoverage(familyOf(*readOrNull(std::filesystem::path(SIGNALBOX_SOURCE_DIR) / "resources/demo/routing-table.json"), "gemma4_moe_26b"));
        return matrix;
    }
};

QTEST_MAIN(CoverageMatrixTest)
#include "tst_coverage_matrix.moc"
