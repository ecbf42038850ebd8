# Manual pages, made of what the tools print for --help, so that they say the same.
#
# Included, tessera_manual(tool file) makes TOOL.1 with the file; run as a script, this writes one:
#   cmake -D TOOL=... -D NAME=... -D PAGE=... -D VERSION=... -P TesseraManual.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  execute_process(COMMAND ${TOOL} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "^[^\n]*: ([^\n]*)\n" summary "${help}")
  set(summary "${CMAKE_MATCH_1}")
  string(FIND "${help}" "\n" end)
  string(SUBSTRING "${help}" ${end} -1 help)
  string(REPLACE "\\" "\\e" help "${help}")
  string(REPLACE "-" "\\-" help "${help}")
  string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" help "${help}")
  string(REGEX REPLACE "(^|\n)USAGE: ([^\n]*)"
         "\\1.SH SYNOPSIS\n\\2\n.SH DESCRIPTION\n.nf\n" help "${help}")
  string(REGEX REPLACE "\n([A-Z ]+):\n+" "\n.SH \"\\1\"\n.nf\n" help "${help}")
  string(REGEX REPLACE "\n([A-Z][a-zA-Z ]+):\n+" "\n.SS \"\\1\"\n.nf\n" help "${help}")
  string(REGEX REPLACE ".SH DESCRIPTION\n.nf\n+.SH" ".SH" help "${help}")
  set(head ".TH ${NAME} 1 \"\" \"Tessera ${VERSION}\"\n")
  file(WRITE ${PAGE} "${head}.SH NAME\n${NAME} \\- ${summary}\n${help}")
  return()
endif()

set(TESSERA_MANUAL_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(tessera_manual tool file)
  set(page ${PROJECT_BINARY_DIR}/share/man/man1/${tool}.1)
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -D TOOL=${file} -D NAME=${tool} -D PAGE=${page}
      -D VERSION=${PROJECT_VERSION}
      -P ${TESSERA_MANUAL_SCRIPT}
    DEPENDS ${file} ${TESSERA_MANUAL_SCRIPT} VERBATIM)
  add_custom_target(${tool}-manual ALL DEPENDS ${page})
  install(FILES ${page} DESTINATION share/man/man1)
endfunction()
