import { compareReleases } from '../../../platform/compare-versions.ts';
import { BackupError } from '../format/entry.ts';
import type { Header } from '../format/manifest.ts';

/** Throws where the backup is of a newer Pult, which may keep what this one does not know. */
export function assertNotNewer(header: Header, version: string): void {
  if (compareReleases(header.version, version) > 0) {
    throw new BackupError(
      `The backup was made by Pult ${header.version}, and this is ${version}. Install ${header.version} or a newer one to use it.`,
    );
  }
}
