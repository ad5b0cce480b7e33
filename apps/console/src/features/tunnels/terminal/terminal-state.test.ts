import { describe, expect, it } from 'vitest';
import {
  initialTerminalState,
  reduceTerminal,
  type TerminalAction,
  type TerminalState,
} from './terminal-state.ts';

const ready: TerminalAction = {
  type: 'server',
  message: { type: 'ready', hostKeyFingerprint: 'SHA256:abc', hostKeyIsNew: true, resumeToken: 'token' },
};
const exit: TerminalAction = { type: 'server', message: { type: 'exit', exitCode: 3, signal: null } };
const refusedLogin: TerminalAction = {
  type: 'server',
  message: { type: 'failed', code: 'ssh_authentication_failed', detail: 'Wrong password.' },
};

function run(...actions: TerminalAction[]): TerminalState {
  return actions.reduce(reduceTerminal, initialTerminalState);
}

describe('the course of a terminal session', () => {
  it('goes from the form over the connection to the shell', () => {
    expect(run({ type: 'start' })).toEqual({ phase: 'connecting' });
    expect(run({ type: 'start' }, ready)).toMatchObject({ phase: 'ready', hostKeyIsNew: true });
  });

  it('asks what the device asks, and waits again after the answers', () => {
    const prompt: TerminalAction = {
      type: 'server',
      message: { type: 'prompt', title: '', instructions: '', prompts: [{ text: 'Code:', echo: false }] },
    };
    expect(run({ type: 'start' }, prompt).phase).toBe('prompt');
    expect(run({ type: 'start' }, prompt, { type: 'answered' }).phase).toBe('connecting');
  });

  it('returns to the form when the login is refused', () => {
    expect(run({ type: 'start' }, refusedLogin)).toMatchObject({
      phase: 'form',
      end: { code: 'ssh_authentication_failed' },
    });
  });

  it('keeps the screen when a running shell ends', () => {
    expect(run({ type: 'start' }, ready, exit)).toMatchObject({ phase: 'ended', end: { exitCode: 3 } });
    expect(run({ type: 'start' }, ready, { type: 'dropped' })).toMatchObject({
      phase: 'ended',
      end: { type: 'dropped' },
    });
  });

  it('keeps the last screen while a new shell is opened behind it, until that is there', () => {
    const offline: TerminalAction = {
      type: 'server',
      message: { type: 'failed', code: 'controller_offline', detail: '' },
    };
    const refused: TerminalAction = {
      type: 'server',
      message: { type: 'failed', code: 'service_refused', detail: '' },
    };
    const ended = run({ type: 'start' }, ready, offline);
    const returning = reduceTerminal(ended, { type: 'return' });
    expect(returning).toEqual({ ...ended, isReturning: true });
    // The SSH server of a device that starts comes after its link.
    expect(reduceTerminal(returning, refused)).toEqual(ended);
    expect(reduceTerminal(returning, { type: 'dropped' })).toEqual(ended);
    expect(reduceTerminal(returning, ready)).toMatchObject({ phase: 'ready' });
    expect(reduceTerminal(returning, refusedLogin)).toMatchObject({
      phase: 'form',
      end: { code: 'ssh_authentication_failed' },
    });
  });

  it('stays in the shell while the connection is sought, and ends when it is not found', () => {
    const lost = run({ type: 'start' }, ready, { type: 'lost', until: 5 });
    expect(lost).toMatchObject({ phase: 'ready', lostUntil: 5, resumeToken: 'token' });
    expect(reduceTerminal(lost, { type: 'resumed' })).toEqual(run({ type: 'start' }, ready));
    expect(reduceTerminal(lost, { type: 'dropped' })).toMatchObject({ phase: 'ended' });
    expect(run({ type: 'start' }, { type: 'lost', until: 5 })).toEqual({ phase: 'connecting' });
  });

  it('stays in the shell while its controller is away, and ends when that does not come back', () => {
    const away = run({ type: 'start' }, ready, { type: 'controller-lost', until: 5 });
    expect(away).toMatchObject({ phase: 'ready', controllerLostUntil: 5, resumeToken: 'token' });
    expect(reduceTerminal(away, { type: 'controller-back' })).toEqual(run({ type: 'start' }, ready));
    expect(reduceTerminal(away, { type: 'lost', until: 7 })).toMatchObject({
      controllerLostUntil: 5,
      lostUntil: 7,
    });
    const failed = { type: 'failed', code: 'controller_offline', detail: '' } as const;
    expect(reduceTerminal(away, { type: 'server', message: failed })).toEqual({
      phase: 'ended',
      end: failed,
    });
    expect(run({ type: 'start' }, { type: 'controller-lost', until: 5 })).toEqual({ phase: 'connecting' });
  });

  it('ignores a late end of a session that is over', () => {
    const over = run({ type: 'start' }, ready, exit);
    expect(reduceTerminal(over, { type: 'dropped' })).toBe(over);
  });
});
