import { posix } from 'node:path';
import type { Attributes, FileEntry, SFTPWrapper } from 'ssh2';
import ssh2 from 'ssh2';
import { home } from './demo-files.ts';
import { modeOf, sizeOf, writeLongLine } from './list-entries.ts';
import { type Entry, type FileFailure, FileRefused, type MemoryFiles } from './memory-files.ts';

const { STATUS_CODE, OPEN_MODE } = ssh2.utils.sftp;
/** What one session may hold open at once. */
const maxHandles = 64;

type Handle =
  | { kind: 'file'; entry: ReturnType<MemoryFiles['findFile']>; isAppending: boolean }
  | { kind: 'folder'; entries: FileEntry[] };

/** Version 3 of the protocol, which OpenSSH speaks, has few codes: the text says the rest. */
const refusals: Record<FileFailure, { code: number; text: string }> = {
  not_found: { code: STATUS_CODE.NO_SUCH_FILE, text: 'No such file' },
  exists: { code: STATUS_CODE.FAILURE, text: 'File exists' },
  not_a_folder: { code: STATUS_CODE.FAILURE, text: 'Not a directory' },
  not_a_file: { code: STATUS_CODE.FAILURE, text: 'Not a file' },
  not_empty: { code: STATUS_CODE.FAILURE, text: 'Directory not empty' },
  no_space: { code: STATUS_CODE.FAILURE, text: 'No space left on device' },
};

function describe(entry: Entry): Attributes {
  const seconds = Math.floor(entry.modified.getTime() / 1000);
  return { mode: modeOf(entry), uid: 0, gid: 0, size: sizeOf(entry), atime: seconds, mtime: seconds };
}

function describeAs(filename: string, entry: Entry): FileEntry {
  return { filename, longname: writeLongLine(filename, entry), attrs: describe(entry) };
}

/** Exit status 0, which ssh2 has no method for where the channel is one of SFTP. */
function endWell(sftp: SFTPWrapper): void {
  // The types leave out what every channel of ssh2 has.
  const { _protocol, outgoing } = sftp as unknown as {
    _protocol: { exitStatus(channel: number, code: number): void };
    outgoing: { id: number };
  };
  _protocol.exitStatus(outgoing.id, 0);
}

