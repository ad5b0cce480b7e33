import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { judgeRoom, measureDisk } from '../../platform/disk-space.ts';
import type { DoctorCheck } from '../doctor.ts';
import { describeError, type Finding, fail, ok, warn } from '../finding.ts';

const gigabyte = 2 ** 30;
const action =
  'Make room on this file system, give it more, or shorten METRICS_RETENTION_DAYS and DIAGNOSTICS_RETENTION_DAYS.';

/** Room for DATA_DIR, in bytes and in files, and whether it may be written. */
export const disk: DoctorCheck = {
  name: 'disk',
  async run({ config }) {
    const { dir } = config.data;
    const space = await measureDisk(dir);
    const { bytes, availableBytes, files, availableFiles } = space;
    const text = `${(availableBytes / gigabyte).toFixed(1)} GiB of ${(bytes / gigabyte).toFixed(1)} GiB are free at ${dir}`;
    const findings: Finding[] = [await findAccess(dir)];
    const room = judgeRoom(space);
    findings.push(room === 'ok' ? ok(text) : { status: room, text, action });
    if (files > 0) {
      const left = `${availableFiles} of ${files} files may still be made there`;
      const few = 'Look for folders of many small files (df -i), and remove what is not needed.';
      if (availableFiles < 1_000) findings.push(fail(left, few));
      else findings.push(availableFiles / files < 0.05 ? warn(left, few) : ok(left));
    }
    return findings;
  },
};

async function findAccess(folder: string, asked = folder): Promise<Finding> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return ok(folder === asked ? `${asked} can be written` : `${asked} is made at the first start`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // of the file system
    if (code === 'ENOENT' && dirname(folder) !== folder) return findAccess(dirname(folder), asked);
    return fail(
      `${folder} cannot be written: ${describeError(error)}`,
      'Let it belong to the user that the server runs as.',
    );
  }
}
