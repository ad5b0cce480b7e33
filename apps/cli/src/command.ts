import type { Env } from './env.ts';
import type { Server } from './server.ts';

interface Option {
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
  env: Env;
  /** Of what others have written it gets only what is plain, but for bytes that are meant for a file. */
  write(text: string | Uint8Array): void;
  note(text: string): void;
  isTerminal: boolean;
  readInput(): Promise<string>;
  /** Whether somebody types what is read. */
  isTyped: boolean;
}

export interface Command {
  name: string;
  usage: string;
  summary: string;
  /** Paragraphs of the help, which `docs/cli.md` repeats. */
  description?: readonly string[];
  examples?: readonly string[];
  options?: readonly Option[];
  /** How many words it takes without those of options: at least, and at most where there is a most. */
  words: readonly [least: number, most?: number];
  /** Words behind `--` are its own. */
  takesRest?: boolean;
  /** All its words go to another program. */
  passesWords?: boolean;
  /** What its first word may be. */
  choices?: readonly string[];
  /** The exit code; undefined is success. */
  run(
    given: Given,
    context: Surroundings & { server(): Server; commands: readonly Command[] },
  ): Promise<number | undefined>;
}

export const jsonOption: Option = { name: 'json', text: 'Answer in JSON' };
/** Of a command that writes JSON anyhow, so that a script may ask all of them alike. */
export const jsonAnyhowOption: Option = { name: 'json', text: 'Refusals in JSON, too' };
