# One interface target carries standard, warnings, hardening and sanitizers for every target of ours.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# A static library does not wait for the libraries it will later be linked with.
set(CMAKE_OPTIMIZE_DEPENDENCIES ON)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # The sloppiness lets ccache work with precompiled headers; the base dir lets two clones share results.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
endif()

add_library(signalbox_options INTERFACE)
add_library(signalbox::options ALIAS signalbox_options)
target_include_directories(signalbox_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(signalbox_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual -Wimplicit-fallthrough
  -Wno-missing-field-initializers -fstack-protector-strong)
# The standard library checks its bounds in every build; `assert`, mostly of other libraries about themselves, is left out of a
# release: 3 % of the instructions of a request.
target_compile_definitions(signalbox_options INTERFACE
  SIGNALBOX_VERSION="${PROJECT_VERSION}" _GLIBCXX_ASSERTIONS
  QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_CAST_FROM_BYTEARRAY QT_NO_URL_CAST_FROM_STRING
  QT_NO_KEYWORDS QT_NO_FOREACH QT_STRICT_ITERATORS QT_DISABLE_DEPRECATED_BEFORE=0x060400)
target_link_options(signalbox_options INTERFACE -Wl,-z,relro,-z,now)
find_program(LLD_PROGRAM ld.lld)
if(LLD_PROGRAM)
  target_link_options(signalbox_options INTERFACE -fuse-ld=lld)
endif()
# In a debug build each folder is a shared library: the tests would else hold some fifty megabytes of the same code each, on a
# disk that may not have twenty gigabytes. Whatever a folder uses it then has to name, too.
option(BUILD_SHARED_LIBS "Make each folder's library a shared one" OFF)
if(BUILD_SHARED_LIBS AND NOT SIGNALBOX_SANITIZE)  # a sanitizer's own functions come with the program
  set(CMAKE_SHARED_LINKER_FLAGS "${CMAKE_SHARED_LINKER_FLAGS} -Wl,-z,defs")
endif()
# A request runs through some six hundred small functions of a program of seven megabytes. Side by side, in the order that
# tests/bench/hot_functions found, they share cache lines and pages; what nobody calls is left out.
if(LLD_PROGRAM AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT SIGNALBOX_SANITIZE)
  set(hot_functions "${CMAKE_CURRENT_LIST_DIR}/hot_functions.txt")
  target_compile_options(signalbox_options INTERFACE -ffunction-sections)
  target_link_options(signalbox_options INTERFACE
    "LINKER:--symbol-ordering-file=${hot_functions},--no-warn-symbol-ordering,--gc-sections")
  set_property(TARGET signalbox_options APPEND PROPERTY INTERFACE_LINK_DEPENDS "${hot_functions}")
endif()
find_package(Threads REQUIRED)
target_link_libraries(signalbox_options INTERFACE Threads::Threads)

# gcc 12 with _FORTIFY_SOURCE needs optimisation; sanitizers bring their own checks.
if(CMAKE_BUILD_TYPE MATCHES "Rel" AND NOT SIGNALBOX_SANITIZE)
  target_compile_definitions(signalbox_options INTERFACE _FORTIFY_SOURCE=2)
endif()

if(SIGNALBOX_SANITIZE STREQUAL "asan")
  # Four checks are left out: with them one Beast file compiles for over a minute.
  target_compile_options(signalbox_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize=null,alignment,vptr,object-size
    -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(signalbox_options INTERFACE -fsanitize=address,undefined)
elseif(SIGNALBOX_SANITIZE STREQUAL "tsan")
  # -Wno-tsan: gcc warns that fences are not modelled; ours are inside libraries only.
  target_compile_options(signalbox_options INTERFACE -fsanitize=thread -Wno-tsan -fno-omit-frame-pointer)
  target_link_options(signalbox_options INTERFACE -fsanitize=thread)
endif()
if(SIGNALBOX_FUZZ)
  # -fno-sanitize=function: yields false reports across the C boundaries of the libraries.
  target_compile_options(signalbox_options INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=function,vptr)
  target_link_options(signalbox_options INTERFACE -fsanitize=address,undefined)
endif()
