import {
  createApiClient,
  type OtlpReceiver,
  poll,
  type ReceivedSpan,
  startOtlpReceiver,
} from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLightServer, startLightSite } from './light-server.ts';
import { claim, openWebInterface, type Site } from './site.ts';

const header = 'Bearer of-the-collector';

// The built server and the built agent as processes of their own. The steps build on each other.
describe.sequential('traces of the server', () => {
  let receiver: OtlpReceiver;
  let site: Site;

  beforeAll(async () => {
    receiver = await startOtlpReceiver();
    site = await startLightSite({
      serverEnv: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(header)}`,
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
        OTEL_BSP_SCHEDULE_DELAY: '200',
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5',
      },
    });
    await claim(site);
  }, 120_000);
  afterAll(async () => {
    await site?.[Symbol.asyncDispose]();
    await receiver?.close();
  });

  const find = (isWanted: (span: ReceivedSpan) => boolean) =>
    poll(() => receiver.spans.find(isWanted), { what: 'the span arrives', timeoutMs: 20_000 });
  const listTrace = ({ traceId }: ReceivedSpan) => receiver.spans.filter((span) => span.traceId === traceId);

  test('a call leads to the database, over the link and to what the device took, in one trace', async () => {
    const call = await find(({ name }) => name === 'POST /api/v1/controllers-activation/activate/');
    expect(call).toMatchObject({
      service: 'pult',
      parentSpanId: '',
      kind: 2,
      isError: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/controllers-activation/activate/',
        'http.response.status_code': '200',
      },
      resource: { 'deployment.environment.name': 'test', 'service.version': expect.any(String) },
    });
    // That it is claimed is told to the device.
    const told = await find(
      ({ traceId, service, name }) =>
        traceId === call.traceId && service === 'pult-agent' && name === 'PUT /v1/state',
    );
    const asked = listTrace(call).find(({ spanId }) => spanId === told.parentSpanId);
    expect(asked).toMatchObject({
      service: 'pult',
      name: 'PUT /v1/state',
      kind: 3,
      parentSpanId: call.spanId,
      isError: false,
    });
    expect(told.kind).toBe(2);
    expect(told.start).toBeGreaterThanOrEqual(asked?.start ?? 0n);
    expect(told.end).toBeLessThanOrEqual(asked?.end ?? 0n);
    expect(told.end).toBeGreaterThan(told.start);
    const statements = listTrace(call).filter(({ attributes }) => attributes['db.system.name']);
    expect(statements.length).toBeGreaterThan(2);
    for (const statement of statements) {
      expect(statement).toMatchObject({ parentSpanId: call.spanId, kind: 3 });
      expect(statement.start).toBeGreaterThanOrEqual(call.start);
    }
    // With places in it, and not what was put there.
    expect(statements.map(({ attributes }) => attributes['db.query.text']).join()).toContain('$1');
  });

  test('a page through the tunnel is a trace without its path, and leads to the device', async () => {
    const browser = await openWebInterface(site);
    const page = await browser.request(`${site.tunnelUrl}/secret-path?secret-query=1`);
    expect(page.status).toBe(404);
    const asked = await find(({ name, kind }) => name === 'CONNECT http' && kind === 3);
    const request = await find(
      ({ traceId, parentSpanId }) => traceId === asked.traceId && parentSpanId === '',
    );
    expect(request).toMatchObject({ name: 'GET tunnel', service: 'pult' });
    await find(({ parentSpanId, service }) => parentSpanId === asked.spanId && service === 'pult-agent');
    await find(
      ({ name, attributes }) => name === 'GET tunnel' && attributes['http.response.status_code'] === '404',
    );
  });

  test('what a caller may not do is told by its status, and nobody chooses the name of a trace', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const answer = await fetch(`${site.server.url}/api/v1/controllers/no-such-one/?x=secret-query`, {
      headers: { traceparent },
    });
    expect(answer.status).toBe(401);
    const call = await find(
      ({ name, attributes }) =>
        name === 'GET /api/v1/controllers/{serialNumber}/' &&
        attributes['http.response.status_code'] === '401',
    );
    expect(call.isError).toBe(false);
    expect(receiver.spans.some(({ traceId }) => traceparent.includes(traceId))).toBe(false);
  });

  test('traces are sent in pieces as large as it is set', () => {
    expect(Math.max(...receiver.requests.map(({ spanCount }) => spanCount))).toBe(5);
  });

  test('nothing that is sent tells of whom or of what it is', async () => {
    const { token } = await site.agent.waitForActivation();
    const sent = Buffer.concat(receiver.requests.map(({ body }) => body)).toString('latin1');
    const words = [site.serialNumber, site.server.adminEmail, site.server.adminPassword, token];
    for (const word of [...words, 'secret-path', 'secret-query', 'no-such-one'])
      expect(sent).not.toContain(word);
    for (const { path, headers } of receiver.requests)
      expect({ path, authorization: headers.authorization }).toEqual({
        path: '/v1/traces',
        authorization: header,
      });
  });

  test('no statement or request to a device stands in a trace that nobody has begun', async () => {
    // The span that a trace begins with ends last, and so is sent last.
    const listOrphans = () => {
      const firsts = receiver.spans.filter(({ parentSpanId }) => !parentSpanId);
      const begun = new Set(firsts.map(({ traceId }) => traceId));
      return receiver.spans.filter(({ traceId }) => !begun.has(traceId));
    };
    await expect.poll(listOrphans).toEqual([]);
    const firsts = receiver.spans.filter(({ parentSpanId }) => parentSpanId === '');
    expect(firsts.every(({ kind }) => kind === 2)).toBe(true);
  });

  test('a receiver that has gone is told of once in the log, and the server stops in time', async () => {
    await receiver.close();
    for (let count = 0; count < 3; count += 1) await site.api.call('getCurrentUser');
    await site.server.process.waitForLine(/traces could not be sent/);
    await site.api.call('getCurrentUser');
    const begun = performance.now();
    expect(await site.server.halt()).toMatchObject({ code: 0 });
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});

test('a sampler that takes none sends none, and the server answers as ever', async () => {
  await using receiver = await startOtlpReceiver();
  await using server = await startLightServer({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  });
  const login = { username: server.adminEmail, password: server.adminPassword };
  const api = await createApiClient({ baseUrl: server.url, ...login });
  await api.call('listOrganizations');
  expect(await server.halt()).toMatchObject({ code: 0 });
  expect(receiver.spans).toEqual([]);
}, 120_000);
