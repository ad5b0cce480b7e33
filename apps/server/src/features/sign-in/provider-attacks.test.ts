import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { createFetchStranger } from '../../platform/webhooks/index.ts';
import type { Provider } from './provider.ts';
import { createProviderClient } from './provider-client.ts';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
type Endpoint = 'discovery' | 'keys' | 'token' | 'userinfo';
type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let keys: Keys;
let others: Keys;
let publicJwk: JWK;
beforeAll(async () => {
  [keys, others] = await Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('RS256', { extractable: true }),
  ]);
  publicJwk = { ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
});

interface Lies {
  discovery?: Record<string, unknown>;
  keys?: () => unknown;
  claims?: JWTPayload;
  userinfo?: Record<string, unknown>;
  /** Instead of the ID token that is right. */
  idToken?: (issuer: string, claims: JWTPayload) => string | undefined | Promise<string | undefined>;
  /** Instead of what an endpoint would say. */
  answers?: Partial<Record<Endpoint, Answer>>;
}

const sign = (claims: JWTPayload, header: Record<string, unknown> = {}, key = keys.privateKey) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k', ...header }).sign(key);

/** Address of a server, and what was asked of it. */
async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.on('error', () => {});
    request.resume().on('end', () => answer(request, response));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }; // it listens on TCP
}

/** A provider of an organization that lies, and a client that has been led back from it. */
async function start(lies: Lies, timeLimitMs = 10_000) {
  const internal = await listen((_, response) => response.end('{}'));
  const now = Math.floor(Date.now() / 1000);
  const { url: issuer } = await listen(async ({ url = '' }, response) => {
    const claims = {
      iss: issuer,
      sub: 'ann',
      aud: 'pult',
      iat: now,
      exp: now + 60,
      nonce: 'n',
      ...lies.claims,
    };
    const documents: Record<string, [Endpoint, () => unknown]> = {
      '/.well-known/openid-configuration': [
        'discovery',
        () => ({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          ...(lies.userinfo || lies.answers?.userinfo ? { userinfo_endpoint: `${issuer}/userinfo` } : {}),
          ...lies.discovery,
        }),
      ],
      '/keys': ['keys', () => lies.keys?.() ?? { keys: [publicJwk] }],
      '/token': [
        'token',
        async () => ({
          access_token: 'a',
          token_type: 'Bearer',
          id_token: lies.idToken ? await lies.idToken(issuer, claims) : await sign(claims),
        }),
      ],
      '/userinfo': ['userinfo', () => lies.userinfo],
    };
    const [endpoint, document] = documents[url] ?? [];
    const lie = endpoint && lies.answers?.[endpoint];
    if (lie) return lie(response, { url: internal.url } as IncomingMessage);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(await document?.()));
  });
  const open = createFetchStranger({ allowsPrivate: true, timeLimitMs });
  const closed = createFetchStranger({ allowsPrivate: false, timeLimitMs });
  const client = createProviderClient({
    fetchTrusted: open,
    // As if the provider itself were somewhere else.
    fetchStranger: (address, options) => (address.startsWith(issuer) ? open : closed)(address, options),
    log: createLog('silent'),
  });
  const provider = {
    organizationId: 'o',
    name: 'Corp',
    issuer,
    clientId: 'pult',
    clientSecret: 's',
    scopes: '',
    groupsClaim: 'groups',
    secondFactorAcr: [],
  } as unknown as Provider; // what the client reads of it
  const callback = new URL('http://localhost/callback?code=c&state=s');
  return {
    internal,
    begin: () => client.begin(provider, 'http://localhost/callback'),
    finish: () => client.finish(provider, callback, { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) }),
    check: () => client.check(provider, { refreshToken: 'r', issuer, subject: 'ann' }),
  };
}

const refused = { code: 'sign_in_refused' };
const down = { code: 'provider_unavailable' };

