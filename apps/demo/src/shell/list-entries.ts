import type { Entry } from './memory-files.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const halfYear = 182 * 24 * 3600_000;
const folderSize = 4096;

/** The type and permission bits of stat(2). */
export function modeOf(entry: Entry): number {
  return entry.kind === 'folder' ? 0o040755 : 0o100000 | (entry.mode & 0o777);
}

function writeMode(mode: number): string {
  const bits = [...(mode & 0o777).toString(2).padStart(9, '0')];
  return bits.map((bit, index) => (bit === '1' ? 'rwx'.charAt(index % 3) : '-')).join('');
}

/** As `ls -l` writes it: what is older than half a year has its year instead of the time. */
function writeDate(date: Date, now: Date): string {
  const day = `${months[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)}`;
  const isOld = now.getTime() - date.getTime() > halfYear;
  return isOld ? `${day}  ${date.getUTCFullYear()}` : `${day} ${date.toISOString().slice(11, 16)}`;
}

export const sizeOf = (entry: Entry) => (entry.kind === 'folder' ? folderSize : entry.size);

/** A line of `ls -l`; SFTP wants one of each file, too. */
export function writeLongLine(name: string, entry: Entry, { width = 8, now = new Date() } = {}): string {
  const links = entry.kind === 'folder' ? 2 : 1;
  const type = entry.kind === 'folder' ? 'd' : '-';
  const size = String(sizeOf(entry)).padStart(width);
  return `${type}${writeMode(modeOf(entry))} ${links} demo demo ${size} ${writeDate(entry.modified, now)} ${name}`;
}
