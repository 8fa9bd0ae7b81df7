// SPDX-License-Identifier: MIT
#include "app/shared/demo.h"

#include <unistd.h>

namespace signalbox::app {

namespace fs = std::filesystem;

Result<fs::path> deliveredDemo() {
    std::error_code code;
    const fs::path program = fs::read_symlink("/proc/self/exe", code);
    const fs::path installed = program.parent_path().parent_path() / "share/signalbox/demo";
    for (const fs::path& folder : {installed, fs::path(SIGNALBOX_SOURCE_DEMO)})
        if (fs::is_regular_file(folder / "routing-table.json", code)) return folder;
    return fail(ErrorKind::notFound, "the demo workspace is not installed", installed.string(),
                "Install the package again, or name a workspace of your own.");
}

Result<void> installDemo(const fs::path& folder) {
    std::error_code code;
    if (fs::exists(folder, code)) return {};
    auto source = deliveredDemo();
    if (!source) return tl::unexpected(source.error());
    // A folder of our own that is renamed at the end, so that a crash or a full disk leaves no half workspace.
    const fs::path making = folder.string() + "." + std::to_string(::getpid());
    fs::create_directories(making, code);
    if (!code) fs::copy(*source, making, fs::copy_options::recursive, code);
    if (!code) fs::rename(making, folder, code);
    if (!code) return {};
    std::error_code ignored;
    fs::remove_all(making, ignored);
    // Somebody else was faster.
    if (fs::exists(folder, ignored)) return {};
    return fail(ErrorKind::unavailable, "the demo workspace cannot be written: " + code.message(), folder.string(),
                "Check the folder's permissions and the free space, or set SIGNALBOX_DATA_DIR.");
}

}  // namespace signalbox::app
