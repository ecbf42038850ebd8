"""Writes a ptxas that says what it is called with, gives advice, and fails for wrong.ptx."""
import pathlib
import sys

path = pathlib.Path(sys.argv[1])
path.write_text("""#!/bin/sh
if [ "$1" = wrong.ptx ]; then
  echo "ptxas fatal : no such file" >&2
  exit 255
fi
echo "of standard output"
echo "$@"
cat >&2 <<'END'
ptxas info    : (C7519) warpgroup.arrive is injected in function '_ZN7tessera7kernelsL1k_simtEv'
ptxas info    : Compiling entry function '_ZN7tessera7kernelsL1k_simtEv' for 'sm_90a'
ptxas info    : (C7520) about the program's own in function 'own'

ptxas warning : of the program's
END
""")
path.chmod(0o755)
