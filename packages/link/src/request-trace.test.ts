import { expect, test } from 'vitest';
import { ServiceError } from './link-error.ts';
import { addTraceParent, type RequestTrace, splitTook, splitTraceParent } from './request-trace.ts';
import { parseRequest } from './requests.ts';
import { acceptDevice, createLinkPair, sampleInfo } from './testing/link-pair.ts';
import { countBytes, createService } from './testing/services.ts';

const traceParent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

function createTracer() {
  const told: { name: string; outcome: Parameters<RequestTrace['end']>[0] }[] = [];
  const traceRequest = (name: string): RequestTrace => {
    let isOver = false;
    return {
      traceParent,
      end(outcome) {
        if (!isOver) told.push({ name, outcome });
        isOver = true;
      },
    };
  };
  return { told, traceRequest };
}

test('a traced request is answered with how long the device took for it', async () => {
  const { told, traceRequest } = createTracer();
  const { cloud } = await createLinkPair({
    handlers: {
      ...(await createService((socket) => socket.end('hello'))),
      async getInfo() {
        await new Promise((resolve) => setTimeout(resolve, 30));
        return sampleInfo;
      },
    },
    cloud: { traceRequest, takesTraces: true },
  });
  expect(await cloud.getInfo()).toEqual(sampleInfo);
  expect(await countBytes(await cloud.openService('port-8080'))).toBe(5);
  const packed = cloud.open('http', { mayPack: true });
  packed.end();
  expect(await countBytes(packed)).toBe(5);
  expect(told.map(({ name }) => name)).toEqual(['GET /v1/info', 'CONNECT port', 'CONNECT http']);
  expect(told[0]?.outcome.tookMicros).toBeGreaterThan(25_000);
  for (const { outcome } of told) expect(outcome).toEqual({ tookMicros: expect.any(Number) });
});

test('a traced refusal keeps its reason, and tells its time beside it', async () => {
  const { told, traceRequest } = createTracer();
  const { cloud } = await createLinkPair({ cloud: { traceRequest, takesTraces: true } });
  const refusal = await cloud.openService('ssh').catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'service_refused', reason: 'no service in this test' });
  expect(told).toEqual([
    { name: 'CONNECT ssh', outcome: { error: refusal, tookMicros: expect.any(Number) } },
  ]);
});

test('an agent that has not said that it takes traces is asked as before, and the request is traced here alone', async () => {
  const { told, traceRequest } = createTracer();
  const { socket, cloud } = await acceptDevice({ cloud: { traceRequest } });
  let sent = '';
  socket.on('data', (chunk: Buffer) => {
    sent += chunk.toString('latin1');
  });
  const asked = cloud.getInfo().catch((error: unknown) => error);
  await expect.poll(() => sent).toContain('GET /v1/info\n');
  socket.destroy();
  expect(await asked).toBeInstanceOf(ServiceError);
  expect(told).toEqual([{ name: 'GET /v1/info', outcome: { error: expect.any(ServiceError) } }]);
});

test('a request without a trace is answered as before', async () => {
  const { cloud } = await createLinkPair({
    cloud: { traceRequest: () => undefined, takesTraces: true },
  });
  expect(await cloud.getInfo()).toEqual(sampleInfo);
});

test('what only looks like a trace or a time is left where it stands', () => {
  const lines = ['CONNECT http', 'GET /v1/info', 'CONNECT port-80 deflate'];
  for (const line of lines) {
    expect(splitTraceParent(addTraceParent(line, traceParent))).toEqual({ line, traceParent });
    expect(parseRequest(addTraceParent(line, traceParent))).toEqual(parseRequest(line));
  }
  const odd = ['CONNECT http trace=', `CONNECT http trace=${traceParent}x`, 'CONNECT http trace=00-1-2-3'];
  for (const line of odd) {
    expect(splitTraceParent(line)).toEqual({ line, traceParent: undefined });
    expect(parseRequest(line)).toBeNull();
  }
  expect(splitTook('no time: took=')).toEqual({ text: 'no time: took=' });
  expect(splitTook('took=12')).toEqual({ text: 'took=12' });
  expect(splitTook('502 refused took=1234567890123')).toEqual({ text: '502 refused took=1234567890123' });
});
