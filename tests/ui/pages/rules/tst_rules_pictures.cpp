// SPDX-License-Identifier: MIT
// Pictures of the rules page with a fork of the demo's table: a measured rule, and one that was widened with the offer to mark
// it as inferred, wide and in a small window.
#include "tests/visual/page_pictures.h"
#include "ui/widgets/forms/word_boxes.h"

#include <QCheckBox>
#include <QPushButton>
#include <QScrollArea>
#include <QTest>
#include <QUndoStack>

using namespace signalbox;
using namespace signalbox::ui;

class RulesPicturesTest : public test::PagePictures {
    Q_OBJECT
public:
    RulesPicturesTest() : PagePictures(QStringLiteral("rules")) {}

protected:
    void prepare() override { QVERIFY(console().document->forkTable().has_value()); }

private Q_SLOTS:
    void states() {
        begin();
        look({{QStringLiteral("rule"), 0}});
        save(QStringLiteral("measured"));
        window().findChild<WordBoxes*>(QStringLiteral("when/concurrency_mode"))->anyBox()->click();
        bringIntoView();
        save(QStringLiteral("widened"));
        window().resize(1100, 720);
        bringIntoView();
        save(QStringLiteral("widened-narrow"));
        console().document->undoStack()->undo();
    }

private:
    void bringIntoView() {
        console().settle();
        auto* offer = window().findChild<QPushButton*>(QStringLiteral("markInferred"));
        QVERIFY(offer != nullptr && offer->isVisible());
        for (QWidget* above = offer; above != nullptr; above = above->parentWidget())
            if (auto* area = qobject_cast<QScrollArea*>(above)) area->ensureWidgetVisible(offer);
        console().settle();
    }
};

QTEST_MAIN(RulesPicturesTest)
#include "tst_rules_pictures.moc"
