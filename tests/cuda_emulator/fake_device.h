// The stand-in driver: how its calls are written, initialization, errors, the device, contexts. fake_cuda.cpp goes on.
#pragma once
#include "fake_modules.h"

using namespace fake;
typedef void* Handle;

#define API(name, ...) extern "C" int name(__VA_ARGS__)
#define LOCKED std::lock_guard<std::recursive_mutex> held(fake::lock)
#define WORKING                                                                 \
  LOCKED;                                                                       \
  if (contexts.empty()) return initialized ? kInvalidContext : kNotInitialized; \
  if (fault != kSuccess) return fault

static bool initialized;
static int the_context;
static thread_local std::vector<Handle> contexts;

// ---- initialization, errors, the device -----------------------------------------------------------------------------

API(cuInit, unsigned) { return initialized = true, kSuccess; }
API(cuDriverGetVersion, int* version) { return *version = 13000, kSuccess; }

API(cuGetErrorName, int code, const char** name) {
  const Named* n = named(code);
  return n ? (*name = n->name, kSuccess) : (*name = nullptr, kInvalidValue);
}
API(cuGetErrorString, int code, const char** text) {
  LOCKED;
  const Named* n = named(code);
  if (!n) return *text = nullptr, kInvalidValue;
  *text = code != kSuccess && code == fault ? fault_text.c_str() : n->text;
  return kSuccess;
}

// MOCHAC_FAKE_CUDA_DEVICES: how many devices there are, all alike; a process works with one of them.
static int device_count() {
  const char* told = getenv("MOCHAC_FAKE_CUDA_DEVICES");
  return told ? atoi(told) : 1;
}
API(cuDeviceGetCount, int* count) { return initialized ? (*count = device_count(), kSuccess) : kNotInitialized; }
API(cuDeviceGet, int* device, int ordinal) {
  return ordinal < 0 || ordinal >= device_count() ? kInvalidDevice : (*device = ordinal, kSuccess);
}
API(cuDeviceGetName, char* name, int size, int) { return snprintf(name, size, "CPU emulation of sm_90"), kSuccess; }
API(cuDeviceGetPCIBusId, char* text, int size, int device) {
  return snprintf(text, size, "0000:%02x:00.0", device), kSuccess;
}
API(cuDeviceTotalMem_v2, size_t* bytes, int) { return *bytes = total_bytes(), kSuccess; }
API(cuDeviceComputeCapability, int* major, int* minor, int) { return *major = 9, *minor = 0, kSuccess; }

// {attribute, value} of an H100 or H200; attributes that are not here are 0.
static const int kAttributes[][2] = {
    {1, 1024},  {2, 1024}, {3, 1024},        {4, 64},     {5, 2147483647}, {6, 65535}, {7, 65535}, {8, 49152},
    {9, 65536}, {10, 32},  {11, 2147483647}, {12, 65536}, {13, 1980000},   {14, 512},  {16, 132},  {19, 1},
    {31, 1},    {32, 1},   {36, 2619000},    {37, 5120},  {38, 52428800},  {39, 2048}, {40, 3},    {41, 1},
    {75, 9},    {76, 0},   {81, 233472},     {82, 65536}, {97, 232448},    {106, 32},
};
API(cuDeviceGetAttribute, int* value, int attribute, int) {
  *value = 0;
  for (const int (&row)[2] : kAttributes)
    if (row[0] == attribute) *value = row[1];
  return kSuccess;
}

// ---- contexts: one, the primary -------------------------------------------------------------------------------------

API(cuDevicePrimaryCtxRetain, Handle* context, int) {
  return initialized ? (*context = &the_context, kSuccess) : kNotInitialized;
}
API(cuDevicePrimaryCtxRelease_v2, int) { return kSuccess; }
API(cuDevicePrimaryCtxReset_v2, int) { return kSuccess; }
API(cuDevicePrimaryCtxSetFlags_v2, int, unsigned) { return kSuccess; }
API(cuDevicePrimaryCtxGetState, int, unsigned* flags, int* active) { return *flags = 0, *active = 1, kSuccess; }
API(cuCtxCreate_v4, Handle* context, Handle, unsigned, int) {
  return contexts.push_back(&the_context), *context = &the_context, kSuccess;
}
API(cuCtxDestroy_v2, Handle) { return kSuccess; }
API(cuCtxAttach, Handle* context, unsigned) { return *context = &the_context, kSuccess; }
API(cuCtxDetach, Handle) { return kSuccess; }
API(cuCtxPushCurrent_v2, Handle context) { return contexts.push_back(context), kSuccess; }
API(cuCtxPopCurrent_v2, Handle* context) {
  if (contexts.empty()) return kInvalidContext;
  if (context) *context = contexts.back();
  return contexts.pop_back(), kSuccess;
}
API(cuCtxSetCurrent, Handle context) {
  if (!contexts.empty()) contexts.pop_back();
  if (context) contexts.push_back(context);
  return kSuccess;
}
API(cuCtxGetCurrent, Handle* context) { return *context = contexts.empty() ? nullptr : contexts.back(), kSuccess; }
API(cuCtxGetDevice, int* device) { return contexts.empty() ? kInvalidContext : (*device = 0, kSuccess); }
API(cuCtxSynchronize) {
  WORKING;
  if (Result r = forbidden_in_capture()) return r;
  return run_everything(true);
}