it('a provider that lies about nothing is believed', async () => {
  const { finish, check } = await start({ userinfo: { sub: 'ann', email: 'ann@example.com' } });
  expect((await finish()).claims).toMatchObject({ subject: 'ann', email: 'ann@example.com' });
  expect((await check())?.claims).toMatchObject({ subject: 'ann' });
});

describe('an ID token', () => {
  const secret = new TextEncoder().encode('s'.repeat(32));
  it.each<[string, Lies]>([
    ['without a signature', { idToken: (_, claims) => new UnsecuredJWT(claims).encode() }],
    [
      'whose header says that it needs no signature',
      {
        idToken: async (_, claims) =>
          (await sign(claims)).replace(/^[^.]*/, btoa('{"alg":"none"}').replaceAll('=', '')),
      },
    ],
    [
      'signed by the public key as a secret',
      {
        idToken: async (_, claims) =>
          new SignJWT(claims)
            .setProtectedHeader({ alg: 'HS256', kid: 'k' })
            .sign(new TextEncoder().encode(JSON.stringify(publicJwk))),
        discovery: { id_token_signing_alg_values_supported: ['HS256', 'none', 'RS256'] },
      },
    ],
    [
      'signed by a secret among the keys',
      {
        idToken: (_, claims) =>
          new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'k' }).sign(secret),
        keys: () => ({
          keys: [{ kty: 'oct', k: Buffer.from(secret).toString('base64url'), kid: 'k', alg: 'HS256' }],
        }),
        discovery: { id_token_signing_alg_values_supported: ['HS256'] },
      },
    ],
    ['signed by a key that is not there', { idToken: (_, claims) => sign(claims, {}, others.privateKey) }],
    ['with a kid that is not there', { idToken: (_, claims) => sign(claims, { kid: '../../k' }) }],
    [
      'with a key of its own',
      {
        idToken: async (issuer, claims) =>
          sign(
            claims,
            { jwk: await exportJWK(others.publicKey), jku: `${issuer}/keys`, x5u: `${issuer}/keys` },
            others.privateKey,
          ),
      },
    ],
    ['whose key is one of two of that name', { keys: () => ({ keys: [publicJwk, publicJwk] }) }],
    ['whose key is for encryption', { keys: () => ({ keys: [{ ...publicJwk, use: 'enc' }] }) }],
    ['that is cut', { idToken: async (_, claims) => (await sign(claims)).slice(0, -9) }],
    ['that is none', { idToken: () => 'a.b.c' }],
    ['that is not there', { idToken: () => undefined }],
    ['of another issuer', { claims: { iss: 'https://other.example.com' } }],
    ['for another client', { claims: { aud: 'other' } }],
    ['for two clients', { claims: { aud: ['pult', 'other'] } }],
    ['for two clients, and by the other', { claims: { aud: ['pult', 'other'], azp: 'other' } }],
    ['that is over', { claims: { exp: 1_000 } }],
    ['that never ends', { claims: { exp: undefined } as JWTPayload }],
    ['that is not good yet', { claims: { nbf: 9_999_999_999 } }],
    ['of another sign-in', { claims: { nonce: 'other' } }],
    ['of no sign-in', { claims: { nonce: undefined } }],
    ['without a subject', { claims: { sub: undefined } as JWTPayload }],
    ['with a subject that is no text', { claims: { sub: ['ann'] } as unknown as JWTPayload }],
    ['with a subject that is too long', { claims: { sub: 'a'.repeat(256) } }],
    ['beside userinfo of somebody else', { userinfo: { sub: 'bob', email: 'bob@example.com' } }],
    ['beside userinfo of nobody', { userinfo: { email: 'bob@example.com' } }],
  ])('a sign-in is refused with an ID token %s', async (_, lies) => {
    const { finish } = await start(lies);
    await expect(finish()).rejects.toMatchObject(refused);
  });

  it.each<[string, Lies]>([
    ['without a signature', { idToken: (_, claims) => new UnsecuredJWT(claims).encode() }],
    ['signed by another key', { idToken: (_, claims) => sign(claims, {}, others.privateKey) }],
    ['for another client', { claims: { aud: 'other' } }],
    ['of somebody else', { claims: { sub: 'bob' } }],
    ['of another issuer', { claims: { iss: 'https://other.example.com' } }],
    ['beside userinfo of somebody else', { userinfo: { sub: 'bob' } }],
  ])('a sign-in does not go on by an ID token %s', async (_, lies) => {
    const { check } = await start(lies);
    const confirmed = await check().catch((error: unknown) => error);
    if (confirmed !== undefined) expect(confirmed).toMatchObject(refused);
  });
});

