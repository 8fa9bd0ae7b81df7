// SPDX-License-Identifier: MIT
#include "ui/models/row_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/cards/card_model.h"
#include "ui/widgets/copy_field.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/fact_list.h"
#include "ui/widgets/lamp.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/tone_label.h"
#include "ui/widgets/tone_text.h"
#include "ui/widgets/wrap_layout.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>
#include <QToolButton>

using namespace signalbox;
using namespace signalbox::ui;

/// Rows of a number and its name, the name in an order that sorts otherwise than the number.
class NumberModel final : public RowModel {
public:
    std::vector<Column> columnList{{QStringLiteral("Number"), CellKind::number, {}, 80}, {QStringLiteral("Name"), CellKind::text, {}, 120}};
    std::vector<int> numbers{9, 10, 100};
    QString tip;
    [[nodiscard]] const std::vector<Column>& columns() const override { return columnList; }
    [[nodiscard]] int rows() const override { return static_cast<int>(numbers.size()); }
    void renew() {
        beginResetModel();
        endResetModel();
    }

protected:
    [[nodiscard]] QString text(int row, int column) const override {
        const int number = numbers[static_cast<std::size_t>(row)];
        return column == 0 ? QString::number(number) : QStringLiteral("n%1").arg(number);
    }
    [[nodiscard]] QVariant value(int row, int column) const override {
        return column == 0 ? QVariant(numbers[static_cast<std::size_t>(row)]) : QVariant(text(row, column));
    }
    [[nodiscard]] QVariant extra(int, int column, int role) const override { return role == Qt::ToolTipRole && column == 1 ? QVariant(tip) : QVariant(); }
};

/// What a reader sees of a tool tip, which Qt takes for HTML when it looks like it.
static QString seenOf(const QString& tip) {
    if (!Qt::mightBeRichText(tip)) return tip;
    QTextDocument document;
    document.setHtml(tip);
    return document.toPlainText();
}

class WidgetsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(); }

    // QFormLayout keeps the heights of two widths and the rows of the one that was asked for last. A scroll area asks for both.
    void factsAreAsHighAsTheirTextsWhateverWidthWasAskedForLast() {
        FactList facts;
        for (const bool isLong : {true, false, false, true}) {
            const QString text = isLong ? QStringLiteral("These numbers say nothing about now; admission does not count on them. The page did not answer") : QStringLiteral("1");
            facts.addWidget(QStringLiteral("Read"), new ToneText(Tone::caution, text));
        }
        facts.show();
        QVERIFY(QTest::qWaitForWindowExposed(&facts));
        QLayout& layout = *facts.layout();
        const int wide = layout.sizeHint().width(), narrow = wide * 2 / 3;
        layout.invalidate();  // as when one of the texts has changed
        const int height = layout.heightForWidth(narrow);
        QVERIFY(height > layout.heightForWidth(wide));
        layout.setGeometry({0, 0, narrow, height});
        for (const ToneText* text : facts.findChildren<ToneText*>()) QVERIFY2(text->height() >= text->heightForWidth(text->width()), qPrintable(text->text()));
    }

    void aLineOfDifferentHeightsIsCentred() {
        QWidget around;
        auto* layout = new WrapLayout(&around);
        const auto add = [&](QSize size) {
            auto* part = new QWidget;
            part->setFixedSize(size);
            layout->addWidget(part);
            return part;
        };
        QWidget* low = add({40, 10});
        QWidget* high = add({40, 30});
        QWidget* below = add({80, 12});  // alone on the next line
        around.resize(100, layout->heightForWidth(100));
        around.show();
        QCOMPARE(around.height(), 30 + layout->spacing() + 12);
        QCOMPARE(high->y(), 0);
        QCOMPARE(low->y(), 10);
        QCOMPARE(below->pos(), QPoint(0, 30 + layout->spacing()));
    }

    void secretStaysMaskedUntilRevealedAndIsMaskedAgainWhenHidden() {
        CopyField field(QStringLiteral("the token"), CopyField::Kind::secret);
        field.setValue(QStringLiteral("s3cret"));
        field.show();
        auto* line = field.findChild<QLineEdit*>();
        QVERIFY(!line->text().contains(QStringLiteral("s3cret")));
        QVERIFY(line->text().size() != 6);  // its length is a secret too
        const auto buttons = field.findChildren<QToolButton*>();
        QTest::mouseClick(buttons.at(0), Qt::LeftButton);
        QCOMPARE(line->text(), QStringLiteral("s3cret"));
        QCOMPARE(buttons.at(0)->accessibleName(), QStringLiteral("Hide the token"));
        QCOMPARE(buttons.at(0)->toolTip(), QStringLiteral("Hide the token"));
        field.hide();
        QCOMPARE(buttons.at(0)->accessibleName(), QStringLiteral("Reveal the token"));
        QVERIFY(!line->text().contains(QStringLiteral("s3cret")));
        QTest::mouseClick(buttons.at(1), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("s3cret"));
    }

    void idIsCopiedWholeByKeyboardThoughElided() {
        const QString id = QStringLiteral("rtd_0123456789abcdef0123456789abcdef");
        const std::unique_ptr<ElidedLabel> label(ElidedLabel::forId(id));
        label->resize(80, 24);
        label->show();
        QSignalSpy copied(label.get(), &ElidedLabel::copied);
        QTest::keyClick(label.get(), Qt::Key_Return);
        QCOMPARE(copied.count(), 1);
        QCOMPARE(QGuiApplication::clipboard()->text(), id);
        QCOMPARE(label->toolTip(), id);
    }

    void aFigureBehindALongNameStaysWhole() {
        const QString name = QStringLiteral("harrow-local:qwen3.5-35b-a3b-instruct"), figure = QStringLiteral(": 6.1 % of 240");
        ElidedLabel label({}, Qt::ElideMiddle);
        label.setText(name + figure, figure.size());
        QCOMPARE(label.text(), name + figure);
        QCOMPARE(label.toolTip(), name + figure);
        const QFontMetrics metrics = label.fontMetrics();
        for (int room = metrics.horizontalAdvance(figure) + 40; room < metrics.horizontalAdvance(name + figure); room += 7) {
            const QString shown = label.shownIn(room);
            QVERIFY2(shown.endsWith(figure) && shown.contains(QChar(0x2026)) && shown.startsWith(QLatin1Char('h')), qPrintable(shown));
            QVERIFY(metrics.horizontalAdvance(shown) <= room + 1);
        }
        QCOMPARE(label.shownIn(metrics.horizontalAdvance(name + figure)), name + figure);
        QVERIFY(metrics.horizontalAdvance(label.shownIn(60)) <= 60);
    }

    // A tip of plain text is one line however long, and what the screen has no room for cannot be read.
    void longTipsAreWrapped() {
        const QString sentence = QStringLiteral("K=4 at 8 streams & < 61.3 tokens/s a request; ").repeated(8).trimmed();
        for (const QString& text : {sentence, QString(QStringLiteral("Rule 3\n") + sentence + QStringLiteral("\nmeasured"))}) {
            const ElidedLabel label(text);
            QVERIFY(Qt::mightBeRichText(label.toolTip()));  // which is what Qt wraps
            QVERIFY(!label.toolTip().contains(QChar::Nbsp));
            QCOMPARE(seenOf(label.toolTip()), text);
            QCOMPARE(label.accessibleName(), text);
        }
    }

    void errorShowsMessagePlaceAndHintAndRetries() {
        QWidget parent;
        ErrorBanner banner(&parent);
        parent.show();
        int retries = 0;
        banner.show({ErrorKind::conflict, "the port is taken", "127.0.0.1:38082", "Stop the other gateway."}, [&retries] { ++retries; });
        QVERIFY(banner.isVisible());
        QStringList shown;
        for (const auto* label : banner.findChildren<QLabel*>())
            if (label->isVisible()) shown << label->text();
        QCOMPARE(shown, QStringList({QStringLiteral("The port is taken"), QStringLiteral("127.0.0.1:38082"), QStringLiteral("Stop the other gateway.")}));
        banner.findChild<QPushButton*>()->click();
        QCOMPARE(retries, 1);
        QVERIFY(!banner.isVisible());
    }

    void noticeNamesWhatItsButtonDoes() {
        QWidget parent;
        ErrorBanner banner(&parent);
        parent.show();
        const auto* button = banner.findChild<QPushButton*>();
        banner.show({ErrorKind::conflict, "the port is taken", {}, {}}, [] {});
        QCOMPARE(button->accessibleName(), QStringLiteral("Try again"));
        QVERIFY(!button->icon().isNull());
        banner.notice(Tone::info, QStringLiteral("Another workspace is open"), {}, QStringLiteral("Open it apart"), [] {});
        QCOMPARE(button->accessibleName(), QStringLiteral("Open it apart"));
        QVERIFY2(button->icon().isNull(), "the arrow round says that something is tried again");
    }

    void lampSpeaksShapeWordAndCause() {
        Lamp lamp(QStringLiteral("Gateway"));
        lamp.set(Tone::danger, QStringLiteral("failed"), QStringLiteral("The port is taken."));
        QVERIFY(lamp.accessibleName().contains(QStringLiteral("Gateway: failed")));
        QVERIFY(lamp.accessibleName().contains(Theme::instance().word(Tone::danger)));
        QCOMPARE(lamp.accessibleDescription(), QStringLiteral("The port is taken."));
    }

    void namesFromElsewhereAreNeverTakenForMarkup_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("a model's name") << QStringLiteral("qwen3.5-9b");
        QTest::newRow("markup") << QStringLiteral("<img src='/x'><h1>All clear</h1>");
        QTest::newRow("an entity") << QStringLiteral("a &lt; b");
    }
    void namesFromElsewhereAreNeverTakenForMarkup() {
        QFETCH(QString, name);
        Lamp lamp(QStringLiteral("Gateway"));
        lamp.set(Tone::danger, QStringLiteral("failed"), name);
        QCOMPARE(seenOf(lamp.toolTip()), name);
        QCOMPARE(lamp.accessibleDescription(), name);
        const ToneLabel label(Tone::clear, name);
        QCOMPARE(seenOf(label.toolTip()), name);
        const ElidedLabel elided(name);
        QCOMPARE(seenOf(elided.toolTip()), name);
        const std::unique_ptr<QToolButton> remove(makeIconButton(name, QStringLiteral("close")));
        QCOMPARE(seenOf(remove->toolTip()), name);
        Card card;
        card.title = name;
        CardModel cards;
        cards.set({card});
        QCOMPARE(seenOf(cards.index(0).data(Qt::ToolTipRole).toString()), card.spoken());
        QCOMPARE(cards.index(0).data(Qt::AccessibleTextRole).toString(), card.spoken());
        NumberModel model;
        model.tip = name;
        model.columnList[1].title = name;
        QCOMPARE(seenOf(model.headerData(1, Qt::Horizontal, Qt::ToolTipRole).toString()), name);
        QCOMPARE(seenOf(model.index(0, 1).data(Qt::ToolTipRole).toString()), name);
        QVERIFY(!model.index(0, 0).data(Qt::ToolTipRole).isValid());
    }

    void tableSortsByValueNotByText() {
        NumberModel model;
        const QAbstractItemModelTester tester(&model);
        TableView view(QStringLiteral("numbers"));
        view.setSortableModel(&model);
        view.sortByColumn(0, Qt::DescendingOrder);
        QCOMPARE(view.model()->index(0, 0).data().toString(), QStringLiteral("100"));
        QCOMPARE(view.model()->index(2, 0).data().toString(), QStringLiteral("9"));
    }

    void tableSpeaksInSourceRowsAndCopiesRows() {
        NumberModel model;
        TableView view(QStringLiteral("numbers"));
        view.setSortableModel(&model);
        view.sortByColumn(0, Qt::DescendingOrder);
        view.show();
        QList<int> selected, opened;
        connect(&view, &TableView::rowSelected, this, [&](int row) { selected << row; });
        connect(&view, &TableView::rowOpened, this, [&](int row) { opened << row; });
        view.selectSourceRow(0);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(selected, QList<int>{0});
        QCOMPARE(opened, QList<int>{0});
        QTest::keySequence(&view, QKeySequence::Copy);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("9\tn9"));
    }

    // The row that came with the focus is not chosen yet, though it is the current one.
    void theRowThatTheFocusCameToIsToldOnceItIsChosen_data() {
        QTest::addColumn<bool>("byMouse");
        QTest::newRow("click") << true;
        QTest::newRow("space") << false;
    }
    void theRowThatTheFocusCameToIsToldOnceItIsChosen() {
        QFETCH(bool, byMouse);
        NumberModel model;
        TableView view(QStringLiteral("numbers"));
        showWithoutFocus(view, model);
        if (QTest::currentTestFailed()) return;
        QList<int> selected;
        connect(&view, &TableView::rowSelected, this, [&](int row) { selected << row; });
        view.setFocus(Qt::TabFocusReason);
        QCOMPARE(view.currentSourceRow(), 0);
        QVERIFY(selected.isEmpty() && !view.selectionModel()->hasSelection());
        if (byMouse) QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(view.model()->index(0, 0)).center());
        else QTest::keyClick(&view, Qt::Key_Space);
        QVERIFY(view.selectionModel()->isRowSelected(0));
        QCOMPARE(selected, QList<int>{0});
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(selected, (QList<int>{0, 1}));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(view.model()->index(0, 0)).center());
        QCOMPARE(selected, (QList<int>{0, 1, 0}));
    }

    void afterNewRowsTheRowIsToldOnce() {
        NumberModel model;
        TableView view(QStringLiteral("numbers"));
        showWithoutFocus(view, model);
        if (QTest::currentTestFailed()) return;
        view.setFocus(Qt::TabFocusReason);
        QCOMPARE(view.currentSourceRow(), 0);
        model.renew();
        QList<int> selected;
        connect(&view, &TableView::rowSelected, this, [&](int row) { selected << row; });
        view.selectSourceRow(0);
        QCOMPARE(selected, QList<int>{0});
    }

    void tableFillsItsRoomUntilWidthsAreSetByHand() {
        NumberModel model;
        TableView view(QStringLiteral("numbers"));
        view.setModel(&model);
        view.resize(500, 200);
        view.show();
        QCOMPARE(view.columnWidth(0), 80);  // numbers keep theirs
        QVERIFY(qAbs(view.columnWidth(0) + view.columnWidth(1) - view.viewport()->width()) <= 2);
        view.setColumnWidth(1, 90);
        view.resize(700, 200);
        QCOMPARE(view.columnWidth(1), 90);
    }

    void theRowThatIsLookedAtStaysInAShorterTable() {
        NumberModel model;
        for (int i = 0; i < 20; ++i) model.numbers.push_back(200 + i);
        TableView view(QStringLiteral("numbers"));
        view.setModel(&model);
        view.resize(500, 300);
        view.show();
        const auto isSeen = [&view] { return view.viewport()->rect().contains(view.visualRect(view.currentIndex())); };
        view.selectSourceRow(7);
        QVERIFY(isSeen());
        view.resize(500, 160);
        QVERIFY(isSeen());
        // Whoever has scrolled away from it stays where they are.
        view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum());
        QVERIFY(!isSeen());
        const int place = view.verticalScrollBar()->value();
        view.resize(500, 120);
        QVERIFY(!isSeen());
        QCOMPARE(view.verticalScrollBar()->value(), place);
    }

    void aColumnShownLaterNeedsNoScrollBar() {
        NumberModel model;
        model.columnList.push_back({QStringLiteral("Again"), CellKind::text, {}, 200});
        TableView view(QStringLiteral("numbers"));
        view.setModel(&model);
        view.setColumnHidden(2, true);
        view.resize(420, 200);
        view.show();
        view.setColumnHidden(2, false);
        QTRY_VERIFY(view.columnWidth(0) + view.columnWidth(1) + view.columnWidth(2) <= view.viewport()->width());
        QVERIFY(!view.horizontalScrollBar()->isVisible());
        view.setColumnHidden(2, true);
        QTRY_VERIFY(qAbs(view.columnWidth(0) + view.columnWidth(1) - view.viewport()->width()) <= 2);
    }

    void aSentenceWithAToneWrapsWhole() {
        ToneText text(Tone::caution, QStringLiteral("Over its soft budget of $40.00: it is told so, and nothing is refused until the hard one."));
        text.resize(160, text.heightForWidth(160));
        text.show();
        QVERIFY(text.height() > 3 * text.fontMetrics().lineSpacing());
        QVERIFY(text.accessibleName().endsWith(QStringLiteral("(%1)").arg(Theme::instance().word(Tone::caution))));
        QVERIFY(text.styleSheet().contains(Theme::instance().color(Tone::caution).name()));
        text.set(Tone::idle, QStringLiteral("Nothing"));
        QVERIFY(text.tone() == Tone::idle);
    }

    void emptyTableTeaches() {
        NumberModel model;
        model.numbers.clear();
        TableView view(QStringLiteral("numbers"));
        auto* teaching = new QLabel(QStringLiteral("nothing yet"));
        view.setModel(&model);
        view.setEmptyState(teaching);
        view.show();
        QVERIFY(teaching->isVisible());
    }

private:
    /// In an active window, so that Tab can bring the focus.
    static void showWithoutFocus(TableView& view, NumberModel& model) {
        view.setSortableModel(&model);
        view.resize(400, 200);
        view.show();
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        view.clearFocus();
    }
};

QTEST_MAIN(WidgetsTest)
#include "tst_widgets.moc"
