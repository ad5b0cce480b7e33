import type { Command } from '../command.ts';
import * as all from './all.ts';

/** By name. A file of this folder exports its commands and nothing else; `npm run docs` lists the files. */
export const commands: readonly Command[] = Object.values<Command>(all).sort((one, other) =>
  one.name < other.name ? -1 : 1,
);
