// SPDX-License-Identifier: MIT
#include "ui/theme/colors.h"

#include <array>
#include <cmath>

namespace signalbox::ui::colors {

Pair surface(Surface surface) {
    switch (surface) {
    case Surface::window: return {0xfff2f3f1, 0xff14171a};
    case Surface::panel: return {0xfffbfbfa, 0xff1a1e22};
    case Surface::raised: return {0xffffffff, 0xff22272c};
    case Surface::hairline: return {0xffd9dbd7, 0xff31373d};
    case Surface::text: return {0xff1b1f23, 0xffe3e6e8};
    case Surface::textMuted: return {0xff5a6169, 0xff9ba4ac};
    case Surface::textOnAccent: return {0xffffffff, 0xff0b1416};
    case Surface::accent: return {0xff0b6470, 0xff5cbac4};
    case Surface::accentSoft: return {0xffdfecec, 0xff1d3438};
    case Surface::selection: return {0xffcfe5e7, 0xff24474c};
    case Surface::hover: return {0xffebecea, 0xff252a2f};
    }
    return {0xff000000, 0xffffffff};
}

Pair tone(Tone tone) {
    switch (tone) {
    case Tone::clear: return {0xff1a7340, 0xff6cc48d};
    case Tone::caution: return {0xff8a5800, 0xffe0ae4e};
    case Tone::danger: return {0xffb3261e, 0xfff08a80};
    case Tone::info: return {0xff2459a9, 0xff82b1f0};
    case Tone::canary: return {0xff7a3e9d, 0xffc79be0};
    case Tone::gap: return {0xff6b5a48, 0xffbca994};
    case Tone::idle: return {0xff5c636b, 0xff98a1a9};
    }
    return {0xff000000, 0xffffffff};
}

std::span<const Pair> series() {
    static constexpr std::array<Pair, 10> kSeries{{
        {0xff0072b2, 0xff4aa8e0},  // blue
        {0xffd55e00, 0xfff28a3c},  // vermilion
        {0xff009e73, 0xff2fc79b},  // green
        {0xffb0568f, 0xffde8fc0},  // purple
        {0xff9a7b00, 0xffe2c33f},  // ochre
        {0xff3a8fb7, 0xff8fd0ee},  // sky
        {0xff5b4b9a, 0xffa193e6},  // indigo
        {0xff8c4a2f, 0xffc98a6d},  // brown
        {0xff5f7d1f, 0xffa9c95a},  // olive
        {0xff5d666e, 0xffaab3ba},  // slate
    }};
    return kSeries;
}

QColor mix(const QColor& base, const QColor& over, double share) {
    const auto blend = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return QColor(blend(base.red(), over.red()), blend(base.green(), over.green()), blend(base.blue(), over.blue()));
}

static double luminance(const QColor& color) {
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

}  // namespace signalbox::ui::colors
