import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Absolute path of something in the repository. */
export function repositoryPath(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}

/** The same for a build result, with a message that says what to do when there is none. */
export function builtPath(path: string): string {
  const absolute = repositoryPath(path);
  if (!existsSync(absolute)) throw new Error(`${path} is missing: run "npm run build" first`);
  return absolute;
}
