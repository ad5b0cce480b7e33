/** What goes first; a stream that has sent much becomes `bulk`, whatever it was opened as. */
export const priorities = { shell: 0, page: 1, bulk: 2, telemetry: 3 } as const;
export type Priority = (typeof priorities)[keyof typeof priorities];
