import type { TerminalServerMessage } from '@pult/contract';

type Message<Type extends TerminalServerMessage['type']> = Extract<TerminalServerMessage, { type: Type }>;

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
  | { phase: 'ready'; hostKeyFingerprint: string; hostKeyIsNew: boolean }
  | { phase: 'ended'; end: TerminalEnd };

export type TerminalAction =
  | { type: 'start' }
  | { type: 'answered' }
  | { type: 'edit-login' }
  | { type: 'server'; message: TerminalServerMessage }
  | { type: 'dropped' }
  | { type: 'refused'; detail: string };

export const initialTerminalState: TerminalState = { phase: 'form' };

/** A failed login goes back to the form; a session that had begun keeps its screen and says how it ended. */
function end(state: TerminalState, reason: TerminalEnd): TerminalState {
  if (state.phase === 'form' || state.phase === 'ended') return state;
  return state.phase === 'ready' ? { phase: 'ended', end: reason } : { phase: 'form', end: reason };
}

export function reduceTerminal(state: TerminalState, action: TerminalAction): TerminalState {
  switch (action.type) {
    case 'start':
      return { phase: 'connecting' };
    case 'answered':
      return state.phase === 'prompt' ? { phase: 'connecting' } : state;
    case 'edit-login':
      return { phase: 'form' };
    case 'dropped':
      return end(state, { type: 'dropped' });
    case 'refused':
      return end(state, action);
    case 'server':
      return receive(state, action.message);
  }
}

function receive(state: TerminalState, message: TerminalServerMessage): TerminalState {
  switch (message.type) {
    case 'ready': {
      const { hostKeyFingerprint, hostKeyIsNew } = message;
      return { phase: 'ready', hostKeyFingerprint, hostKeyIsNew };
    }
    case 'prompt':
      return { phase: 'prompt', prompt: message };
    default:
      return end(state, message);
  }
}
