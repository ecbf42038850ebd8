# cmake -DINPUT=FILE -DOUTPUT=FILE.inc -P Embed.cmake: a file as C++ string literals, in pieces that
# every compiler takes.
file(READ ${INPUT} text)
string(LENGTH "${text}" left)
set(literals "")
set(start 0)
while(left GREATER 0)
  string(SUBSTRING "${text}" ${start} 8000 piece)
  string(APPEND literals "R\"tessera(${piece})tessera\"\n")
  math(EXPR start "${start} + 8000")
  math(EXPR left "${left} - 8000")
endwhile()
file(WRITE ${OUTPUT} "${literals}")
