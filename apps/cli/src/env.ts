/** The variables that the command line was started with. */
export type Env = Readonly<Record<string, string | undefined>>;
