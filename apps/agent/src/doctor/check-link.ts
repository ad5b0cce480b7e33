import { createDeviceKey, dial, LinkRefusedError, type LinkTransport } from '@pult/link';
import type { Config } from '../config/settings.ts';
import { getLinkHeaders } from '../link/identity.ts';
import { createServerAgents } from '../link/server-agent.ts';
import { patienceMs } from './connect.ts';
import type { Finding } from './finding.ts';

type Server = Pick<Config, 'server' | 'proxy' | 'ca'>;

/**
 * Whether a request for a link reaches the server, either way. It is made with a key that nobody knows: the server's refusal
 * shows that it came there, and the link of an agent that runs is left alone.
 */
export async function checkLink(options: Server, serialNumber: string): Promise<Finding[]> {
  const [direct, webSocket] = [
    await knock('upgrade', options, serialNumber),
    await knock('websocket', options, serialNumber),
  ];
  const subjects = { direct: 'direct link', webSocket: 'WebSocket' };
  if ('mismatch' in direct || 'mismatch' in webSocket) {
    const known = 'mismatch' in direct ? direct.mismatch : 'mismatch' in webSocket ? webSocket.mismatch : '';
    const advice = 'Correct --server here, or add this address to AGENT_URLS there.';
    const text = `the server is known as ${known}, not as ${options.server}`;
    return [{ subject: subjects.direct, state: 'failed', text, advice }];
  }
  if ('blocked' in direct && 'blocked' in webSocket) {
    const advice = 'A proxy before the server must pass the header Upgrade, or WebSockets at least.';
    return [
      { subject: subjects.direct, state: 'failed', text: direct.blocked, advice },
      { subject: subjects.webSocket, state: 'failed', text: webSocket.blocked, advice },
    ];
  }
  return [
    'blocked' in direct
      ? {
          subject: subjects.direct,
          state: 'skipped',
          text: `${direct.blocked}; the agent takes the WebSocket`,
        }
      : { subject: subjects.direct, state: 'ok', text: 'gets through' },
    'blocked' in webSocket
      ? { subject: subjects.webSocket, state: 'skipped', text: `${webSocket.blocked}; it is not needed` }
      : { subject: subjects.webSocket, state: 'ok', text: 'gets through' },
  ];
}

type Knock = { passes: true } | { blocked: string } | { mismatch: string };

async function knock(transport: LinkTransport, options: Server, serialNumber: string): Promise<Knock> {
  const identity = { serverUrl: options.server, serialNumber, key: createDeviceKey() };
  const agent = createServerAgents(options, patienceMs)();
  try {
    const headers = getLinkHeaders(identity, 'AAAAAAAAAAAAAAAAAAAAAA');
    const socket = await dial(options.server, {
      headers,
      transport,
      ca: options.ca,
      agent,
      timeoutMs: patienceMs,
    });
    socket.destroy();
    return { passes: true };
  } catch (error) {
    const refusal = error instanceof LinkRefusedError ? error.refusal : null;
    if (refusal?.code === 'link_url_mismatch')
      return { mismatch: refusal.expectedUrls?.join(', ') ?? 'another address' };
    return refusal ? { passes: true } : { blocked: (error as Error).message };
  } finally {
    agent.destroy();
  }
}