describe('an answer', () => {
  const endless: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const write = () => {
      while (!response.destroyed && response.write('['.repeat(60_000)));
    };
    response.on('drain', write);
    write();
  };
  const drip: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  };
  const silence: Answer = () => {};
  const endpoints: Endpoint[] = ['discovery', 'keys', 'token', 'userinfo'];

  it.each(
    endpoints.flatMap((endpoint) =>
      [endless, drip, silence].map((answer) => [endpoint, answer.name, answer] as const),
    ),
  )('a provider is down whose answer (%s) has no end: %s', async (endpoint, _, answer) => {
    const { finish } = await start({ answers: { [endpoint]: answer } }, 300);
    await expect(finish()).rejects.toMatchObject(down);
  });

  it.each(endpoints)('an answer (%s) that leads elsewhere is not followed', async (endpoint) => {
    const answer: Answer = (response, { url }) => response.writeHead(307, { location: `${url}/` }).end();
    const { finish, internal } = await start({ answers: { [endpoint]: answer } });
    await expect(finish()).rejects.toMatchObject(refused);
    expect(internal.asked).toEqual([]);
  });

  it.each(['token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
    'a provider whose %s is an address of the server’s own network is not asked there',
    async (name) => {
      const victim = await listen((_, response) => response.end('{}'));
      for (const url of [
        victim.url,
        victim.url.replace('127.0.0.1', 'localhost'),
        victim.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
      ]) {
        const { finish } = await start({ discovery: { [name]: url } });
        await expect(finish()).rejects.toMatchObject(down);
      }
      expect(victim.asked).toEqual([]);
    },
  );

  it.each<[string, Lies]>([
    ['another issuer', { discovery: { issuer: 'https://other.example.com' } }],
    ['no issuer', { discovery: { issuer: undefined } }],
    ['a page that is no web page', { discovery: { authorization_endpoint: 'javascript:alert(1)' } }],
    ['a page that is none', { discovery: { authorization_endpoint: 'x' } }],
    ['a list for a page', { discovery: { authorization_endpoint: ['https://a.example.com'] } }],
    [
      'a deep document',
      {
        answers: {
          discovery: (response) =>
            response.setHeader('content-type', 'application/json').end('['.repeat(900_000)),
        },
      },
    ],
  ])('no sign-in is begun at a provider with %s', async (_, lies) => {
    const { begin } = await start(lies);
    await expect(begin()).rejects.toMatchObject(down);
  });

  it.each<[string, Lies]>([
    [
      'a megabyte of claims',
      { claims: { a: 'x'.repeat(200_000), groups: Array.from({ length: 20_000 }, String) } },
    ],
    ['claims that are deep', { claims: { groups: JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`) } }],
    ['claims of a prototype', { claims: JSON.parse('{"__proto__": {"groups": ["a"]}, "constructor": "a"}') }],
  ])('no more than is asked for is kept of a provider with %s', async (_, lies) => {
    const { finish } = await start(lies);
    const { claims } = await finish();
    expect(JSON.stringify(claims).length).toBeLessThan(20_000);
    expect(claims).toMatchObject({ subject: 'ann', hasSecondFactor: false });
  });
});
