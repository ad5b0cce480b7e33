import { afterEach, expect, test, vi } from 'vitest';
import { makeApiError } from '../../shared/api/testing.ts';
import { readReporterSettings, startErrorTracking } from './error-tracking.ts';
import { createReporter } from './sentry.ts';

const dsn = 'https://key@errors.example.com/7';

afterEach(() => {
  document.head.innerHTML = '';
  window.history.replaceState(null, '', '/');
});

function setMeta(content: Record<string, string>) {
  for (const [name, value] of Object.entries(content)) {
    const meta = document.createElement('meta');
    meta.name = `pult:${name}`;
    meta.content = value;
    document.head.append(meta);
  }
}

function start(environment: string) {
  setMeta({ 'sentry-dsn': dsn, 'app-env': environment, version: '1.2.3' });
  const reported: unknown[] = [];
  const load = vi.fn(async () => (error: unknown) => void reported.push(error));
  return { ...startErrorTracking(load), load, reported };
}

// spec: 2.38
test.each(['production', 'staging'])('spec 2: error tracking reports from %s', async (environment) => {
  const { track, load, reported } = start(environment);
  const error = new Error('broken');
  track(error);
  await vi.waitFor(() => expect(reported).toEqual([error]));
  expect(load).toHaveBeenCalledExactlyOnceWith({ dsn, environment, release: '1.2.3' });
});

// spec: 2.38
test.each(['development', 'test', '', '%APP_ENV%'])(
  'spec 2: error tracking neither loads nor reports from “%s”',
  async (environment) => {
    const { track, load } = start(environment);
    track(new Error('broken'));
    window.dispatchEvent(new ErrorEvent('error', { error: new Error('broken') }));
    expect(load).not.toHaveBeenCalled();
  },
);

// spec: 2.38
test('spec 2: error tracking needs an address to report to', () => {
  setMeta({ 'app-env': 'production', 'sentry-dsn': '' });
  expect(readReporterSettings()).toBeUndefined();
});

// spec: 2.38
test('spec 2: error tracking ignores 401 and 404, and no other answer', async () => {
  const { track, reported } = start('production');
  track(makeApiError('getController', { status: 404, params: { serialNumber: 'A1' } }));
  track(makeApiError('listOrganizations', { status: 401 }));
  const failed = makeApiError('listOrganizations', { status: 500 });
  track(failed);
  await vi.waitFor(() => expect(reported).toEqual([failed]));
});

test('an error that several places see is reported once, whether or not it was caught', async () => {
  const { track, reported } = start('production');
  const error = new Error('broken');
  track(error);
  track(error);
  window.dispatchEvent(new ErrorEvent('error', { error }));
  const other = new Error('uncaught');
  window.dispatchEvent(new ErrorEvent('error', { error: other }));
  await vi.waitFor(() => expect(reported).toEqual([error, other]));
});

test('what is thrown before the reporter has come waits for it, twenty of it at most, whatever it is', async () => {
  const { track, reported } = start('production');
  const thrown = [null, 'text', 'text', undefined, ...Array.from({ length: 20 }, (_, number) => number)];
  for (const error of thrown) track(error);
  await vi.waitFor(() => expect(reported).toEqual(thrown.slice(0, 20)));
  track('late');
  expect(reported.at(-1)).toBe('late');
});

test('a page whose reporter does not load goes on', async () => {
  setMeta({ 'sentry-dsn': dsn, 'app-env': 'production' });
  const { track } = startErrorTracking(async () => Promise.reject(new Error('blocked')));
  track(new Error('broken'));
  await Promise.resolve();
  expect(() => track(new Error('again'))).not.toThrow();
});

test('what is sent holds no address, secret, email, user or trail', async () => {
  const sent: { url: string; body: string }[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push({ url, body: String(init.body) });
    return new Response('{}');
  });
  window.history.replaceState(null, '', '/password-reset/SECRETUID/SECRETTOKEN/?q=SECRETQUERY#SECRETHASH');
  document.title = 'SECRETTITLE';
  const cause = new Error('cause: /signup/confirm/SECRETLINK/ of someone@example.com');
  const message =
    'Failed: https://pult.example/organizations/SECRETID/controllers/SECRETSERIAL?token=SECRETQUERY (SECRETSECRETSECRETSECRET)';
  createReporter({ dsn, environment: 'production', release: '1.2.3' })(new TypeError(message, { cause }));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(new URL(sent[0]?.url ?? '').origin).toBe('https://errors.example.com');
  const body = sent[0]?.body ?? '';
  expect(body).toContain('"page":"/password-reset/:/:/"');
  expect(body).toContain('Failed: https://pult.example/organizations/:/controllers/: ([…])');
  expect(body).toContain('cause: /signup/confirm/:/ of [email]');
  expect(body).not.toContain('SECRET');
  expect(body).not.toContain('someone@');
  for (const field of ['"request"', '"user"', '"breadcrumbs"', '"contexts"', '"extra"']) {
    expect(body).not.toContain(field);
  }
});

test('failed calls are told apart by route and status', async () => {
  const bodies: string[] = [];
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    bodies.push(String(init.body));
    return new Response('{}');
  });
  createReporter({ dsn, environment: 'staging', release: undefined })(
    makeApiError('createOrganization', { status: 409, body: { code: 'organizations_limit_reached' } }),
  );
  await vi.waitFor(() =>
    expect(bodies[0]).toContain('["ApiError","createOrganization: 409 organizations_limit_reached"]'),
  );
});

test('a report names the release and the environment, and asks that no address of its sender be kept', async () => {
  const bodies: string[] = [];
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    bodies.push(String(init.body));
    return new Response('{}');
  });
  createReporter({ dsn, environment: 'staging', release: '1.2.3' })(new Error('broken'));
  await vi.waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toContain('"release":"1.2.3"');
  expect(bodies[0]).toContain('"environment":"staging"');
  expect(bodies[0]).toContain('"infer_ip":"never"');
});

test('a page that is left sends no account of the reports that were lost', async () => {
  const bodies: string[] = [];
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    bodies.push(String(init.body));
    throw new TypeError('no network');
  });
  createReporter({ dsn, environment: 'staging', release: '1.2.3' })(new Error('broken'));
  await vi.waitFor(() => expect(bodies).toHaveLength(1));
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(bodies).toHaveLength(1);
});
