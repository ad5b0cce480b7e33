import type { TerminalClientMessage } from '@pult/contract';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { openTerminalSession, type TerminalSession } from './terminal-session.ts';
import { initialTerminalState, reduceTerminal } from './terminal-state.ts';

type Start = Extract<TerminalClientMessage, { type: 'start' }>;
export type TerminalLogin = Pick<Start, 'username' | 'credential' | 'oldAlgorithms'>;
export type TerminalSize = Pick<Start, 'columns' | 'rows'>;

interface Options {
  /** Resolves to the single-use key of a new tunnel. */
  openTunnel: () => Promise<string>;
  /** Why `openTunnel` was rejected, in the user's language. */
  describeError: (error: unknown) => Promise<string>;
  size: () => TerminalSize;
  createSocket?: (() => WebSocket) | undefined;
  onBytes: (bytes: Uint8Array, ack: () => void) => void;
  /** A new shell takes the place of the one that ended, before anything it writes. */
  onReturned: () => void;
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

  const open = useCallback((tunnelKey: string, chosen: TerminalLogin, isReturn: boolean) => {
    session.current = openTerminalSession(
      { type: 'start', tunnelKey, ...chosen, ...latest.current.size() },
      {
        onMessage: (message) => {
          if (isReturn && message.type === 'ready') latest.current.onReturned();
          dispatch({ type: 'server', message });
        },
        onBytes: (bytes, ack) => latest.current.onBytes(bytes, ack),
        onLost: (until) => dispatch({ type: 'lost', until }),
        onResumed: () => dispatch({ type: 'resumed' }),
        onControllerLost: (until) => dispatch({ type: 'controller-lost', until }),
        onControllerBack: () => dispatch({ type: 'controller-back' }),
        onDropped: () => dispatch({ type: 'dropped' }),
      },
      latest.current.createSocket,
    );
  }, []);

  const start = useCallback(
    async (asked: TerminalLogin) => {
      leave();
      const mine = attempt.current;
      // What was taken once is not asked for again, as after a mistyped password.
      const oldAlgorithms = asked.oldAlgorithms ?? login.current?.oldAlgorithms;
      const chosen = oldAlgorithms ? { ...asked, oldAlgorithms } : asked;
      login.current = chosen;
      dispatch({ type: 'start' });
      try {
        const tunnelKey = await latest.current.openTunnel();
        if (mine === attempt.current) open(tunnelKey, chosen, false);
      } catch (error) {
        const detail = await latest.current.describeError(error);
        if (mine === attempt.current) dispatch({ type: 'refused', detail });
      }
    },
    [leave, open],
  );

  /** The last login once more, by these old algorithms too. */
  const acceptOld = useCallback(
    (algorithms: string[]) => {
      const { current: chosen } = login;
      if (!chosen) return;
      const oldAlgorithms = [...new Set([...(chosen.oldAlgorithms ?? []), ...algorithms])];
      void start({ ...chosen, oldAlgorithms });
    },
    [start],
  );

  /** Logs in again behind the last screen of a shell that ended; what does not come about changes nothing. */
  const comeBack = useCallback(async () => {
    const chosen = login.current;
    if (!chosen) return;
    leave();
    const mine = attempt.current;
    const tunnelKey = await latest.current.openTunnel().catch(() => undefined);
    if (tunnelKey === undefined || mine !== attempt.current) return;
    dispatch({ type: 'return' });
    open(tunnelKey, chosen, true);
  }, [leave, open]);

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

  return { state, tryNow, start, acceptOld, reconnect, comeBack, editLogin, answer, resize, sendBytes };
}
