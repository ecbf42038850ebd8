// The options of nvcc: which of them take a value determines where the next option starts, and some
// have a meaning for the translation. All other options are nvcc's.
//
// The name of a definition is an enumerator of OptionKind. What is in the group Other goes to nvcc
// unchanged, as do options that are not here. A name may follow one dash or two; a value follows
// `=` or is the next word; after a one-letter name it may follow directly (-Ifolder).
include "llvm/Option/OptParser.td"

def Other : OptionGroup<"other">;
// On the shorter of an option's two names.
def Short : OptionFlag;

// Options and aliases of them: long name, short name.
multiclass Switch<string long, string short = long> {
  def "" : Flag<["-", "--"], long>;
  if !ne(long, short) then
    def _short : Flag<["-", "--"], short>, Alias<!cast<Option>(NAME)>, Flags<[Short]>;
}
multiclass SwitchLike<Option option, string long, string short = long> {
  def "" : Flag<["-", "--"], long>, Alias<option>;
  if !ne(long, short) then
    def _short : Flag<["-", "--"], short>, Alias<option>, Flags<[Short]>;
}
multiclass ValueLike<Option option, string name, list<OptionFlag> flags = []> {
  if !eq(!size(name), 1) then {
    def "" : JoinedOrSeparate<["-", "--"], name>, Alias<option>, Flags<flags>;
  } else {
    def "" : Separate<["-", "--"], name>, Alias<option>, Flags<flags>;
  }
  def _equals : Joined<["-", "--"], name#"=">, Alias<option>;
}
multiclass Value<string long, string short = long> {
  if !eq(!size(long), 1) then {
    def "" : JoinedOrSeparate<["-", "--"], long>;
  } else {
    def "" : Separate<["-", "--"], long>;
  }
  def _equals : Joined<["-", "--"], long#"=">, Alias<!cast<Option>(NAME)>;
  if !ne(long, short) then
    defm _short : ValueLike<!cast<Option>(NAME), short, [Short]>;
}

// The kind of output.
defm Cubin : Switch<"cubin">;
defm Fatbin : Switch<"fatbin">;
defm Ptx : Switch<"ptx">;
defm TileCubin : Switch<"tilecubin">;
defm TileFatbin : Switch<"tilefatbin">;
defm TileBytecode : Switch<"tilebc">;
defm Unavailable : Switch<"cuda">;
defm OptixIr : SwitchLike<Unavailable, "optix-ir">;
defm Ltoir : SwitchLike<Unavailable, "ltoir">;
defm Preprocess : Switch<"preprocess", "E">;
defm Dependencies : SwitchLike<Preprocess, "generate-dependencies", "M">;
defm OwnDependencies : SwitchLike<Preprocess, "generate-nonsystem-dependencies", "MM">;
defm Compile : Switch<"compile", "c">;
defm DeviceCompile : Switch<"device-c", "dc">;
defm DeviceW : SwitchLike<Compile, "device-w", "dw">;
let Group = Other in {
  defm DeviceLink : Switch<"device-link", "dlink">;
  defm Link : Switch<"link">;
  defm Lib : Switch<"lib">;
}
defm Run : Switch<"run">;
defm Output : Value<"output-file", "o">;
defm OutputFolder : Value<"output-directory", "odir">;

// Which kernels.
defm EnableTile : Switch<"enable-tile">;
defm TileOnly : Switch<"tile-only">;
defm SimtOnly : Switch<"simt-only">;
defm TileAssembler : Value<"tileiras-options", "Xtileiras">;
defm TilePreview : ValueLike<TileAssembler, "tile-preview">;
defm Architecture : Value<"gpu-architecture", "arch">;
defm Code : Value<"gpu-code", "code">;
defm GenerateCode : Value<"generate-code", "gencode">;
defm RelocatableCode : Value<"relocatable-device-code", "rdc">;
let Group = Other in {
  defm Entries : Value<"entries", "e">;
}

// Dependencies.
defm DependenciesToo : Switch<"generate-dependencies-with-compile", "MD">;
defm OwnDependenciesToo : Switch<"generate-nonsystem-dependencies-with-compile", "MMD">;
defm DependencyFile : Value<"dependency-output", "MF">;
defm DependencyTarget : Value<"dependency-target-name", "MT">;
defm DependencyPhony : Switch<"generate-dependency-targets", "MP">;

