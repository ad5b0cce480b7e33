import { formatText, type Locale } from '@pult/contract';
import type { Connection } from 'ssh2';
import { noShell } from './jump-texts.ts';

/** More than one at a time is nobody who looks for a shell. */
const maxSessions = 4;

/** Answers whoever asks the jump host itself for a shell or a command: one line, and the end. */
export function refuseShells(
  connection: Connection,
  { locale, values }: { locale: Locale; values: Readonly<Record<string, string>> },
): void {
  const text = `${formatText(noShell, locale, values)}\r\n`;
  let open = 0;
  connection.on('session', (accept, reject) => {
    if (open >= maxSessions) return reject();
    open += 1;
    const session = accept();
    session.on('close', () => {
      open -= 1;
    });
    // A client that is refused its terminal says so, in words that explain nothing.
    session.on('pty', (acceptPty) => acceptPty?.());
    const answer = (acceptChannel: () => import('ssh2').ServerChannel) => {
      const channel = acceptChannel();
      channel.on('error', () => {});
      channel.resume();
      channel.stderr.write(text, () => {
        channel.exit(1);
        channel.end();
      });
    };
    session.on('shell', answer);
    session.on('exec', answer);
  });
}
