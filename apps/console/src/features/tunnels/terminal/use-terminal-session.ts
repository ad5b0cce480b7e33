import type { TerminalClientMessage } from '@pult/contract';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { openTerminalSession, type TerminalSession } from './terminal-session.ts';
import { initialTerminalState, reduceTerminal } from './terminal-state.ts';

type Start = Extract<TerminalClientMessage, { type: 'start' }>;
export type TerminalLogin = Pick<Start, 'username' | 'credential'>;
export type TerminalSize = Pick<Start, 'columns' | 'rows'>;

interface Options {
  /** Resolves to the single-use key of a new tunnel. */
  openTunnel: () => Promise<string>;
  /** Why `openTunnel` was rejected, in the user's language. */
  describeError: (error: unknown) => Promise<string>;
  size: () => TerminalSize;
  onBytes: (bytes: Uint8Array, ack: () => void) => void;
}

/** A shell on a controller, one at a time: starting again or leaving the page ends the one before. */
export function useTerminalSession(options: Options) {
  const [state, dispatch] = useReducer(reduceTerminal, initialTerminalState);
  const latest = useRef(options);
  latest.current = options;
  const session = useRef<TerminalSession | undefined>(undefined);
  /** In this page's memory alone, for one-click reconnection; never in any storage. */
  const login = useRef<TerminalLogin | undefined>(undefined);
  // Counts starts: an answer to an earlier one must not touch the present.
  const attempt = useRef(0);

  const leave = useCallback(() => {
    attempt.current += 1;
    session.current?.close();
    session.current = undefined;
  }, []);
  useEffect(() => leave, [leave]);

  const start = useCallback(
    async (chosen: TerminalLogin) => {
      leave();
      const mine = attempt.current;
      login.current = chosen;
      dispatch({ type: 'start' });
      try {
        const tunnelKey = await latest.current.openTunnel();
        if (mine !== attempt.current) return;
        session.current = openTerminalSession(
          { type: 'start', tunnelKey, ...chosen, ...latest.current.size() },
          {
            onMessage: (message) => dispatch({ type: 'server', message }),
            onBytes: (bytes, ack) => latest.current.onBytes(bytes, ack),
            onLost: (until) => dispatch({ type: 'lost', until }),
            onResumed: () => dispatch({ type: 'resumed' }),
            onDropped: () => dispatch({ type: 'dropped' }),
          },
        );
      } catch (error) {
        const detail = await latest.current.describeError(error);
        if (mine === attempt.current) dispatch({ type: 'refused', detail });
      }
    },
    [leave],
  );

  const reconnect = useCallback(() => {
    if (login.current) void start(login.current);
    else dispatch({ type: 'edit-login' });
  }, [start]);

  const editLogin = useCallback(() => {
    leave();
    login.current = undefined;
    dispatch({ type: 'edit-login' });
  }, [leave]);

  const answer = useCallback((answers: string[]) => {
    session.current?.answer(answers);
    dispatch({ type: 'answered' });
  }, []);
  const resize = useCallback((size: TerminalSize) => session.current?.resize(size), []);
  const sendBytes = useCallback((bytes: Uint8Array<ArrayBuffer>) => session.current?.sendBytes(bytes), []);
  const tryNow = useCallback(() => session.current?.tryNow(), []);

  return { state, tryNow, start, reconnect, editLogin, answer, resize, sendBytes };
}
