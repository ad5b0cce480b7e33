import { setTimeout as wait } from 'node:timers/promises';
import { createApiClient, HttpClient } from '@pult/testkit';
import { createBenchIdentity } from '../links/device-keys.ts';

/** Requests of the user that go on at a time. */
const lanes = 6;

/**
 * A person who opens the web interfaces of hostile devices and asks them for diagnostics: what they answer goes through
 * the server. `onWrong` is told of answers that no device may cause.
 */
export async function startUser(
  login: { baseUrl: string; username: string; password: string },
  devices: number,
  onWrong: (what: string) => void,
): Promise<void> {
  const { call } = await createApiClient(login);
  const { port } = new URL(login.baseUrl);
  const clients = new Map<string, HttpClient>();

  async function enter(serialNumber: string): Promise<HttpClient> {
    const known = clients.get(serialNumber);
    if (known) return known;
    const { tunnelRedirectUrl } = await call('openTunnel', { params: { serialNumber, protocol: 'http' } });
    const client = new HttpClient();
    // The device's own answer does not matter: the cookie comes before it.
    await client.request(tunnelRedirectUrl, { signal: AbortSignal.timeout(3_000) });
    clients.set(serialNumber, client);
    return client;
  }

  async function use(serialNumber: string, turn: number): Promise<void> {
    if (turn % 50 === 0) await call('requestDiagnostic', { params: { serialNumber } }).catch(() => {});
    const client = await enter(serialNumber);
    const url = `http://${serialNumber.toLowerCase()}.http.localhost:${port}/${turn}`;
    const isUpload = turn % 5 === 0;
    const answer = await client.request(url, {
      method: isUpload ? 'POST' : 'GET',
      ...(isUpload ? { body: Buffer.alloc(200_000), headers: { origin: new URL(url).origin } } : {}),
      signal: AbortSignal.timeout(3_000),
    });
    const isOurs = answer.headers['content-type']?.includes('json') ?? false;
    const text = await answer.text();
    if (answer.status === 500 && isOurs) onWrong(`a tunnel answered 500: ${text.slice(0, 200)}`);
  }

  async function useAll(lane: number): Promise<never> {
    for (let turn = lane; ; turn += lanes) {
      const { serialNumber } = createBenchIdentity(turn % devices);
      // Whatever a hostile device makes of a request is a failure of that request.
      await use(serialNumber, turn).catch(() => {});
      await wait(20);
    }
  }
  for (let lane = 0; lane < lanes; lane += 1) void useAll(lane);
}
