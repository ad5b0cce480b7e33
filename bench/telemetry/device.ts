import type { KeyObject } from 'node:crypto';
import {
  CHALLENGE_PATH,
  createDeviceKey,
  dial,
  ENROLL_PATH,
  formatAuthorization,
  getPublicKey,
  KEY_ID_HEADER,
  keyId,
  SERVER_URL_HEADER,
  serveDeviceLink,
  signEnrolment,
  signLink,
  TelemetryEncoder,
  type TelemetryEntry,
} from '@pult/link';
import type { ApiClient } from '@pult/testkit';

/** A device that tells as much as the server takes. */
export interface LoadDevice {
  serialNumber: string;
  stop(): void;
}

interface Claim {
  serverUrl: string;
  serialNumber: string;
  key: KeyObject;
}

async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function getNonce({ serverUrl, serialNumber }: Claim): Promise<string> {
  const answer = await post(serverUrl + CHALLENGE_PATH, JSON.stringify({ serialNumber }));
  return (answer as { nonce: string }).nonce;
}

/** Enrols, and gives the token that claims it. */
async function enrol(claim: Claim): Promise<string> {
  const { serverUrl, serialNumber, key } = claim;
  const body = JSON.stringify({
    serialNumber,
    publicKey: getPublicKey(key).toString('base64url'),
    model: 'Load',
    firmwareVersion: '1',
    agentVersion: '0',
  });
  const nonce = await getNonce(claim);
  const signature = signEnrolment(key, { audience: serverUrl, serialNumber, nonce, body });
  const answer = await post(serverUrl + ENROLL_PATH, body, {
    authorization: formatAuthorization({ serialNumber, nonce, signature }),
    [SERVER_URL_HEADER]: serverUrl,
  });
  return new URL((answer as { activationLink: string }).activationLink).searchParams.get('token') ?? '';
}

/** `entryOf` makes one entry by its number; parts go out as fast as they are taken. */
export async function startLoadDevice(
  api: ApiClient,
  options: {
    serverUrl: string;
    serialNumber: string;
    organization: string;
    entryOf(offset: number): TelemetryEntry;
  },
): Promise<LoadDevice> {
  const { serverUrl, serialNumber, organization, entryOf } = options;
  const claim = { serverUrl, serialNumber, key: createDeviceKey() };
  await api.call('activateController', { body: { token: await enrol(claim), organization } });
  const nonce = await getNonce(claim);
  const signature = signLink(claim.key, { audience: serverUrl, serialNumber, nonce });
  const socket = await dial(serverUrl, {
    transport: 'upgrade',
    headers: {
      authorization: formatAuthorization({ serialNumber, nonce, signature }),
      [KEY_ID_HEADER]: keyId(getPublicKey(claim.key)),
      [SERVER_URL_HEADER]: serverUrl,
    },
  });
  let isStopped = false;
  const link = serveDeviceLink(socket, {
    connectService: () => Promise.reject(new Error('none')),
    getInfo: () => ({
      serialNumber,
      model: 'Load',
      firmwareVersion: '1',
      agentVersion: '0',
      kernelVersion: '1',
      addresses: [],
      uptimeSeconds: 1,
    }),
    putState: () => {},
    async *readTelemetry({ offset }, signal) {
      const encoder = new TelemetryEncoder();
      yield encoder.encodeGreeting({ streamId: 'stream-of-load', lost: 0 });
      for (let next = offset + 1; !signal.aborted && !isStopped; next += 500) {
        yield* encoder.encode(Array.from({ length: 500 }, (_, index) => entryOf(next + index)));
        // As much as an honest agent tells: the server would cut more.
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    },
  });
  return {
    serialNumber,
    stop() {
      isStopped = true;
      link.close();
    },
  };
}
