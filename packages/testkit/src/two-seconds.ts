/**
 * The two seconds within which what rests on an access ends with it, as tests ask for them, in milliseconds: other tests of the
 * same run may hold the machine for as long again. What misses the end of the access, and each second's look after it, ends never.
 */
export const twoSeconds = 5_000;
