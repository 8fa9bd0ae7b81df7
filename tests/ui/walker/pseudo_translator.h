// SPDX-License-Identifier: MIT
#pragma once

#include <QTranslator>

namespace signalbox::test {

/// A language in which every translated text is recognisable and longer, as German or Finnish would be:
/// "Start" becomes "⟦Stàrt·····⟧". A visible text without the marks did not go through tr().
class PseudoTranslator final : public QTranslator {
    Q_OBJECT
public:
    using QTranslator::QTranslator;
    [[nodiscard]] QString translate(const char* context, const char* sourceText, const char* disambiguation, int n) const override;
    [[nodiscard]] bool isEmpty() const override { return false; }

    [[nodiscard]] static bool isTranslated(const QString& text) { return text.contains(QChar(0x27e6)); }
};

}  // namespace signalbox::test
