import type { BackupProgress } from '../features/backups/index.ts';

const everyMs = 1_000;
const megabyte = 1_000_000;

/** On standard error: one line that changes on a terminal, otherwise a line for each tenth. */
export function showProgress(): { show(progress: BackupProgress): void; end(): void } {
  const { stderr } = process;
  let shownAt = 0;
  let shownTenth = 0;
  let isOpen = false;
  return {
    show({ readBytes, expectedBytes }) {
      const now = performance.now();
      const percent = expectedBytes === 0 ? 0 : Math.floor((100 * readBytes) / expectedBytes);
      const tenth = Math.floor(percent / 10);
      if (stderr.isTTY ? now - shownAt < everyMs : tenth <= shownTenth) return;
      shownAt = now;
      shownTenth = tenth;
      const text = `${percent} % of about ${Math.ceil(expectedBytes / megabyte)} MB`;
      stderr.write(stderr.isTTY ? `\r${text}` : `${text}\n`);
      isOpen = stderr.isTTY;
    },
    end() {
      if (isOpen) stderr.write('\n');
      isOpen = false;
    },
  };
}
