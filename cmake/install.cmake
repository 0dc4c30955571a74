# Installation rules: headers, libraries, the tool, find_package(graze) and pkg-config files.
include(CMakePackageConfigHelpers)
set(graze_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/graze)

install(DIRECTORY include/graze DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "io.hpp" EXCLUDE PATTERN "assembly.hpp" EXCLUDE
  PATTERN "tree_file.hpp" EXCLUDE PATTERN "clash.hpp" EXCLUDE PATTERN "clash_plan.hpp" EXCLUDE)
install(TARGETS graze graze_heritage EXPORT graze_core)
install(EXPORT graze_core NAMESPACE graze:: FILE graze-core.cmake DESTINATION ${graze_cmake_dir})
if(GRAZE_IO)
  install(FILES include/graze/io.hpp include/graze/assembly.hpp include/graze/tree_file.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graze)
  install(TARGETS graze_io EXPORT graze_io)
  install(TARGETS graze_import DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/graze)
  install(EXPORT graze_io NAMESPACE graze:: FILE graze-io.cmake DESTINATION ${graze_cmake_dir})
endif()
if(GRAZE_CLASH)
  install(FILES include/graze/clash.hpp include/graze/clash_plan.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graze)
  install(TARGETS graze_clash EXPORT graze_clash)
  install(EXPORT graze_clash NAMESPACE graze:: FILE graze-clash.cmake DESTINATION ${graze_cmake_dir})
endif()
if(GRAZE_C)
  install(FILES include/graze/graze.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graze)
  install(DIRECTORY include/graze/c DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graze FILES_MATCHING PATTERN "*.h")
  install(TARGETS graze_c EXPORT graze_c)
  install(EXPORT graze_c NAMESPACE graze:: FILE graze-c.cmake DESTINATION ${graze_cmake_dir})
endif()
if(GRAZE_FCL)
  install(TARGETS graze_fcl)
endif()
if(GRAZE_TOOLS)
  install(TARGETS graze_cli)
  install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/graze)
  if(NOT CMAKE_CROSSCOMPILING)  # the tool generates them from its help
    set(graze_texts_dir ${PROJECT_BINARY_DIR}/texts)
    add_custom_command(TARGET graze_cli POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E make_directory ${graze_texts_dir}
      COMMAND $<TARGET_FILE:graze_cli> man > ${graze_texts_dir}/graze.1
      COMMAND $<TARGET_FILE:graze_cli> completion bash > ${graze_texts_dir}/graze
      COMMAND $<TARGET_FILE:graze_cli> completion zsh > ${graze_texts_dir}/_graze
      COMMAND $<TARGET_FILE:graze_cli> completion fish > ${graze_texts_dir}/graze.fish
      VERBATIM)
    install(FILES ${graze_texts_dir}/graze.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${graze_texts_dir}/graze DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${graze_texts_dir}/_graze DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${graze_texts_dir}/graze.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
endif()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.json" PATTERN "*.svg" PATTERN "*.png"
  PATTERN "*.cpp" PATTERN "*.c" PATTERN "CMakeLists.txt")

configure_package_config_file(cmake/graze-config.cmake.in ${PROJECT_BINARY_DIR}/graze-config.cmake INSTALL_DESTINATION ${graze_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/graze-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/graze-config.cmake ${PROJECT_BINARY_DIR}/graze-config-version.cmake DESTINATION ${graze_cmake_dir})

# pkg-config; the prefix is relative to the file, so that an installed tree can be moved.
file(RELATIVE_PATH graze_pc_prefix /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x)
# Static libraries need their dependencies at link time; shared ones carry them.
set(graze_pc_needs "libhwy")
if(GRAZE_TBB)
  string(APPEND graze_pc_needs ", tbb")
endif()
set(graze_pc_requires "Requires: ${graze_pc_needs}")
if(BUILD_SHARED_LIBS)
  set(graze_pc_requires "Requires.private: ${graze_pc_needs}")
endif()
configure_file(cmake/graze.pc.in ${PROJECT_BINARY_DIR}/graze.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/graze.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(GRAZE_IO)
  configure_file(cmake/graze-io.pc.in ${PROJECT_BINARY_DIR}/graze-io.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/graze-io.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
if(GRAZE_C)
  # The shared library carries all it needs; the static one leaves it to the C++ linker.
  set(graze_c_pc_requires "")
  if(NOT c_type STREQUAL "SHARED")
    set(graze_c_pc_requires "Requires: graze = ${PROJECT_VERSION}")
    if(GRAZE_IO)
      set(graze_c_pc_requires "Requires: graze-io = ${PROJECT_VERSION}")
    endif()
  endif()
  configure_file(cmake/graze-c.pc.in ${PROJECT_BINARY_DIR}/graze-c.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/graze-c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
