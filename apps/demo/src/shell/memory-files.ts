import { posix } from 'node:path';

export type FileFailure = 'not_found' | 'exists' | 'not_a_folder' | 'not_a_file' | 'not_empty' | 'no_space';

export class FileRefused extends Error {
  readonly reason: FileFailure;
  constructor(reason: FileFailure) {
    super(reason);
    this.reason = reason;
  }
}

interface Folder {
  kind: 'folder';
  modified: Date;
  entries: Map<string, Entry>;
}
interface File {
  kind: 'file';
  modified: Date;
  mode: number;
  /** May be longer than the file: it grows by doubling. */
  data: Buffer;
  size: number;
  /** Removed, while somebody may still hold it open. */
  isGone: boolean;
}
export type Entry = Folder | File;

/** What all files of one controller may take: anyone may write to them. */
const spaceBytes = 8 * 1024 * 1024;
const maxEntries = 500;

/** Files that are in memory alone: no file of the machine is behind them, and they are gone with the program. */
export class MemoryFiles {
  readonly #root: Folder = { kind: 'folder', modified: new Date(), entries: new Map() };
  #bytes = 0;
  #count = 0;

  get freeBytes(): number {
    return spaceBytes - this.#bytes;
  }

  /** What a path names; a missing one is refused. */
  find(path: string): Entry {
    let found: Entry = this.#root;
    for (const name of posix.resolve('/', path).split('/').filter(Boolean)) {
      if (found.kind !== 'folder') throw new FileRefused('not_a_folder');
      const next = found.entries.get(name);
      if (!next) throw new FileRefused('not_found');
      found = next;
    }
    return found;
  }

  has(path: string): boolean {
    try {
      return Boolean(this.find(path));
    } catch {
      return false;
    }
  }

  findFolder(path: string): Folder {
    const entry = this.find(path);
    if (entry.kind !== 'folder') throw new FileRefused('not_a_folder');
    return entry;
  }

  findFile(path: string): File {
    const entry = this.find(path);
    if (entry.kind !== 'file') throw new FileRefused('not_a_file');
    return entry;
  }

  readText(path: string): string {
    const { data, size } = this.findFile(path);
    return data.toString('utf8', 0, size);
  }

  /** A file of that text, with the folders on the way to it. */
  writeText(path: string, text: string, modified = new Date()): void {
    const folders = posix.resolve('/', path).split('/').slice(1, -1);
    for (const [depth] of folders.entries()) {
      const folder = `/${folders.slice(0, depth + 1).join('/')}`;
      if (!this.has(folder)) this.makeFolder(folder);
    }
    const file = this.has(path) ? this.findFile(path) : this.makeFile(path);
    this.truncate(file);
    this.write(file, 0, Buffer.from(text));
    file.modified = modified;
  }

  makeFile(path: string, mode = 0o644): File {
    const file: File = {
      kind: 'file',
      modified: new Date(),
      mode,
      data: Buffer.alloc(0),
      size: 0,
      isGone: false,
    };
    this.#add(path, file);
    return file;
  }

  makeFolder(path: string): void {
    this.#add(path, { kind: 'folder', modified: new Date(), entries: new Map() });
  }

  write(file: File, offset: number, bytes: Buffer): void {
    if (file.isGone) throw new FileRefused('not_found');
    const size = Math.max(file.size, offset + bytes.length);
    if (size - file.size > this.freeBytes) throw new FileRefused('no_space');
    if (size > file.data.length) {
      const grown = Buffer.alloc(Math.max(size, file.data.length * 2));
      file.data.copy(grown, 0, 0, file.size);
      file.data = grown;
    }
    bytes.copy(file.data, offset);
    this.#bytes += size - file.size;
    file.size = size;
    file.modified = new Date();
  }

  truncate(file: File): void {
    this.#bytes -= file.size;
    Object.assign(file, { data: Buffer.alloc(0), size: 0, modified: new Date() });
  }

  removeFile(path: string): void {
    const file = this.findFile(path);
    this.truncate(file);
    file.isGone = true;
    this.#take(path);
    this.#count -= 1;
  }

  removeFolder(path: string): void {
    if (this.findFolder(path).entries.size > 0) throw new FileRefused('not_empty');
    this.#take(path);
    this.#count -= 1;
  }

  /** What stands at `to` already is kept, and the move refused. */
  rename(from: string, to: string): void {
    if (this.has(to)) throw new FileRefused('exists');
    // A folder has no place inside itself.
    if (`${posix.resolve('/', to)}/`.startsWith(`${posix.resolve('/', from)}/`))
      throw new FileRefused('exists');
    this.findFolder(posix.dirname(posix.resolve('/', to)));
    const entry = this.find(from);
    this.#take(from);
    this.#count -= 1;
    this.#add(to, entry);
  }

  #add(path: string, entry: Entry): void {
    const full = posix.resolve('/', path);
    if (this.has(full)) throw new FileRefused('exists');
    if (this.#count >= maxEntries) throw new FileRefused('no_space');
    const folder = this.findFolder(posix.dirname(full));
    folder.entries.set(posix.basename(full), entry);
    folder.modified = new Date();
    this.#count += 1;
  }

  #take(path: string): void {
    const full = posix.resolve('/', path);
    if (full === '/') throw new FileRefused('not_a_file');
    const folder = this.findFolder(posix.dirname(full));
    folder.entries.delete(posix.basename(full));
    folder.modified = new Date();
  }
}
