# The functions that declare our targets. The DEPENDS list of a router folder is its layering:
# a folder may name only folders that stand above it in design.md's list, and the include test reads the same list.

# Several files of a folder are compiled as one: most of the time of a small file goes into what its headers instantiate.
# Who is compiled together follows from the files' names alone, so that a new file moves no other one: names in unnamed
# namespaces that were apart stay apart. A folder that grows splits its groups in two and never mixes them.
set(SIGNALBOX_UNITY_FILES 10 CACHE STRING "About how many files of a library are compiled together; 1 compiles each alone")
function(signalbox_compile_together TARGET)
  get_target_property(sources ${TARGET} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(LENGTH sources files)
  if(SIGNALBOX_UNITY_FILES LESS 2 OR files LESS 2)
    return()
  endif()
  set(groups 1)
  set(room ${SIGNALBOX_UNITY_FILES})
  while(files GREATER room)
    math(EXPR groups "2 * ${groups}")
    math(EXPR room "2 * ${room}")
  endwhile()
  foreach(source ${sources})
    string(MD5 digest "${source}")
    string(SUBSTRING ${digest} 0 4 digest)
    math(EXPR group "0x${digest} % ${groups}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
  endforeach()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # It warns of unnamed namespaces in files that are included, which these files now are.
  target_compile_options(${TARGET} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# signalbox_router_library(NAME SOURCES f… [DEPENDS folder…] [PUBLIC lib…] [PRIVATE lib…])
function(signalbox_router_library NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PUBLIC;PRIVATE" ${ARGN})
  add_library(router_${NAME} ${ARG_SOURCES})
  add_library(router::${NAME} ALIAS router_${NAME})
  list(TRANSFORM ARG_DEPENDS PREPEND router::)
  target_link_libraries(router_${NAME}
    PUBLIC signalbox::options tl::expected ${ARG_DEPENDS} ${ARG_PUBLIC}
    PRIVATE ${ARG_PRIVATE})
  target_precompile_headers(router_${NAME} REUSE_FROM router_pch)
  signalbox_compile_together(router_${NAME})
endfunction()

# signalbox_ui_library(NAME SOURCES f… [DEPENDS ui-folder…] [PUBLIC lib…] [PRIVATE lib…])
function(signalbox_ui_library NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PUBLIC;PRIVATE" ${ARGN})
  add_library(ui_${NAME} ${ARG_SOURCES})
  add_library(ui::${NAME} ALIAS ui_${NAME})
  set_target_properties(ui_${NAME} PROPERTIES AUTOMOC ON)
  list(TRANSFORM ARG_DEPENDS PREPEND ui::)
  target_link_libraries(ui_${NAME}
    PUBLIC signalbox::options Qt6::Widgets ${ARG_DEPENDS} ${ARG_PUBLIC}
    PRIVATE ${ARG_PRIVATE})
  # One precompiled header for all of them: making it takes longer than most of these folders.
  target_precompile_headers(ui_${NAME} REUSE_FROM ui_pch)
  signalbox_compile_together(ui_${NAME})
endfunction()

# signalbox_moc(TARGET source…): moc for the sources that need it, each including its own `NAME.moc`, and their headers. AUTOMOC would run a scan
# and compile one more file for each target, which for some hundred tests is minutes.
function(signalbox_moc TARGET)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${TARGET}_moc")
  foreach(source ${ARGN})
    get_filename_component(path "${source}" ABSOLUTE)
    get_filename_component(name "${source}" NAME_WE)
    file(STRINGS "${path}" marks REGEX "Q_OBJECT|Q_NAMESPACE" LIMIT_COUNT 1)
    if(marks)
      qt6_generate_moc("${path}" "${folder}/${name}.moc")
      target_sources(${TARGET} PRIVATE "${folder}/${name}.moc")
      target_include_directories(${TARGET} PRIVATE "${folder}")
    endif()
    cmake_path(REPLACE_EXTENSION path h OUTPUT_VARIABLE header)
    set(marks)
    if(EXISTS "${header}")
      file(STRINGS "${header}" marks REGEX "Q_OBJECT|Q_NAMESPACE" LIMIT_COUNT 1)
    endif()
    if(marks)
      qt6_generate_moc("${header}" "${folder}/moc_${name}.cpp")
      target_sources(${TARGET} PRIVATE "${folder}/moc_${name}.cpp")
    endif()
  endforeach()
endfunction()

# Of every test, also of one that runs a program once more with more to do. The quotes are the sanitizers' own: a path may
# hold a space.
set(SIGNALBOX_TEST_ENVIRONMENT
  "QT_QPA_PLATFORM=offscreen" "LC_ALL=C.UTF-8" "TZ=UTC"
  "TSAN_OPTIONS=suppressions='${CMAKE_SOURCE_DIR}/tests/support/tsan.supp':die_after_fork=0"
  "LSAN_OPTIONS=suppressions='${CMAKE_SOURCE_DIR}/tests/support/lsan.supp':print_suppressions=0")

# How often longer a test may take than without a sanitizer, on a machine that does other things as well. One that hangs is found
# all the same, only later.
set(SIGNALBOX_TEST_PATIENCE 1)
if(SIGNALBOX_SANITIZE STREQUAL "asan")
  set(SIGNALBOX_TEST_PATIENCE 3)
elseif(SIGNALBOX_SANITIZE STREQUAL "tsan")
  set(SIGNALBOX_TEST_PATIENCE 8)
endif()

# signalbox_test_properties(name [LABELS label…] [TIMEOUT s] [ENVIRONMENT k=v…])
# Of a ctest entry; seconds are those of a build without a sanitizer, 120 where none are named.
function(signalbox_test_properties NAME)
  cmake_parse_arguments(ARG "" "TIMEOUT" "LABELS;ENVIRONMENT" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  math(EXPR timeout "${ARG_TIMEOUT} * ${SIGNALBOX_TEST_PATIENCE}")
  # Qt's own limit is five minutes for each function, which for some tests is all that they have.
  if(timeout GREATER 300)
    list(APPEND ARG_ENVIRONMENT "QTEST_FUNCTION_TIMEOUT=${timeout}000")
  endif()
  set_tests_properties(${NAME} PROPERTIES
    LABELS "${ARG_LABELS}" TIMEOUT ${timeout} ENVIRONMENT "${SIGNALBOX_TEST_ENVIRONMENT};${ARG_ENVIRONMENT}")
endfunction()

# signalbox_test_again(name COMMAND tst_other [argument…] [LABELS label…] [TIMEOUT s] [ENVIRONMENT k=v…])
# A program that is a test already, once more with more to do.
function(signalbox_test_again NAME)
  cmake_parse_arguments(ARG "" "TIMEOUT" "COMMAND;LABELS;ENVIRONMENT" ${ARGN})
  add_test(NAME ${NAME} COMMAND ${ARG_COMMAND})
  signalbox_test_properties(${NAME} LABELS ${ARG_LABELS} TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT ${ARG_ENVIRONMENT})
endfunction()

# signalbox_test(tst_name SOURCES f… [LIBS lib…] [LABELS label…] [TIMEOUT s] [ENVIRONMENT k=v…])
# One Qt Test executable and one ctest entry of the same name, without the tst_ prefix.
function(signalbox_test NAME)
  cmake_parse_arguments(ARG "SERIAL" "TIMEOUT" "SOURCES;LIBS;LABELS;ENVIRONMENT" ${ARGN})
  if(NOT ARG_SOURCES)
    set(ARG_SOURCES ${NAME}.cpp)
  endif()
  add_executable(${NAME} ${ARG_SOURCES})
  signalbox_moc(${NAME} ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE signalbox::options Qt6::Test ${ARG_LIBS})
  if(SIGNALBOX_SANITIZE STREQUAL "asan")
    target_link_libraries(${NAME} PRIVATE test::last_thread)
  endif()
  # Qt's gui libraries define macros of their own, with which the plain header cannot be used.
  if(CMAKE_CURRENT_SOURCE_DIR MATCHES "/tests/(ui|visual|app/console)(/|$)")
    target_precompile_headers(${NAME} REUSE_FROM tests_ui_pch)
  else()
    target_precompile_headers(${NAME} REUSE_FROM tests_pch)
  endif()
  target_compile_definitions(${NAME} PRIVATE
    SIGNALBOX_SOURCE_DIR="${CMAKE_SOURCE_DIR}" SIGNALBOX_BINARY_DIR="${CMAKE_BINARY_DIR}")
  string(REGEX REPLACE "^tst_" "" test_name ${NAME})
  add_test(NAME ${test_name} COMMAND ${NAME})
  signalbox_test_properties(${test_name} LABELS ${ARG_LABELS} TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT ${ARG_ENVIRONMENT})
  if(ARG_SERIAL)
    set_tests_properties(${test_name} PROPERTIES RUN_SERIAL ON)
  endif()
endfunction()
