import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { testCertificate } from '@pult/testkit/certificates';
import type { Probe } from './others.ts';

/** More than any honest browser waits. */
const patienceMs = 10_000;

/** An honest browser: how long a page of the console takes over a connection of its own. */
export function createPageProbe(serverUrl: string, protocol: 'h2' | 'http/1.1'): Probe {
  const { hostname, port, host } = new URL(serverUrl);
  const head = `GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;

  async function askHttp1(): Promise<string> {
    const where = { host: hostname, port: Number(port), servername: hostname };
    const socket = connect({ ...where, ca: testCertificate, ALPNProtocols: ['http/1.1'] });
    socket.setTimeout(patienceMs, () => socket.destroy(new Error('no answer in time')));
    socket.write(head);
    return text(socket);
  }

  async function askHttp2(): Promise<string> {
    const session = connectHttp2(serverUrl, { ca: testCertificate });
    try {
      session.setTimeout(patienceMs, () => session.destroy(new Error('no answer in time')));
      const stream = session.request({ ':path': '/' });
      const [[headers], body] = await Promise.all([
        Promise.race([once(stream, 'response'), once(session, 'close').then(() => [{}])]),
        text(stream),
      ]);
      return `HTTP/2 ${headers[':status']}\r\n\r\n${body}`;
    } finally {
      session.close();
    }
  }

  return async () => {
    const answer = await (protocol === 'h2' ? askHttp2() : askHttp1());
    if (!/^HTTP\/[0-9.]+ 200/.test(answer)) throw new Error(`a page answered ${answer.slice(0, 40)}`);
  };
}
