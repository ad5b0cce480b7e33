import {
  createOpenApiDocument,
  type ErrorCode,
  errorCatalogue,
  isErrorCode,
  type Locale,
  locales,
  type Route,
  type RouteName,
  routes,
} from '@pult/contract';
import { CHALLENGE_PATH, ENROLL_PATH } from '@pult/link';
import {
  createTestController,
  createTestServer,
  type TestAnswer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Every call with whatever may come: never a 500, never a hang, always an error that the contract declares. */

let server: TestServer;
let user: TestUser;
/** What the parts of a path may name. */
const named: Record<string, string> = {};

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

interface Operation {
  requestBody?: { content: { 'application/json': { schema: object } } };
  responses: Record<string, object>;
}
const document = createOpenApiDocument({ title: '', version: '' });
const paths = document.paths as Record<string, Record<string, Operation>>;
const components = document.components as Record<string, Record<string, object>>;

/** What stands in the document under the name that is referred to. */
function follow(value: object): object {
  if (!('$ref' in value)) return value;
  const [kind = '', name = ''] = String(value.$ref).split('/').slice(2);
  const found = components[kind]?.[name];
  if (!found) throw new Error(`${value.$ref} leads nowhere`);
  return found;
}

function operationOf(route: Route): Operation {
  const operation = paths[route.path]?.[route.method.toLowerCase()];
  if (!operation) throw new Error(`${route.path} is not documented`);
  return operation;
}

/** What the call declares to answer, by status. */
function responsesOf(route: Route): Record<string, object> {
  return Object.fromEntries(
    Object.entries(operationOf(route).responses).map(([status, response]) => [status, follow(response)]),
  );
}

/** The names of the fields of its body. */
function fieldsOf(route: Route): string[] {
  const { schema = {} } = operationOf(route).requestBody?.content['application/json'] ?? {};
  const { properties = {} } = follow(schema) as { properties?: object };
  return Object.keys(properties);
}

/** The text of an error with anything in its placeholders. */
function textPattern(code: ErrorCode, locale: Locale): RegExp {
  const escaped = errorCatalogue[code][locale].replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\{\w+\}/g, '[^]*')}$`);
}

/** `spoken` are the languages that it may be told in. */
function expectDeclaredError(
  answer: TestAnswer,
  spoken: readonly Locale[],
  responses?: Record<string, unknown>,
): void {
  const { status, headers, body } = answer;
  expect(status).toBeLessThan(500);
  expect(headers['cache-control']).toBe('no-store');
  if (status < 400) return;
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers.vary).toMatch(/accept-language/);
  const { code, detail, ...rest } = body as Record<string, unknown>;
  if (typeof code === 'string' && isErrorCode(code)) {
    expect(rest).toEqual('isOAuth' in errorCatalogue[code] ? { error: code } : {});
    expect(status).toBe(errorCatalogue[code].status);
    expect(
      spoken.some((locale) => textPattern(code, locale).test(String(detail))),
      String(detail),
    ).toBe(true);
    // What stands in it may make a path of no call.
    const isOtherPath = code === 'not_found' || code === 'method_not_allowed';
    if (responses && !isOtherPath) expect(JSON.stringify(responses[status])).toContain(`"${code}"`);
    return;
  }
  expect(status).toBe(400);
  const messages = Object.values(body as object).flat();
  expect(messages.length).toBeGreaterThan(0);
  for (const message of messages) {
    expect(message).toBeTypeOf('string');
    expect(spoken).toContain(/[а-яё]/i.test(message) ? 'ru' : 'en');
  }
}

const nastyTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\ufffe',
  '\u202e',
  '🚰'.repeat(300),
  'x'.repeat(70_000),
  "'; drop table users; --",
  '%',
  '\\',
  '{serialNumber}',
  '$&',
  '-1',
  '1e999',
  'NaN',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '018f0000-0000-7000-8000-000000000000',
];
const text = fc.oneof(fc.constantFrom(...nastyTexts), fc.string({ unit: 'binary', maxLength: 40 }));
const nested = fc.integer({ min: 1, max: 5000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth));
const value = fc.oneof(
  text,
  fc.constantFrom(null, true, 0, -0, 1e308, -1, 2 ** 53, 0.1),
  fc.array(text, { maxLength: 3 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Bodies from nearly right to no JSON at all. */
function bodyOf(route: Route): fc.Arbitrary<string> {
  const known = fieldsOf(route);
  const name = fc.oneof(
    fc.constantFrom(...known, 'extra', '__proto__', 'constructor', 'toString', 'id'),
    fc.string({ maxLength: 10 }),
  );
  const object = fc
    .array(fc.tuple(name, value), { maxLength: 6 })
    .map(
      (entries) =>
        `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`).join()}}`,
    );
  return fc.oneof(
    { weight: 4, arbitrary: object },
    value.map((each) => JSON.stringify(each)),
    nested,
    fc.constantFrom('', '{', '}', 'null', '\ufeff{}', '{"a":1}{"a":1}', `"${'x'.repeat(66_000)}"`, 'a=1&b=2'),
  );
}

