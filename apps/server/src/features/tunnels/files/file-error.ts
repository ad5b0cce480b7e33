import type { FileFailure } from '@pult/contract';
import ssh2 from 'ssh2';
import { SshFailure } from '../ssh/ssh-failure.ts';

/** Why something with a file of the device came to nothing. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly code: FileFailure;

  constructor(code: FileFailure) {
    super(code);
    this.code = code;
  }
}

const { STATUS_CODE } = ssh2.utils.sftp;

const byStatus: Readonly<Record<number, FileFailure>> = {
  [STATUS_CODE.NO_SUCH_FILE]: 'not_found',
  [STATUS_CODE.PERMISSION_DENIED]: 'permission_denied',
  [STATUS_CODE.NO_CONNECTION]: 'connection_lost',
  [STATUS_CODE.CONNECTION_LOST]: 'connection_lost',
};

export function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;
}

/** What a page is told; the device's own words, often just "Failure", say nothing to anyone. */
export function failureOf(error: unknown): FileFailure {
  if (error instanceof FileError) return error.code;
  if (error instanceof SshFailure) return error.code === 'sftp_unavailable' ? error.code : 'connection_lost';
  const status = statusOf(error);
  // Without a status it is no answer of the device: the channel has gone.
  return status === undefined ? 'connection_lost' : (byStatus[status] ?? 'failed');
}
