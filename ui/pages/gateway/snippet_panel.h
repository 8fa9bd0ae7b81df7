// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

class QCheckBox;
class QComboBox;
class QPlainTextEdit;

namespace signalbox::ui {

/// What a client should send: the call as curl, the npm and the Python packages of OpenAI and Anthropic write it, for a model of this policy.
class SnippetPanel : public QWidget {
    Q_OBJECT
public:
    explicit SnippetPanel(const PageContext& context, QWidget* parent = nullptr);
    void copy();

private:
    void fillModels();
    void render();

    PageContext m_context;
    QComboBox* m_kind;
    QComboBox* m_model;
    QCheckBox* m_streaming;
    QPlainTextEdit* m_text;
};

}  // namespace signalbox::ui