/** Serves files that are in memory over SFTP (draft-ietf-secsh-filexfer-02). */
export function serveSftp(sftp: SFTPWrapper, files: MemoryFiles): void {
  const handles = new Map<number, Handle>();
  let count = 0;
  const at = (path: string) => posix.resolve(home, path);
  const open = (id: number, handle: Handle) => {
    if (handles.size >= maxHandles) throw new FileRefused('no_space');
    count += 1;
    handles.set(count, handle);
    const name = Buffer.alloc(4);
    name.writeUInt32BE(count);
    sftp.handle(id, name);
  };
  const numberOf = (handle: Buffer) => (handle.length === 4 ? handle.readUInt32BE() : 0);
  const findHandle = (handle: Buffer) => {
    const found = handles.get(numberOf(handle));
    if (!found) throw new FileRefused('not_found');
    return found;
  };
  const findFile = (handle: Buffer) => {
    const found = findHandle(handle);
    if (found.kind !== 'file') throw new FileRefused('not_a_file');
    return found;
  };
  const done = (id: number) => sftp.status(id, STATUS_CODE.OK);
  /** Answers a refusal by its code; anything else is a fault of ours. */
  const attempt = (id: number, work: () => void) => {
    try {
      work();
    } catch (error) {
      const refusal = error instanceof FileRefused ? refusals[error.reason] : undefined;
      sftp.status(id, refusal?.code ?? STATUS_CODE.FAILURE, refusal?.text);
    }
  };
  const setMode = (path: string, { mode }: Attributes) => {
    const entry = files.find(path);
    if (mode !== undefined && entry.kind === 'file') entry.mode = mode & 0o777;
  };

  // A client that has nothing more to say waits for the end of the channel, and `scp` for how it went.
  sftp.on('end', () => {
    endWell(sftp);
    sftp.end();
  });
  sftp.on('REALPATH', (id, path) => {
    const full = at(path);
    sftp.name(id, [{ filename: full, longname: full, attrs: {} as Attributes }]);
  });
  for (const event of ['STAT', 'LSTAT'] as const) {
    sftp.on(event, (id: number, path: string) =>
      attempt(id, () => sftp.attrs(id, describe(files.find(at(path))))),
    );
  }
  sftp.on('FSTAT', (id, handle) => attempt(id, () => sftp.attrs(id, describe(findFile(handle).entry))));
  sftp.on('SETSTAT', (id, path, attributes) =>
    attempt(id, () => {
      setMode(at(path), attributes);
      done(id);
    }),
  );
  sftp.on('FSETSTAT', (id, handle, attributes) =>
    attempt(id, () => {
      const { entry } = findFile(handle);
      if (attributes.mode !== undefined) entry.mode = attributes.mode & 0o777;
      done(id);
    }),
  );
  sftp.on('OPENDIR', (id, path) =>
    attempt(id, () => {
      const folder = files.findFolder(at(path));
      const own = [describeAs('.', folder), describeAs('..', folder)];
      const entries = [...folder.entries].map(([name, entry]) => describeAs(name, entry));
      open(id, { kind: 'folder', entries: [...own, ...entries] });
    }),
  );
  sftp.on('READDIR', (id, handle) =>
    attempt(id, () => {
      const found = findHandle(handle);
      if (found.kind !== 'folder') throw new FileRefused('not_a_folder');
      const entries = found.entries.splice(0, 100);
      if (entries.length > 0) sftp.name(id, entries);
      else sftp.status(id, STATUS_CODE.EOF);
    }),
  );
  sftp.on('OPEN', (id, path, flags, attributes) =>
    attempt(id, () => {
      const full = at(path);
      const isThere = files.has(full);
      if (isThere && flags & OPEN_MODE.CREAT && flags & OPEN_MODE.EXCL) throw new FileRefused('exists');
      const mode = attributes.mode === undefined ? 0o644 : attributes.mode & 0o777;
      const entry = isThere || !(flags & OPEN_MODE.CREAT) ? files.findFile(full) : files.makeFile(full, mode);
      if (flags & OPEN_MODE.TRUNC) files.truncate(entry);
      open(id, { kind: 'file', entry, isAppending: Boolean(flags & OPEN_MODE.APPEND) });
    }),
  );
  sftp.on('READ', (id, handle, offset, length) =>
    attempt(id, () => {
      const { entry } = findFile(handle);
      if (offset >= entry.size) sftp.status(id, STATUS_CODE.EOF);
      else sftp.data(id, entry.data.subarray(offset, Math.min(entry.size, offset + length)));
    }),
  );
  sftp.on('WRITE', (id, handle, offset, data) =>
    attempt(id, () => {
      const { entry, isAppending } = findFile(handle);
      files.write(entry, isAppending ? entry.size : offset, data);
      done(id);
    }),
  );
  sftp.on('CLOSE', (id, handle) => {
    handles.delete(numberOf(handle));
    done(id);
  });
  const change = (event: 'REMOVE' | 'RMDIR' | 'MKDIR', work: (path: string) => void) =>
    sftp.on(event as 'REMOVE', (id, path) =>
      attempt(id, () => {
        work(at(path));
        done(id);
      }),
    );
  change('REMOVE', (path) => files.removeFile(path));
  change('RMDIR', (path) => files.removeFolder(path));
  change('MKDIR', (path) => files.makeFolder(path));
  sftp.on('RENAME', (id, from, to) =>
    attempt(id, () => {
      files.rename(at(from), at(to));
      done(id);
    }),
  );
}
