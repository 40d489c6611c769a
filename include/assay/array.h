/* An array whose size the compiler knows. */
#ifndef ASSAY_ARRAY_H
#define ASSAY_ARRAY_H

/* Its elements. Not for a pointer: gcc and clang warn of that. */
#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

#endif
