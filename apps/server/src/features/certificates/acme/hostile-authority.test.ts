import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { testCertificate, testPrivateKey } from '@pult/testkit/certificates';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Events } from '../../../platform/events/events.ts';
import { createLog } from '../../../platform/log.ts';
import { CertificateProblem } from '../problem.ts';
import { createOwnChallenges } from '../solvers.ts';
import { createAccountKey, orderCertificate } from './order-certificate.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, own: string) => void;

const log = createLog('silent');
let accountKey: string;
beforeAll(async () => {
  accountKey = await createAccountKey();
});

async function startAuthority(answer: Answer): Promise<string> {
  const server = createServer({ cert: testCertificate, key: testPrivateKey });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const own = `https://localhost:${(server.address() as AddressInfo).port}`; // it listens on a port
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    answer(request, response, own);
  });
  return `${own}/directory`;
}

/** Why it failed, and how long that took. */
async function fail(
  answer: Answer,
  options: { ca?: string | undefined; deadlineMs?: number } = { ca: testCertificate },
): Promise<CertificateProblem> {
  const directory = await startAuthority(answer);
  const error = await orderCertificate({
    directory,
    email: 'operator@pult.test',
    hosts: ['pult.test'],
    challenge: 'http-01',
    ports: { http: 80, https: 443 },
    accountKey,
    ca: testCertificate,
    solver: createOwnChallenges({ events: new Events(log), log }).http,
    signal: new AbortController().signal,
    log,
    timeoutMs: 500,
    ...options,
  }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CertificateProblem)) throw new Error(`no problem of a certificate: ${error}`);
  for (const text of [error.text.en, error.text.ru]) {
    expect(text.length).toBeLessThan(600);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
    expect(text).not.toMatch(/[\u0000-\u001f]/);
  }
  // Both languages have words of their own.
  expect([error.message, error.advice.en].join()).not.toMatch(/[а-яё]/i);
  for (const text of [error.text.ru, error.advice.ru]) expect(text).toMatch(/[а-яё]{3}/i);
  return error;
}

const json = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) =>
  response
    .writeHead(status, { 'content-type': 'application/json', 'replay-nonce': 'bm9uY2U', ...headers })
    .end(JSON.stringify(body));

/** Takes whatever is asked of it, and gives that certificate. */
const obliging =
  (certificate: string, order: Record<string, unknown> = {}): Answer =>
  ({ url }, response, own) => {
    const paths = ['newNonce', 'newAccount', 'newOrder', 'finalize', 'certificate'];
    const urls = Object.fromEntries(paths.map((path) => [path, `${own}/${path}`]));
    const { newNonce, newAccount, newOrder, finalize } = urls;
    const body = { status: 'ready', authorizations: [], identifiers: [], finalize, ...order };
    const location = { location: `${own}/order` };
    if (url === '/directory') json(response, 200, { newNonce, newAccount, newOrder });
    else if (url === '/newAccount') json(response, 201, { status: 'valid' }, location);
    else if (url === '/newOrder') json(response, 201, body, location);
    else if (url === '/order') {
      const { certificate: at } = urls;
      json(response, 200, finalized.has(own) ? { ...body, status: 'valid', certificate: at } : body);
    } else if (url === '/finalize') {
      finalized.add(own);
      json(response, 200, { ...body, status: 'processing' });
    } else if (url === '/certificate')
      response.writeHead(200, { 'content-type': 'application/pem-certificate-chain' }).end(certificate);
    else json(response, 200, {});
  };
const finalized = new Set<string>();

describe('an order of a certificate', () => {
  test('an authority that says nothing is given up in time', async () => {
    const { message } = await fail(() => {});
    expect(message).toMatch(/does not answer: no answer within 0.5 s/);
  });

  test('an authority that answers without an end is given up', async () => {
    const { message } = await fail((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const write = () => {
        while (!response.destroyed && response.write('['.repeat(65_536)));
      };
      response.on('drain', write).on('error', () => {});
      write();
    });
    expect(message).toContain('its answer has no end');
  });

  test.each([
    ['a page', 'text/html', '<html>\u001b[2Jhello</html>'],
    ['half of a document', 'application/json', '{"newNonce": "ht'],
    ['a directory of nothing', 'application/json', '{}'],
    [
      'an address without TLS',
      'application/json',
      '{"newNonce": "http://localhost/", "newAccount": "http://localhost/"}',
    ],
    ['a list', 'application/json', '[1]'],
  ])('an authority that answers %s is no authority', async (_what, type, body) => {
    const { message, advice } = await fail((_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    expect(message).toContain('is not ACME');
    expect(advice.en).toContain('ACME_DIRECTORY');
  });

  test('an authority whose own certificate is not trusted is told by ACME_CA_FILE', async () => {
    const { message, advice } = await fail(obliging(testCertificate), { ca: undefined });
    expect(message).toContain('itself is not trusted');
    expect(advice.en).toContain('ACME_CA_FILE');
  });

  test('an authority that wants to hear nothing for an hour is not asked before', async () => {
    const { message, retryAt } = await fail((_request, response) =>
      json(
        response,
        429,
        { type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many certificates' },
        { 'retry-after': '3600' },
      ),
    );
    expect(message).toContain('too many requests');
    expect(message).toContain('too many certificates');
    const waitMs = (retryAt?.getTime() ?? 0) - Date.now();
    expect(waitMs).toBeGreaterThan(3_500_000);
    expect(waitMs).toBeLessThan(3_601_000);
  });

  test('an authority that gives a certificate of another key has given none', async () => {
    const { message } = await fail(obliging(testCertificate));
    expect(message).toContain('its certificate is of another key');
  });

  test('an authority that gives nonsense for a certificate has given none', async () => {
    const { message } = await fail(obliging('-----BEGIN CERTIFICATE-----\nnone\n'));
    expect(message).toContain('its certificate cannot be read');
  });

  test('an authority whose order is never done is given up', async () => {
    const { message } = await fail(obliging('', { status: 'processing' }), { deadlineMs: 1_500 });
    expect(message).toContain('was not done within 1.5 s');
  });
});