/** Half of a surrogate pair cannot be written in an address. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

const contentType = fc.oneof(
  { weight: 6, arbitrary: fc.constant('application/json') },
  fc.constantFrom(
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json; charset=utf-16',
    'application/problem+json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'x',
    '',
    ';',
  ),
);

function queryOf(route: Route): fc.Arbitrary<string> {
  const known = Object.keys(route.query?.shape ?? {});
  const pair = fc.tuple(fc.constantFrom(...known, 'extra', '__proto__', 'constructor', 'a[b]', ''), text);
  const encoded = fc
    .array(pair, { maxLength: 4 })
    .map((pairs) => pairs.map(([key, each]) => `${key}=${encodeURIComponent(wellFormed(each))}`).join('&'));
  const raw = fc.constantFrom(
    '%',
    'page=%zz',
    'search=%ff',
    'page=1&page=2',
    '&&&',
    '=',
    'search=%00',
    'search[]=1',
  );
  return fc.oneof({ weight: 3, arbitrary: encoded }, raw);
}

function pathOf(route: Route): fc.Arbitrary<string> {
  const names = Object.keys(route.params?.shape ?? {});
  if (names.length === 0) return fc.constant(route.path);
  const part = fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    text.map((each) => encodeURIComponent(wellFormed(each.slice(0, 3000)))),
    fc.constantFrom('%', '%zz', '%c0%af', '%00', '%2F', '%2e%2e', '%ff%fe', 'a%2', '$', ':', '*'),
  );
  return fc
    .array(part, { minLength: names.length, maxLength: names.length })
    .map((parts) =>
      route.path.replace(
        /\{(\w+)\}/g,
        (_, name: string) => parts[names.indexOf(name)] || (named[name] ?? 'NOBODY'),
      ),
    );
}

/** Whoever reads it as a URL takes such parts out, and what is left may be the path of another call. */
const isDotted = /\/(\.|%2e){1,2}(\/|$)/i;
const allResponses: Record<string, object[]> = {};
for (const route of Object.values<Route>(routes))
  for (const [status, response] of Object.entries(responsesOf(route)))
    allResponses[status] = [...(allResponses[status] ?? []), response];

describe.each(Object.entries<Route>(routes) as [RouteName, Route][])('%s', (_, route) => {
  const responses = responsesOf(route);

  // Of each call its own: one before may have ended the session, or deleted what the path names.
  beforeAll(async () => {
    user = await server.createUser();
    const organizationId = await server.createOrganization(user);
    const { serialNumber } = await createTestController(server, { organizationId });
    Object.assign(named, { serialNumber, organizationId, userId: user.id });
    // A stream that is answered does not end.
    if (route.kind === 'events') delete named.organizationId;
  });

  it('answers whatever comes by what it declares', async () => {
    await fc.assert(
      fc.asyncProperty(
        pathOf(route),
        queryOf(route),
        bodyOf(route),
        contentType,
        fc.constantFrom(...locales),
        fc.boolean(),
        async (path, query, payload, type, locale, isLoggedIn) => {
          const answer = await server.request(route.method, query === '' ? path : `${path}?${query}`, {
            headers: {
              'accept-language': locale,
              'content-type': type,
              ...(isLoggedIn ? { authorization: `Bearer ${user.access}` } : {}),
            },
            payload,
          });
          // A link and the event stream speak the language of the account, which a call before may have changed.
          const isOwnCall = (route.kind ?? 'json') === 'json';
          const spoken = isOwnCall ? [locale] : locales;
          expectDeclaredError(answer, spoken, isDotted.test(path) ? allResponses : responses);
        },
      ),
    );
  });

  it.each(locales)('answers bad headers by what it declares (%s)', async (locale) => {
    const latin = fc.string({ maxLength: 60 }).map((each) => each.replace(/[^ -~]/g, '?'));
    const header = fc.record({
      authorization: fc.oneof(
        latin,
        latin.map((each) => `Bearer ${each}`),
        fc.constant(`Bearer ${'x.'.repeat(9000)}`),
      ),
      cookie: fc.oneof(
        latin,
        latin.map((each) => `pult_session=${each}`),
        fc.constant('pult_session=%ff; =; ;;'),
      ),
      origin: fc.oneof(latin, fc.constantFrom('null', server.publicUrl)),
      'sec-fetch-site': latin,
      'user-agent': latin,
    });
    const kept = fc.subarray(['authorization', 'cookie', 'origin', 'sec-fetch-site', 'user-agent'] as const);
    await fc.assert(
      fc.asyncProperty(header, kept, async (all, names) => {
        const headers: Record<string, string> = {
          'accept-language': locale,
          'content-type': 'application/json',
        };
        for (const name of names) headers[name] = all[name];
        const path = route.path.replace(/\{\w+\}/g, 'NOBODY');
        const answer = await server.request(route.method, path, { headers, payload: '{}' });
        expectDeclaredError(answer, [locale], responses);
      }),
    );
  });
});

describe('the calls of devices', () => {
  it.each([CHALLENGE_PATH, ENROLL_PATH])('%s answers whatever comes by a refusal', async (path) => {
    const names = ['serialNumber', 'publicKey', 'model', 'firmwareVersion', 'agentVersion', '__proto__'];
    const object = fc.dictionary(fc.constantFrom(...names), value).map((each) => JSON.stringify(each));
    const header = fc.string({ maxLength: 200 }).map((each) => each.replace(/[^ -~]/g, '?'));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(object, nested, text),
        contentType,
        fc.oneof(
          header,
          header.map((each) => `Pult ${each}`),
        ),
        async (payload, type, authorization) => {
          server.clock.advance(1000); // one more enrolment is allowed each second
          const answer = await server.request('POST', path, {
            headers: { 'content-type': type, authorization },
            payload,
          });
          expect(answer.status).toBeLessThan(500);
          expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
          if (answer.status === 200) return;
          const { code, detail } = answer.body as { code: string; detail: string };
          expect(isErrorCode(code) && errorCatalogue[code].status).toBe(answer.status);
          expect(detail).toMatch(/\.$/);
        },
      ),
    );
  });
});
