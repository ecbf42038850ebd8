// y += a x, for n numbers in device memory.
#pragma once

void saxpy(int n, float a, const float *x, float *y);
