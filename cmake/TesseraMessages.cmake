# What is said of a project that cannot be built with Tessera: a row each, for _tessera_fail.
#
# {0} and {1} are the arguments. Wording as in plugin/support/Messages.def: what was seen, then what
# to write instead. test/refusals.py holds that each row has a test.
set(_tessera_message_NoTarget "tessera_target_sources: there is no target {0}")
set(_tessera_message_NotPrivate
    "tessera_target_sources({0} PRIVATE file.cu...): the sources must be PRIVATE")
set(_tessera_message_NoKind "TESSERA_TARGET is '{0}'; it must be gpu, cpu or emulate")
set(_tessera_message_NoRuntime
    "no {0} in the CUDA toolkit {1}; set TESSERA_CUDA_PATH to another toolkit")
