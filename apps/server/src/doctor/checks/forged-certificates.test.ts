import { createServer as createHttpServer, type IncomingHttpHeaders, request } from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import { listenOnLoopback } from '@pult/testkit';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { readEnvironment } from '../../config/env.ts';
import {
  createWirenBoardFixture,
  type WirenBoardFixture,
} from '../../features/devices/wiren-board/wiren-board.fixture.ts';
import { examine, sayDiagnosis } from '../doctor.ts';
import { proxy } from './proxy.ts';

let fixture: WirenBoardFixture;
beforeAll(async () => {
  fixture = await createWirenBoardFixture({ isTls: false });
});
afterAll(() => fixture.close());

async function listen(server: Server): Promise<number> {
  const port = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  return port;
}

/** A proxy that hands on all that it is sent. */
const startCareless = () =>
  listen(
    createServer((socket) => {
      const upstream = connect(fixture.server.port, '127.0.0.1');
      for (const each of [socket, upstream]) each.on('error', () => {});
      socket.pipe(upstream).pipe(socket);
    }),
  );

/** One that hands on requests with the headers that are left. */
const startCareful = (change: (headers: IncomingHttpHeaders) => IncomingHttpHeaders) =>
  listen(
    createHttpServer((incoming, response) => {
      const headers = change(incoming.headers);
      request({ port: fixture.server.port, path: incoming.url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }).end();
    }),
  );

/** What the doctor says of the headers with certificates, in both languages, of a proxy at that port. */
async function look(port: number, environment: Record<string, string> = {}) {
  const env = {
    ...{ PORT: String(fixture.server.port), PUBLIC_URL: `http://localhost:${port}`, SSH_JUMP_PORT: '0' },
    ...{ TRUSTED_PROXIES: '127.0.0.1', WB_DEVICE_CA: fixture.certificates.bundlePath },
    ...{ WB_PROXY_SECRET: fixture.proxySecret, ...environment },
  };
  const config = loadConfig(readEnvironment({ env, directory: null }), { version: '' });
  const diagnosis = await examine(config, [proxy]);
  const say = (locale: 'en' | 'ru') =>
    sayDiagnosis(diagnosis, locale).findings.filter(({ text }) =>
      /certificate|Wiren|сертификат|X-SSL/.test(text),
    );
  return { en: say('en'), ru: say('ru') };
}

it('the doctor fails a proxy that passes on the certificates of strangers, and says what to change', async () => {
  const { en, ru } = await look(await startCareless());
  expect(en).toMatchObject([
    {
      status: 'fail',
      text: expect.stringContaining('X-SSL-Client-Cert'),
      action: expect.stringContaining('docs/wiren-board.md'),
    },
  ]);
  expect(ru).toMatchObject([
    {
      status: 'fail',
      text: expect.stringContaining('посторонних'),
      action: expect.stringContaining('Очищайте'),
    },
  ]);
  const enrolled = await fixture.server.db.selectFrom('enrolments').selectAll().execute();
  expect(enrolled).toEqual([]);
});

it('the doctor fails a proxy that passes on the verdict alone', async () => {
  const port = await startCareful(({ 'x-ssl-client-cert': _, ...headers }) => headers);
  expect((await look(port)).en).toMatchObject([{ status: 'fail' }]);
});

it('the doctor finds a proxy well that clears both headers', async () => {
  const port = await startCareful(
    ({ 'x-ssl-client-cert': _cert, 'x-ssl-client-verify': _verify, ...headers }) => headers,
  );
  expect((await look(port)).en).toMatchObject([{ status: 'ok' }]);
});

it('the doctor warns where controllers come by a proxy that may vouch for none', async () => {
  const port = await startCareful(
    ({ 'x-ssl-client-cert': _cert, 'x-ssl-client-verify': _verify, ...headers }) => headers,
  );
  const { en, ru } = await look(port, { WB_PROXY_SECRET: '' });
  expect(en).toMatchObject([
    { status: 'warn', text: expect.stringContaining('WB_PROXY_SECRET') },
    { status: 'ok' },
  ]);
  expect(ru).toHaveLength(2);
});
