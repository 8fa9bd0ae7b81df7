// SPDX-License-Identifier: MIT
#include "tests/support/scripted_upstream.h"

#include <cstdlib>
#include <fstream>

namespace signalbox::test {

namespace {

bool run(const std::filesystem::path& folder, const std::string& arguments) {
    const std::string command = "cd '" + folder.string() + "' && openssl " + arguments + " >/dev/null 2>&1";
    return std::system(command.c_str()) == 0;
}

}  // namespace

std::optional<TlsFiles> makeTestCertificates(const std::filesystem::path& folder, const std::string& names) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "names.txt") << "subjectAltName=" << names << "\n";
    const std::string newKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes ";
    const bool made =
        run(folder, "req -x509 " + newKey + "-keyout ca.key -out ca.pem -days 2 -subj '/CN=Throw-away authority'") &&
        run(folder, "req " + newKey + "-keyout server.key -out server.csr -subj '/CN=localhost'") &&
        run(folder, "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names.txt "
                    "-out server.pem");
    if (!made) return std::nullopt;
    return TlsFiles{folder / "server.pem", folder / "server.key", folder / "ca.pem"};
}

}  // namespace signalbox::test
