// The structures of XLA's foreign function interface, version 0.x, as far as a handler needs them:
// JAX calls the handler, and its headers come with each jaxlib. python/tests/test_jax.py compares
// these with them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::python::xla {

struct Error;
struct Context;

struct Extension {
  std::size_t struct_size;
  std::int32_t type; // 1: metadata
  Extension *next;
};

struct ApiVersion {
  std::size_t struct_size;
  Extension *extension_start;
  int major_version, minor_version;
};

enum ErrorCode { InvalidArgument = 3, NotFound = 5, Internal = 13 };

struct ErrorCreateArguments {
  std::size_t struct_size;
  Extension *extension_start;
  const char *message;
  ErrorCode code;
};

struct StreamGetArguments {
  std::size_t struct_size;
  Extension *extension_start;
  Context *context;
  void *stream; // out
};

// Functions that stand where nothing is called have no type.
struct Api {
  std::size_t struct_size;
  Extension *extension_start;
  ApiVersion api_version;
  const void *internal_api;
  Error *(*error_create)(ErrorCreateArguments *);
  void *error_get_message, *error_destroy, *handler_register;
  Error *(*stream_get)(StreamGetArguments *);
};

struct Buffer {
  std::size_t struct_size;
  Extension *extension_start;
  std::int32_t type;
  void *data;
  std::int64_t rank;
  std::int64_t *extents;
};

struct ByteSpan {
  const char *data;
  std::size_t size;
};

enum class DataType : std::int32_t { Int8 = 2, Int32 = 4 };

// An attribute that is an array of numbers.
struct Array {
  DataType type;
  std::size_t size;
  void *data;
};

// Arguments, or results.
struct Buffers {
  std::size_t struct_size;
  Extension *extension_start;
  std::int64_t size;
  std::int32_t *types; // 1: a buffer
  void **values;
};

enum class AttributeType : std::int32_t { Array = 1, String = 4 };

struct Attributes {
  std::size_t struct_size;
  Extension *extension_start;
  std::int64_t size;
  AttributeType *types;
  ByteSpan **names;
  void **values; // Array or ByteSpan
};

enum class Stage : std::int32_t { Execute = 3 };

struct CallFrame {
  std::size_t struct_size;
  Extension *extension_start;
  const Api *api;
  Context *context;
  Stage stage;
  Buffers arguments, results;
  Attributes attributes;
};

struct Metadata {
  std::size_t struct_size;
  ApiVersion api_version; // of the handler
  std::uint32_t traits;
};

struct MetadataExtension {
  Extension base;
  Metadata *metadata;
};

} // namespace tessera::python::xla
