// SPDX-License-Identifier: MIT
#pragma once

class QCoreApplication;

namespace signalbox::ui {

/// Installs the translation of the user's language, and under it the English plural forms. Once, before any widget.
void installLanguage(QCoreApplication& application);

}  // namespace signalbox::ui
