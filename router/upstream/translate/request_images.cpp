// SPDX-License-Identifier: MIT
#include "router/upstream/translate/request_images.h"

#include "router/base/text.h"

namespace signalbox::upstream::translate {

using classify::Peculiarity;

namespace {

constexpr std::string_view kData = "data:", kBase64 = ";base64", kImage = "image/";

/// `image/` and a name of letters, digits, `.`, `+` and `-`: what can stand in a data URL.
bool isImageType(std::string_view type) {
    const std::string lower = asciiLower(type);
    constexpr std::string_view kName = "abcdefghijklmnopqrstuvwxyz0123456789.+-";
    return lower.starts_with(kImage) && lower.size() > kImage.size() &&
           lower.find_first_not_of(kName, kImage.size()) == std::string::npos;
}

OrderedJson base64Source(std::string mediaType, std::string_view data) {
    if (mediaType == "image/jpg") mediaType = "image/jpeg";  // often written, registered nowhere
    return {{"type", "base64"}, {"media_type", std::move(mediaType)}, {"data", data}};
}

/// `data:image/png;base64,…`; parameters between the type and `;base64` say nothing about an image.
OrderedJson sourceOfDataUrl(const Value& place, std::string_view url) {
    const std::size_t comma = url.find(',');
    const std::string_view head = url.substr(kData.size(), comma == std::string_view::npos ? comma : comma - kData.size());
    if (comma == std::string_view::npos || !asciiLower(head).ends_with(kBase64))
        place.refuse("is a data URL without base64", "Write it as data:image/png;base64,… or send a web address.");
    std::string type = asciiLower(head.substr(0, head.find(';')));
    if (!isImageType(type)) place.refuse("holds " + (type.empty() ? "no type" : type) + ", which is no image");
    return base64Source(std::move(type), url.substr(comma + 1));
}

bool isWebAddress(std::string_view url) {
    const std::string start = asciiLower(url.substr(0, 8));
    return start.starts_with("http://") || start.starts_with("https://");
}

}  // namespace

OrderedJson anthropicImage(const Value& part) {
    const Value image = part.required("image_url");
    const Value place = image.isText() ? image : image.required("url");
    const std::string& url = place.text();
    OrderedJson source;
    if (asciiLower(url.substr(0, kData.size())) == kData) {
        source = sourceOfDataUrl(place, url);
    } else {
        if (!isWebAddress(url)) place.refuse("is neither a data URL nor a web address");
        source = {{"type", "url"}, {"url", verbatim(place)}};
    }
    return {{"type", "image"}, {"source", std::move(source)}};
}

OrderedJson openAiImage(const Value& block) {
    const Value source = block.required("source");
    const std::string& kind = source.required("type").text();
    OrderedJson url;
    if (kind == "base64") {
        const Value type = source.required("media_type");
        if (!isImageType(type.text())) type.refuse("is no type of an image");
        url = std::string(kData) + type.text() + std::string(kBase64) + "," + source.required("data").text();
    } else if (kind == "url") {
        const Value address = source.required("url");
        if (!isWebAddress(address.text())) address.refuse("is no web address");
        url = verbatim(address);
    } else if (kind == "file") {
        source.peculiar(Peculiarity::files);
    } else {
        source.required("type").refuse("is no source of an image", "Sources are base64 and url.");
    }
    return {{"type", "image_url"}, {"image_url", {{"url", std::move(url)}}}};
}

}  // namespace signalbox::upstream::translate
