import { accessSync, constants, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from './atomic-file.ts';
import { PlainError } from './plain-error.ts';

/** JSON files in the folder that holds all the agent remembers. */
export interface StateDir {
  readonly path: string;
  /** Undefined when there is none or it is broken. */
  read(name: string): unknown;
  write(name: string, value: unknown): void;
  remove(name: string): void;
}

/** Makes the folder when it is missing. Throws `PlainError` when the agent may not write there. */
export function openStateDir(path: string): StateDir {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new PlainError(`state folder ${path} cannot be used (${code}); choose another by --state-dir`);
  }
  return {
    path,
    read(name) {
      try {
        return JSON.parse(readFileSync(join(path, name), 'utf8'));
      } catch {
        return undefined;
      }
    },
    write: (name, value) => writeFileAtomic(join(path, name), `${JSON.stringify(value, null, 2)}\n`),
    remove: (name) => rmSync(join(path, name), { force: true }),
  };
}
