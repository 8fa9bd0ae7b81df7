// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

#include "router/table/types.h"

#include <QPointer>

namespace signalbox::ui {

class PresetForm;

/// Every change of presets that the presets page offers, and the form that makes them. Each change is one step of the
/// draft, together with what has to follow: rules and gaps that name a preset, its binding in gateway.toml, the default
/// of its family.
class PresetsEditor : public QObject {
    Q_OBJECT
public:
    explicit PresetsEditor(const PageContext& context, QObject* parent = nullptr);

    [[nodiscard]] bool canEdit() const;
    /// A form for the preset; null where it is to be read only, with the reason in `why` if it is the preset's own.
    [[nodiscard]] QWidget* form(std::size_t preset, QString& why);
    /// Fills the inspector with a form for a new preset of that family.
    void start(const std::string& family);

    void duplicate(std::size_t preset);
    void remove(std::size_t preset);
    void move(std::size_t from, std::size_t to);
    /// Takes the draft as it is now into the open form.
    void refresh();

Q_SIGNALS:
    void wantsPreset(std::size_t preset);

private:
    [[nodiscard]] const table::RoutingTable& table() const;
    void change(const QString& key, const QString& name);
    void fill();
    /// gateway.toml says where this preset runs.
    [[nodiscard]] bool isBound(const std::string& presetKey) const;

    PageContext m_context;
    QPointer<PresetForm> m_form;
    bool m_isNew = false;
    std::size_t m_index = 0;  ///< of the preset that the form shows
};

}  // namespace signalbox::ui
