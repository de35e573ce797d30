# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Documents, completion for shells, and man pages, which heddle writes itself, one per command.
include(GNUInstallDirs)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES completions/heddle.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME heddle)
install(FILES completions/_heddle DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)

set(man_commands verify scan check depend explain ir models run replay capture cc init doctor version)
set(man_pages ${CMAKE_BINARY_DIR}/man/heddle.1)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/man/heddle.1
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/man
  COMMAND heddle man-page > ${CMAKE_BINARY_DIR}/man/heddle.1
  DEPENDS heddle VERBATIM)
foreach(command ${man_commands})
  set(page ${CMAKE_BINARY_DIR}/man/heddle-${command}.1)
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/man
    COMMAND heddle man-page ${command} > ${page}
    DEPENDS heddle VERBATIM)
  list(APPEND man_pages ${page})
endforeach()
add_custom_target(heddle_man_pages ALL DEPENDS ${man_pages})
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
