// SPDX-License-Identifier: MIT
#include "tests/ui/walker/pseudo_translator.h"

namespace signalbox::test {

QString PseudoTranslator::translate(const char* context, const char* sourceText, const char*, int n) const {
    // Qt's own texts stay: they are Qt's to translate.
    if (qstrncmp(context, "Q", 1) == 0) return {};
    QString text = QString::fromUtf8(sourceText);
    if (n >= 0) text.replace(QLatin1String("%n"), QString::number(n));
    text.replace(QLatin1Char('a'), QChar(0xe0)).replace(QLatin1Char('e'), QChar(0xe9)).replace(QLatin1Char('o'), QChar(0xf8));
    const qsizetype longer = text.size() < 12 ? text.size() / 2 + 1 : text.size() / 4;
    return QChar(0x27e6) + text + QString(longer, QChar(0xb7)) + QChar(0x27e7);
}

}  // namespace signalbox::test
