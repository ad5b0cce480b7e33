import type { TerminalNews } from './terminal-session.ts';

type Message<Type extends TerminalNews['type']> = Extract<TerminalNews, { type: Type }>;

/** How a session came to its end. `refused`: the tunnel itself could not be opened, with the server's reason. */
export type TerminalEnd =
  | Message<'exit'>
  | Message<'failed'>
  | { type: 'dropped' }
  | { type: 'refused'; detail: string };

export type TerminalState =
  | { phase: 'form'; end?: TerminalEnd }
  | { phase: 'connecting' }
  | { phase: 'prompt'; prompt: Message<'prompt'> }
  | {
      phase: 'ready';
      hostKeyFingerprint: string;
      hostKeyIsNew: boolean;
      resumeToken: string;
      /** The connection is lost and sought again until then, by Date.now. */
      lostUntil?: number;
      /** The controller is away, and waited for until then, by Date.now. */
      controllerLostUntil?: number;
    }
  /** `isReturning`: a new shell is being opened behind the last screen, which stays until it is there. */
  | { phase: 'ended'; end: TerminalEnd; isReturning?: true };

export type TerminalAction =
  | { type: 'start' }
  | { type: 'return' }
  | { type: 'answered' }
  | { type: 'edit-login' }
  | { type: 'server'; message: TerminalNews }
  | { type: 'lost'; until: number }
  | { type: 'resumed' }
  | { type: 'controller-lost'; until: number }
  | { type: 'controller-back' }
  | { type: 'dropped' }
  | { type: 'refused'; detail: string };

export const initialTerminalState: TerminalState = { phase: 'form' };

const passingFailures: readonly string[] = [
  'controller_offline',
  'node_unreachable',
  'service_refused',
  'ssh_failed',
  'server_stopping',
  'tunnel_ticket_invalid',
];

/** What may be over at the next try. */
function isPassing(reason: TerminalEnd): boolean {
  if (reason.type === 'failed') return passingFailures.includes(reason.code);
  return reason.type === 'dropped' || reason.type === 'exit';
}

/** A failed login goes back to the form; a session that had begun keeps its screen and says how it ended. */
function end(state: TerminalState, reason: TerminalEnd): TerminalState {
  if (state.phase === 'ended' && state.isReturning) {
    // Its link may be back before its SSH server is: it is tried again.
    return isPassing(reason) ? { phase: 'ended', end: state.end } : { phase: 'form', end: reason };
  }
  if (state.phase === 'form' || state.phase === 'ended') return state;
  return state.phase === 'ready' ? { phase: 'ended', end: reason } : { phase: 'form', end: reason };
}

export function reduceTerminal(state: TerminalState, action: TerminalAction): TerminalState {
  switch (action.type) {
    case 'start':
      return { phase: 'connecting' };
    case 'return':
      return state.phase === 'ended' ? { ...state, isReturning: true } : state;
    case 'answered':
      return state.phase === 'prompt' ? { phase: 'connecting' } : state;
    case 'edit-login':
      return { phase: 'form' };
    case 'lost':
      return state.phase === 'ready' ? { ...state, lostUntil: action.until } : state;
    case 'resumed': {
      if (state.phase !== 'ready') return state;
      const { lostUntil: _, ...found } = state;
      return found;
    }
    case 'controller-lost':
      return state.phase === 'ready' ? { ...state, controllerLostUntil: action.until } : state;
    case 'controller-back': {
      if (state.phase !== 'ready') return state;
      const { controllerLostUntil: _, ...back } = state;
      return back;
    }
    case 'dropped':
      return end(state, { type: 'dropped' });
    case 'refused':
      return end(state, action);
    case 'server':
      return receive(state, action.message);
  }
}

function receive(state: TerminalState, message: TerminalNews): TerminalState {
  switch (message.type) {
    case 'ready': {
      const { type: _, ...shell } = message;
      return { phase: 'ready', ...shell };
    }
    case 'prompt':
      return { phase: 'prompt', prompt: message };
    default:
      return end(state, message);
  }
}
