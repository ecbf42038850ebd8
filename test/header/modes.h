// Short names of the modes of operations.
#pragma once

#include "same.h"

using RZ = ct::round_toward_zero_t;
using Even = ct::round_ties_to_even_t;
using Down = ct::round_toward_negative_t;
using Up = ct::round_toward_positive_t;
using Fast = ct::round_approximate_t;
using Full = ct::round_full_t;
using Flush = ct::round_subnormals_to_zero_t;
using Keep = ct::preserve_subnormals_t;
using Nan = ct::propagate_nan_t;
using NoNan = ct::suppress_nan_t;