// The language.
defm Language : Value<"x">;
defm Standard : Value<"std">;
defm IncludedFile : Value<"pre-include", "include">;
defm Define : Value<"define-macro", "D">;
defm Undefine : Value<"undefine-macro", "U">;
defm IncludeFolder : Value<"include-path", "I">;
defm SystemFolder : Value<"system-include", "isystem">;
defm RelaxedConstexpr : Switch<"expt-relaxed-constexpr">;
defm ExtendedLambda : Switch<"extended-lambda">;
defm ExptExtendedLambda : SwitchLike<ExtendedLambda, "expt-extended-lambda">;
defm DeviceDebug : Switch<"device-debug", "G">;
defm NoWarnings : Switch<"disable-warnings", "w">;
defm HostOptions : Value<"compiler-options", "Xcompiler">;
defm NoExceptions : Switch<"no-exceptions", "noeh">;
defm TemplateDepth : Value<"ftemplate-depth">;
let Group = Other in {
  defm FtemplateBacktraceLimit : Value<"ftemplate-backtrace-limit">;
  defm Stdlib : Value<"stdlib">;
}

// The tool itself.
defm Help : Switch<"help", "h">;
defm Version : Switch<"version", "V">;
defm DryRun : Switch<"dryrun">;
defm Verbose : Switch<"verbose", "v">;
defm Keep : Switch<"keep">;
defm SaveTemps : SwitchLike<Keep, "save-temps">;
defm KeepFolder : Value<"keep-dir">;
defm OptionsFile : Value<"options-file", "optf">;

// Only known to take a value.
let Group = Other in {
  defm Library : Value<"library", "l">;
  defm LibraryPath : Value<"library-path", "L">;
  defm CompilerBindir : Value<"compiler-bindir", "ccbin">;
  defm ArchiverBinary : Value<"archiver-binary", "arbin">;
  defm Cudart : Value<"cudart">;
  defm Cudadevrt : Value<"cudadevrt">;
  defm LibdeviceDirectory : Value<"libdevice-directory", "ldir">;
  defm TargetDirectory : Value<"target-directory", "target-dir">;
  defm OptimizationInfo : Value<"optimization-info", "opt-info">;
  defm Optimize : Value<"optimize", "O">;
  defm OfastCompile : Value<"Ofast-compile", "Ofc">;
  defm Dopt : Value<"dopt">;
  defm Machine : Value<"machine", "m">;
  defm ApplyControls : Value<"apply-controls">;
  defm LinkerOptions : Value<"linker-options", "Xlinker">;
  defm ArchiveOptions : Value<"archive-options", "Xarchive">;
}
defm AssemblerOptions : Value<"ptxas-options", "Xptxas">;
defm ResourceUse : Switch<"resource-usage", "res-usage">;
let Group = Other in {
  defm NvlinkOptions : Value<"nvlink-options", "Xnvlink">;
  defm NvpruneOptions : Value<"nvprune-options", "Xnvprune">;
  defm StaticGlobalTemplateStub : Value<"static-global-template-stub">;
  defm DeviceEntityHasHiddenVisibility : Value<"device-entity-has-hidden-visibility">;
  defm Threads : Value<"threads", "t">;
  defm FmaxErrors : Value<"fmax-errors">;
  defm SplitCompile : Value<"split-compile">;
  defm SplitCompileExtended : Value<"split-compile-extended">;
  defm FdeviceTimeTrace : Value<"fdevice-time-trace">;
  defm FdeviceTimeTraceGranularity : Value<"fdevice-time-trace-granularity">;
  defm Time : Value<"time">;
  defm RunArgs : Value<"run-args">;
  defm InputDrivePrefix : Value<"input-drive-prefix", "idp">;
  defm DependencyDrivePrefix : Value<"dependency-drive-prefix", "ddp">;
  defm DrivePrefix : Value<"drive-prefix", "dp">;
  defm Maxrregcount : Value<"maxrregcount">;
  defm Ftz : Value<"ftz">;
  defm PrecDiv : Value<"prec-div">;
  defm PrecSqrt : Value<"prec-sqrt">;
  defm Fmad : Value<"fmad">;
  defm DefaultStream : Value<"default-stream">;
  defm Werror : Value<"Werror">;
  defm DiagError : Value<"diag-error">;
  defm DiagSuppress : Value<"diag-suppress">;
  defm DiagWarn : Value<"diag-warn">;
  defm HostLinkerScript : Value<"host-linker-script", "hls">;
  defm BriefDiagnostics : Value<"brief-diagnostics", "brief-diag">;
  defm JumpTableDensity : Value<"jump-table-density", "jtd">;
  defm DeviceStackProtector : Value<"device-stack-protector">;
  defm CompressMode : Value<"compress-mode">;
  defm FrandomSeed : Value<"frandom-seed">;
  defm FdeviceSanitize : Value<"fdevice-sanitize">;
  defm Sanitize : Value<"sanitize">;
}
