import type { Connection, ServerChannel } from 'ssh2';
import { describeState, nothingForwarded, type ToldState } from './ssh-texts.ts';

/** Somebody looks at the device's own terminal: more than one is nobody. */
const maxSessions = 2;

export interface DeviceTerminal {
  /** Tells those who look what the device is now; false where nobody does. */
  tell(state: ToldState): boolean;
}

/**
 * A device that asks for a shell or a command is told what it is, and nothing can be typed. A shell stays open, since
 * OpenSSH would end with it and take the forwards along; a command, whichever it is, ends after the text.
 */
export function serveTerminal(
  connection: Connection,
  { getState, hasForwards }: { getState: () => ToldState; hasForwards: () => boolean },
): DeviceTerminal {
  const shells = new Set<(text: string) => void>();
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
    session.on('pty', (acceptPty) => {
      lineEnd = '\r\n';
      acceptPty?.();
    });
    const answer = (acceptChannel: () => ServerChannel, isShell: boolean) => {
      if (isAnswered) return;
      isAnswered = true;
      const channel = acceptChannel();
      channel.on('error', () => {});
      // Whatever is typed is taken and thrown away.
      channel.resume();
      const write = (text: string) => void channel.write(text.replaceAll('\n', lineEnd));
      write(describeState(getState()));
      if (isShell && hasForwards()) {
        shells.add(write);
        channel.on('close', () => shells.delete(write));
        return;
      }
      if (isShell) write(nothingForwarded);
      channel.exit(isShell ? 1 : 0);
      channel.end();
    };
    session.on('shell', (acceptChannel) => answer(acceptChannel, true));
    session.on('exec', (acceptChannel) => answer(acceptChannel, false));
  });

  return {
    tell(state) {
      for (const write of shells) write(describeState(state));
      return shells.size > 0;
    },
  };
}
