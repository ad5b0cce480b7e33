import type { Server } from './server.ts';

export interface Option {
  name: string;
  short?: string;
  /** What its value is called; a switch has none. */
  value?: string;
  text: string;
}

export interface Given {
  positionals: string[];
  values: Readonly<Record<string, string | undefined>>;
  switches: ReadonlySet<string>;
}

/** Where a command reads and writes; tests give their own. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  write(text: string): void;
  note(text: string): void;
  readInput(): Promise<string>;
}

export interface Command {
  name: string;
  usage: string;
  summary: string;
  /** Paragraphs of the help, which `docs/cli.md` repeats. */
  description?: readonly string[];
  examples?: readonly string[];
  options?: readonly Option[];
  /** Words behind `--` are its own. */
  takesRest?: boolean;
  /** The exit code; undefined is success. */
  run(given: Given, context: Surroundings & { server(): Server }): Promise<number | undefined>;
}

export const jsonOption: Option = { name: 'json', text: 'Answer in JSON' };
