import type { ConnectionHandle } from '../../../platform/connection-handle.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import { createSecretToken, hashToken } from '../../../platform/ids.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';
import type { TerminalSession } from './terminal-session.ts';

export interface RunningTerminal {
  session: TerminalSession;
  access: TunnelAccess;
  /** Where it was opened from. */
  address: string;
  /** Also of what goes over its login beside the shell. */
  count: ConnectionHandle['count'];
}

/** Shells that have lost their page and wait for it. One more ends the one that has waited longest. */
export interface DetachedLimits {
  perUser: number;
  inAll: number;
}

/** Every open terminal, by the token with which its page continues it. */
export interface TerminalSessions {
  /** Returns the token, which is kept as its hash alone. */
  add(terminal: RunningTerminal): string;
  /** Of this very login session; what another one asks for is not there. */
  find(token: string, principal: Principal): RunningTerminal | undefined;
  remove(session: TerminalSession): void;
  detached(session: TerminalSession): void;
  attached(session: TerminalSession): void;
}

export function createTerminalSessions(
  limits: DetachedLimits = { perUser: 10, inAll: 200 },
): TerminalSessions {
  const byHash = new Map<string, RunningTerminal>();
  const hashes = new Map<TerminalSession, string>();
  /** In the order in which they began to wait. */
  const waiting = new Set<RunningTerminal>();

  const running = (session: TerminalSession) => byHash.get(hashes.get(session) ?? '');

  return {
    add(terminal) {
      const token = createSecretToken();
      const hash = hashToken(token).toString('hex');
      byHash.set(hash, terminal);
      hashes.set(terminal.session, hash);
      return token;
    },
    find(token, { sessionId, userId }) {
      const terminal = byHash.get(hashToken(token).toString('hex'));
      const isOwn = terminal?.access.sessionId === sessionId && terminal.access.userId === userId;
      return isOwn ? terminal : undefined;
    },
    remove(session) {
      const terminal = running(session);
      if (terminal) waiting.delete(terminal);
      byHash.delete(hashes.get(session) ?? '');
      hashes.delete(session);
    },
    attached(session) {
      const terminal = running(session);
      if (terminal) waiting.delete(terminal);
    },
    detached(session) {
      const terminal = running(session);
      if (!terminal) return;
      waiting.delete(terminal);
      waiting.add(terminal);
      const own = [...waiting].filter(({ access }) => access.userId === terminal.access.userId);
      if (own.length > limits.perUser) own[0]?.session.cut();
      if (waiting.size > limits.inAll) [...waiting][0]?.session.cut();
    },
  };
}
