import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError, type Client, deviceLoginScopes, type Permission } from '@pult/contract';
import { CliError } from './cli-error.ts';

/** What the commands need. */
const usualScopes = ['controllers.read', 'tunnels.open', 'diagnostics.request'] as const;

export function readScopes(text: string | undefined): Permission[] {
  if (text === undefined) return [...usualScopes];
  return text.split(',').map((word) => {
    const scope = deviceLoginScopes.find((name) => name === word.trim());
    if (!scope) {
      throw new CliError('usage', `No such scope: ${word}. There are: ${deviceLoginScopes.join(', ')}.`);
    }
    return scope;
  });
}

/** As far as it is one that the server takes. */
const ownName = () =>
  hostname()
    .replace(/[^A-Za-z0-9_.-]/g, '-')
    .slice(0, 63);

/** A token by a code that a person types in the console (RFC 8628). */
export async function logInByCode(
  call: Client,
  scopes: Permission[],
  note: (text: string) => void,
  pause: (ms: number) => Promise<unknown> = wait,
): Promise<string> {
  const started = await call('startDeviceLogin', { body: { hostName: ownName(), scopes } });
  const { deviceCode, userCode, verificationUri, expiresIn } = started;
  const minutes = Math.round(expiresIn / 60);
  note(`Open ${verificationUri} and enter the code ${userCode}. It counts for ${minutes} minutes.\n`);
  let seconds = started.interval;
  for (;;) {
    await pause(seconds * 1000);
    try {
      return (await call('pollDeviceLogin', { body: { deviceCode } })).token;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'slow_down') seconds += 5;
      else if (error.code !== 'authorization_pending' && error.status < 500 && error.status !== 429)
        throw error;
    }
  }
}
