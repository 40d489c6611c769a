/* What every unit test begins with: cmocka, in the order that it wants. */
#ifndef ASSAY_TEST_H
#define ASSAY_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/array.h"

#endif
