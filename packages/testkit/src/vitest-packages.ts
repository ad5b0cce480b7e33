import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the first test file of this run that wants them makes what `npm run package` makes. */
    packagesFolder: string;
  }
}

/** Vitest's global set-up: the folder alone, because making packages takes long and few runs want them. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-packages-'));
  project.provide('packagesFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}
