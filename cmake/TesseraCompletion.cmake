# Completion in shells, made by the tools of their own tables of options, and installed where bash,
# zsh and fish look for it.
function(tessera_completion tool)
  set(bash share/bash-completion/completions/${tool})
  set(zsh share/zsh/site-functions/_${tool})
  set(fish share/fish/vendor_completions.d/${tool}.fish)
  foreach(shell IN ITEMS bash zsh fish)
    set(made ${PROJECT_BINARY_DIR}/${${shell}})
    cmake_path(GET made PARENT_PATH folder)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${made}
      COMMAND ${tool} --print-completion=${shell} > ${made} DEPENDS ${tool} VERBATIM)
    list(APPEND all ${made})
    cmake_path(GET ${shell} PARENT_PATH place)
    install(FILES ${made} DESTINATION ${place})
  endforeach()
  add_custom_target(${tool}-completion ALL DEPENDS ${all})
endfunction()
