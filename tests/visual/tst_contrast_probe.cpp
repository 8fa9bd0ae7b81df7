// SPDX-License-Identifier: MIT
// The checks that every test of pictures relies on can fail, and only by what is there to be read.
#include "tests/visual/contrast_probe.h"

#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

using namespace signalbox;

class ContrastProbeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_area = std::make_unique<QScrollArea>();
        m_area->setFrameShape(QFrame::NoFrame);
        m_area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        m_area->resize(300, 120);
        m_content = new QWidget;
        m_content->setStyleSheet(QStringLiteral("background: #ffffff;"));
        m_content->resize(300, 400);
        m_label = new QLabel(m_content);
        m_area->setWidget(m_content);
    }
    void cleanup() { m_area.reset(); }

    void aFaintLabelIsReported() {
        show(QStringLiteral("Nobody can read this"), "#c8c8c8");
        QCOMPARE(faint().size(), 1);
        QVERIFY2(faint().front().contains(QStringLiteral("Nobody can read this")), qPrintable(faint().front()));
    }

    void aPlainOneIsNot() {
        show(QStringLiteral("Everybody can read this"), "#202020");
        QCOMPARE(faint(), QStringList());
    }

    // Of a line that is cut nobody can tell how faint it is.
    void oneThatIsHalfScrolledOutIsNot() {
        show(QStringLiteral("Nobody can read this"), "#c8c8c8");
        m_area->verticalScrollBar()->setValue(m_label->y() + m_label->height() / 2);
        QVERIFY(m_label->isVisible());
        QCOMPARE(faint(), QStringList());
    }

    void twoFaintLinesAreReportedWholeAndWithOneOfThemInView() {
        show(QStringLiteral("Nobody can read this\nnor can they read that"), "#c8c8c8");
        QVERIFY(m_label->height() >= 2 * m_label->fontMetrics().height());
        QCOMPARE(faint().size(), 1);
        m_area->verticalScrollBar()->setValue(m_label->y() + m_label->height() - m_label->fontMetrics().height() - 1);
        QCOMPARE(faint().size(), 1);
    }

    void aTextThatDoesNotFitIsReported() {
        show(QStringLiteral("Nobody can read all of this"), "#202020");
        QCOMPARE(test::clippedTexts(*m_area), QStringList());
        m_label->resize(m_label->width() / 2, m_label->height());
        QCOMPARE(test::clippedTexts(*m_area).size(), 1);
    }

    void aTextBeyondAnEdgeIsReportedUnlessOneCanScrollThere() {
        show(QStringLiteral("Beyond"), "#202020");
        m_content->resize(400, 400);
        m_label->move(280, 20);
        QCOMPARE(test::clippedTexts(*m_area).size(), 1);
        m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
        QCOMPARE(test::clippedTexts(*m_area), QStringList());
        QWidget narrow(m_content);
        narrow.setGeometry(0, 60, 40, 40);
        m_label->setParent(&narrow);
        m_label->move(10, 0);
        narrow.show();
        m_label->show();
        QCOMPARE(test::clippedTexts(*m_area).size(), 1);
        m_label->setParent(m_content);
    }

    void whatGetsTooLittleHeightIsReported() {
        struct Tall : QWidget {
            using QWidget::QWidget;
            [[nodiscard]] int heightForWidth(int) const override { return 40; }
        };
        show(QStringLiteral("Above"), "#202020");
        Tall tall(m_content);
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
        policy.setHeightForWidth(true);
        tall.setSizePolicy(policy);
        tall.setGeometry(0, 60, 100, 40);
        tall.show();
        QCOMPARE(test::clippedTexts(*m_area), QStringList());
        tall.resize(100, 20);
        QCOMPARE(test::clippedTexts(*m_area).size(), 1);
    }

private:
    void show(const QString& text, const char* color) {
        m_label->setText(text);
        m_label->setStyleSheet(QStringLiteral("color: %1;").arg(QLatin1String(color)));
        m_label->ensurePolished();
        m_label->adjustSize();
        m_label->move(10, 20);
        m_area->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_area.get()));
    }
    [[nodiscard]] QStringList faint() { return test::faintTexts(*m_area, m_area->grab().toImage()); }

    std::unique_ptr<QScrollArea> m_area;
    QWidget* m_content = nullptr;
    QLabel* m_label = nullptr;
};

QTEST_MAIN(ContrastProbeTest)
#include "tst_contrast_probe.moc"
