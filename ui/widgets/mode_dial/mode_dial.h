// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/edit.h"

#include <QWidget>

class QButtonGroup;
class QLabel;
class QSlider;
class QSpinBox;

namespace signalbox::ui {

class Bridge;
class GatewayControl;
class PolicyDocument;
class ToneLabel;

/// The mode of smart routing: off, shadow or active with a share of the requests. Turns the draft, shows the running mode
/// beside it with the way to make the draft run, and holds the kill switch, which acts on what runs at once.
class ModeDial : public QWidget {
    Q_OBJECT
public:
    ModeDial(Bridge* bridge, PolicyDocument* document, GatewayControl* gateway, QWidget* parent = nullptr);

Q_SIGNALS:
    /// The draft refused the new position.
    void refused(const signalbox::Error& error);

private:
    void makeLayout();
    void refresh();
    void refreshRunning();
    void set(const QString& label, const std::string& key, const config::Scalar& value);

    Bridge* m_bridge;
    PolicyDocument* m_document;
    GatewayControl* m_gateway;
    QButtonGroup* m_modes;
    QSlider* m_slider;
    QSpinBox* m_percent;
    QLabel* m_note;
    ToneLabel* m_override;
    ToneLabel* m_running;
};

}  // namespace signalbox::ui
