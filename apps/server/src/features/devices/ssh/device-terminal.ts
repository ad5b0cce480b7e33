import { canShowQrCodes, type TerminalVariables } from '@pult/link/terminal-qr';
import type { Connection, ServerChannel } from 'ssh2';
import { describeState, nothingForwarded, type ToldState } from './ssh-texts.ts';

/** Somebody looks at the device's own terminal: more than one is nobody. */
const maxSessions = 2;

/** What the installation script asks for where it writes to a terminal with UTF-8: with the columns of that. */
const linkCommand = /^link ([1-9]\d{0,3})$/;

/** Those of a terminal; clients send others as well. */
const variableNames = ['LC_ALL', 'LC_CTYPE', 'LANG', 'TERM'];

export interface DeviceTerminal {
  /** Tells those who look what the device is now; false where nobody does. */
  tell(state: ToldState): boolean;
}

/**
 * A device that asks for a shell or a command is told what it is, and nothing can be typed. A shell stays open, since
 * OpenSSH would end with it and take the forwards along; a command, whichever it is, ends after the text. Who has a terminal
 * for it, and says so, is shown the link as a QR code as well.
 */
export function serveTerminal(
  connection: Connection,
  { getState, hasForwards }: { getState: () => ToldState; hasForwards: () => boolean },
): DeviceTerminal {
  const shells = new Set<(state: ToldState) => void>();
  let sessions = 0;

  connection.on('session', (accept, reject) => {
    if (sessions >= maxSessions) return reject();
    sessions += 1;
    const session = accept();
    let isAnswered = false;
    session.on('close', () => {
      sessions -= 1;
    });
    let lineEnd = '\n';
    let columns = 0;
    const variables: TerminalVariables = {};
    session.on('env', (acceptVariable, _, { key, val }) => {
      if (variableNames.includes(key)) variables[key] = val;
      acceptVariable?.();
    });
    session.on('pty', (acceptPty, _, terminal) => {
      lineEnd = '\r\n';
      columns = terminal.cols;
      // What ssh2 hands over, and its types do not know.
      if ('term' in terminal && typeof terminal.term === 'string') variables.TERM = terminal.term;
      acceptPty?.();
    });
    const answer = (acceptChannel: () => ServerChannel, isShell: boolean, utf8Columns: number) => {
      if (isAnswered) return;
      isAnswered = true;
      const channel = acceptChannel();
      channel.on('error', () => {});
      // Whatever is typed is taken and thrown away.
      channel.resume();
      const write = (text: string) => void channel.write(text.replaceAll('\n', lineEnd));
      const show = (state: ToldState) => write(describeState(state, utf8Columns));
      show(getState());
      if (isShell && hasForwards()) {
        shells.add(show);
        channel.on('close', () => shells.delete(show));
        return;
      }
      if (isShell) write(nothingForwarded);
      channel.exit(isShell ? 1 : 0);
      channel.end();
    };
    session.on('shell', (acceptChannel) =>
      answer(acceptChannel, true, canShowQrCodes(variables) ? columns : 0),
    );
    session.on('exec', (acceptChannel, _, { command }) =>
      answer(acceptChannel, false, Number(linkCommand.exec(command)?.[1] ?? 0)),
    );
  });

  return {
    tell(state) {
      for (const show of shells) show(state);
      return shells.size > 0;
    },
  };
}
