// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include <optional>
#include <string>
#include <utility>
#include <vector>

class QCheckBox;
class QVBoxLayout;

namespace signalbox::ui {

/// A list of words as one check box each: those that are known, and those that stand there beside them. With `any`, a
/// box of its own says that there is no list at all, which is something else than a list of all or of none.
class WordBoxes : public QWidget {
    Q_OBJECT
public:
    using Words = std::vector<std::string>;
    /// Each word with what it is called; `any` is the label of that box, empty for none.
    WordBoxes(std::vector<std::pair<std::string, QString>> known, const QString& any, QWidget* parent = nullptr);

    void set(const std::optional<Words>& words);
    /// In the order in which they stood; new ones behind.
    [[nodiscard]] std::optional<Words> words() const;
    /// The box of a word, or of any; null if there is none.
    [[nodiscard]] QCheckBox* box(const std::string& word) const;
    [[nodiscard]] QCheckBox* anyBox() const { return m_any; }

Q_SIGNALS:
    void edited();

private:
    QCheckBox* addBox(const std::string& word, const QString& name);
    void takeAny(bool any);

    struct Box {
        std::string word;
        QCheckBox* box = nullptr;
    };
    std::vector<Box> m_boxes;
    std::size_t m_known = 0;
    QVBoxLayout* m_layout;
    QCheckBox* m_any = nullptr;
    Words m_order;  ///< as they were set
};

}  // namespace signalbox::ui
