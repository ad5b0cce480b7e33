/** What no text of a device may have is the same by every way to it. */
export { makeInert } from '@pult/link';
