#!/usr/bin/env bash
# Puts the bundle together, the folder that a wheel for machines without a compiler is made of: the
# programs, Clang's headers, LLVM's C++ library, the C library's headers, and the runtime, compiled
# by the bundle itself. docs/internals/releasing.md says why each is there.
#
#   plugin/bundle/assemble.sh SOURCE BUILD LLVM CUDA      into BUILD/bundle; `ninja bundle` runs it
set -euo pipefail
source=$1 build=$2 llvm=$3 cuda=$4
here=$source/plugin/bundle bundle=$build/bundle
resources=lib/clang/22 libraries=$bundle/sysroot/usr/lib machine=/usr/lib/x86_64-linux-gnu

rm -rf "$bundle"
mkdir -p "$bundle"/{bin,libexec,lib/tessera-emulate,share/tessera,licenses} \
  "$bundle/$resources"/{include,lib/linux} "$libraries" "$bundle/sysroot/usr/include/c++"

# One executable is all programs; a script of each other's name starts it.
cp "$build/bin/tessera-static" "$bundle/bin/tessera"
script() { # FILE FROM_THERE_TO_TESSERA
  sed "s|@tessera@|$2|; s|@program@|${1##*/}|" "$here/program.sh.in" >"$bundle/$1"
  chmod +x "$bundle/$1"
}
for program in clang++ ld.lld llvm-symbolizer tessera-nvcc tessera-clangd; do
  script bin/$program tessera
done
script libexec/tileiras ../bin/tessera
cp "$here/bundle.cfg" "$bundle/bin/x86_64-pc-linux-gnu.cfg"
cp "$build/bundle-plugin/libtessera.so" "$bundle/lib"

# What Clang has for this machine and for NVIDIA's GPUs.
tar -C "$llvm/$resources/include" --exclude-from="$here/other_headers.txt" -ch . |
  tar -x -C "$bundle/$resources/include"
cp "$llvm/$resources"/lib/linux/clang_rt.crt{begin,end}-x86_64.o \
  "$llvm/$resources/lib/linux/libclang_rt.builtins-x86_64.a" "$bundle/$resources/lib/linux"

# The C++ library, in whose archive the library of its ABI is. CUDA's headers refuse it unless a
# macro says otherwise, and its headers include fewer others by the second one, which saves a fifth
# of a compile; as options they would be macros of the program. Files keep their times, by which
# ninja and Clang know them again.
cp -rpL "$llvm/include/c++/v1" "$bundle/sysroot/usr/include/c++"
site=include/c++/v1/__config_site
printf '#define %s\n' _ALLOW_UNSUPPORTED_LIBCPP _LIBCPP_REMOVE_TRANSITIVE_INCLUDES \
  >>"$bundle/sysroot/usr/$site"
touch -r "$llvm/$site" "$bundle/sysroot/usr/$site"
cp -L "$llvm"/lib/libc++.a "$llvm"/lib/libunwind.a "$libraries"

# The C library: its headers here, and its code on the machine, by the names of run time. What
# begins a program, and what older versions lack, is in the folder that the executable is linked in.
python3 "$here/c_headers.py" "$bundle/sysroot/usr/include"
cp "$build"/bundle-c/{crt1.o,Scrt1.o,libc_nonshared.a} "$libraries"
"$bundle/bin/clang++" -x c -c /dev/null -o "$libraries/crti.o"
cp "$libraries/crti.o" "$libraries/crtn.o"
link_script() { echo "INPUT($2)" >"$libraries/$1"; }
link_script libc.so "-l:libc.so.6 libc_nonshared.a \
AS_NEEDED(-l:libpthread.so.0 -l:libdl.so.2 -l:ld-linux-x86-64.so.2)"
link_script libm.so "-l:libm.so.6"
for part in pthread dl rt; do link_script lib$part.so -lc; done
cp "$machine/libboost_context.a" "$libraries"

# The runtime. Boost's headers stand alone in a folder: beside them are those of another C library.
# They use a template that C++20 has no more.
runtime=$build/bundle-runtime
mkdir -p "$runtime/boost"
ln -sfn /usr/include/boost "$runtime/boost/boost"
cmake -S "$source" -B "$runtime" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_COMPILER="$bundle/bin/clang++" -DTESSERA_CUDA_PATH="$cuda" \
  -DCMAKE_CXX_FLAGS=-D_LIBCPP_ENABLE_CXX20_REMOVED_TYPE_TRAITS \
  -DBoost_NO_BOOST_CMAKE=ON -DBoost_USE_STATIC_LIBS=ON -DBoost_INCLUDE_DIR="$runtime/boost" \
  -DBOOST_LIBRARYDIR="$machine" -DTESSERA_BOOST_CONTEXT="$machine/libboost_context.a" \
  -DCMAKE_SHARED_LINKER_FLAGS="-L$build/bundle-c" \
  -DTESSERA_INSTALL=OFF -DBUILD_TESTING=OFF
ninja -C "$runtime" tessera_cpu tessera_emulate tessera_verify tessera_driver_of_emulator \
  tessera_launch
cp "$runtime"/lib/libtessera_{cpu,emulate,verify}.a "$runtime/lib/libtessera_launch.so" \
  "$bundle/lib"
cp -L "$runtime/lib/tessera-emulate/libcuda.so.1" "$bundle/lib/tessera-emulate"
cp -r "$source/runtime/include" "$bundle"
cp -r "$source/python/cutile" "$bundle/share/tessera"
rm -rf "$bundle/share/tessera/cutile/__pycache__"

# Headers precompiled, as the last: they are for the files above.
python3 "$here/precompile.py" "$bundle" "$cuda"

# The licenses of all of this.
cp "$source/LICENSE" "$bundle/licenses/tessera.txt"
for package in libclang-22-dev libc++-22-dev libstdc++-12-dev libc6-dev linux-libc-dev \
  libboost1.74-dev zlib1g-dev libzstd-dev; do
  cp -L "/usr/share/doc/$package/copyright" "$bundle/licenses/$package.txt"
done
cp -L /usr/share/common-licenses/{LGPL-2.1,GPL-2,GPL-3} "$bundle/licenses"
