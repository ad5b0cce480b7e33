import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { freePort, type NatsServer, startNatsServer } from '@pult/testkit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { createNatsBus } from '../../../platform/cluster/bus/nats-bus.ts';
import { createNodeLink } from '../../../platform/cluster/link/node-link.ts';
import { createLog } from '../../../platform/log.ts';
import { SocketLike } from '../../../platform/streams.ts';
import type { CloseReason, DeviceConnection, EndpointStream } from '../device-connection.ts';
import { createDeviceRouter } from '../device-router.ts';
import { EndpointError } from '../endpoint-error.ts';
import { createLocalLinks } from '../local-links.ts';
import { createFindHolder } from './find-holders.ts';
import { createRemoteLinks } from './remote-links.ts';
import { serveOtherNodes } from './serve-other-nodes.ts';

const log = createLog('silent');
const key = randomBytes(32);
let nats: NatsServer;
beforeAll(async () => {
  nats = await startNatsServer();
});
afterAll(() => nats.stop());

/** What a device's endpoints do, by their names. */
type Endpoints = Record<string, (stream: TestStream) => void>;

/** The server's end of a stream, and the device's behind it. */
class TestStream extends SocketLike {
  connecting = true;
  readonly device: Duplex;

  constructor() {
    super({ allowHalfOpen: true });
    const near = this;
    this.device = new Duplex({
      allowHalfOpen: true,
      read() {
        near.#resumeNear();
      },
      write(chunk, _, done) {
        if (near.push(chunk)) done();
        else near.#resumeDevice = done;
      },
      final(done) {
        near.push(null);
        done();
      },
    });
  }

  #resumeDevice: (() => void) | undefined;
  #done: (() => void) | undefined;
  #resumeNear(): void {
    const done = this.#done;
    this.#done = undefined;
    done?.();
  }

  accept(): void {
    this.connecting = false;
    this.emit('connect');
  }

  override _read(): void {
    const resume = this.#resumeDevice;
    this.#resumeDevice = undefined;
    resume?.();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    if (this.device.push(chunk)) done();
    else this.#done = done;
  }

  override _final(done: () => void): void {
    this.device.push(null);
    done();
  }
}

function createDevice(endpoints: Endpoints) {
  let end: (reason: CloseReason) => void = () => {};
  let onWaiting = () => {};
  const closed = new Promise<CloseReason>((resolve) => {
    end = resolve;
  });
  const streams = new Set<TestStream>();
  const device = {
    capabilities: new Set<never>(),
    isWaiting: false,
    resumeMs: 60_000,
    open(endpoint: string): EndpointStream {
      const stream = new TestStream();
      streams.add(stream);
      setImmediate(() => endpoints[endpoint]?.(stream));
      return stream;
    },
    onWaiting: (listener: () => void) => {
      onWaiting = listener;
    },
    wait(isWaiting: boolean) {
      device.isWaiting = isWaiting;
      onWaiting();
    },
    drain: () => end('shutdown'),
    close(reason: CloseReason) {
      for (const stream of streams) stream.destroy(new EndpointError('link_closed'));
      end(reason);
    },
    closed,
    bytesIn: 0,
    bytesOut: 0,
  };
  return device satisfies DeviceConnection;
}

const echo: Endpoints = {
  http(stream) {
    stream.accept();
    stream.device.pipe(stream.device);
  },
};

async function startNode(id: string, isHeld = async () => false) {
  const port = await freePort();
  const self = { id, address: `127.0.0.1:${port}` };
  const bus = createNatsBus({
    settings: { urls: [nats.url] },
    key,
    getNodeId: () => id,
    clock: systemClock,
    log,
  });
  const link = await createNodeLink({ material: key, nodeId: id, log });
  const links = createLocalLinks(systemClock);
  serveOtherNodes({ links, nodes: { bus, link, getSelf: () => self }, clock: systemClock, log });
  const remote = createRemoteLinks({ link }, createFindHolder({ bus }, { isHeld }));
  await link.listen('127.0.0.1', port);
  bus.start();
  await expect.poll(() => bus.isConnected).toBe(true);
  onTestFinished(async () => {
    remote.stop();
    await bus.stop();
    await link.close();
  });
  const router = createDeviceRouter(links, {
    ...remote,
    listOnline: async () => [],
    isAnyOnline: async () => true,
  });
  return { links, router, bus, link };
}

const startPair = async () => [await startNode('far'), await startNode('near')] as const;
const targetOf = (enrolmentId: string) => ({ enrolmentId, serialNumber: enrolmentId.toUpperCase() });

async function hold(
  node: Awaited<ReturnType<typeof startNode>>,
  id: string,
  endpoints = echo,
  generation = 1,
) {
  const device = createDevice(endpoints);
  node.links.add(id, device, generation);
  await node.bus.flush();
  return device;
}

test('a device of another node is reached: bytes go both ways, and each direction ends on its own', async () => {
  const [far, near] = await startPair();
  await hold(far, 'echo');
  const bytes = randomBytes(5 * 1024 * 1024);
  const stream = near.router.open(targetOf('echo'), 'http');
  stream.end(bytes);
  await once(stream, 'connect');
  expect(Buffer.concat(await stream.toArray()).equals(bytes)).toBe(true);
  await near.router.require(targetOf('echo'));
  expect(near.router.get('echo')).toBeDefined();
  expect(near.links.get('echo')).toBeUndefined();
});

test('what a device says goes on behind the end of what it was told', async () => {
  const [far, near] = await startPair();
  await hold(far, 'half', {
    http(stream) {
      stream.accept();
      stream.device.resume().once('end', () => stream.device.end('after the end'));
    },
  });
  const stream = near.router.open(targetOf('half'), 'http');
  stream.end('that is all');
  expect(Buffer.concat(await stream.toArray()).toString()).toBe('after the end');
});

test('a reader that stands still holds the device back over both hops', async () => {
  const [far, near] = await startPair();
  let written = 0;
  await hold(far, 'flood', {
    http(stream) {
      stream.accept();
      const write = () => {
        let hasRoom = true;
        while (hasRoom) {
          hasRoom = stream.device.write(Buffer.alloc(64 * 1024));
          written += 64 * 1024;
        }
        stream.device.once('drain', write);
      };
      write();
    },
  });
  const stream = near.router.open(targetOf('flood'), 'http');
  await once(stream, 'connect');
  let before = -1;
  await expect
    .poll(
      () => {
        const isStill = written > 0 && written === before;
        before = written;
        return isStill;
      },
      { interval: 300 },
    )
    .toBe(true);
  expect(written).toBeLessThan(4 * 1024 * 1024);
  stream.resume();
  await expect.poll(() => written).toBeGreaterThan(8 * 1024 * 1024);
  stream.destroy();
});

test('the refusal of a device comes with its own code and words', async () => {
  const [far, near] = await startPair();
  await hold(far, 'refusing', {
    http: (stream) => void stream.destroy(new EndpointError('service_refused', 'ECONNREFUSED 127.0.0.1:80')),
    ssh: (stream) =>
      void stream.destroy(new EndpointError('service_not_forwarded', 'it needs an -R of its own')),
  });
  const refusalOf = (endpoint: string) => once(near.router.open(targetOf('refusing'), endpoint), 'connect');
  await expect(refusalOf('http')).rejects.toMatchObject({
    code: 'service_refused',
    reason: 'ECONNREFUSED 127.0.0.1:80',
  });
  await expect(refusalOf('ssh')).rejects.toMatchObject({ code: 'service_not_forwarded' });
  // What was written meanwhile goes nowhere, and says the same.
  const writing = near.router.open(targetOf('refusing'), 'http');
  writing.write(Buffer.alloc(8 * 1024 * 1024));
  await expect(once(writing, 'connect')).rejects.toMatchObject({ code: 'service_refused' });
});

test('a cut by the device is told apart from the end of its link', async () => {
  const [far, near] = await startPair();
  const streams: TestStream[] = [];
  const device = await hold(far, 'cut', {
    http(stream) {
      streams.push(stream);
      stream.accept();
    },
  });
  const open = async () => {
    const stream = near.router.open(targetOf('cut'), 'http');
    await once(stream, 'connect');
    return stream;
  };
  const [first, second] = [await open(), await open()];
  const changes: string[] = [];
  near.router.onChange((id, change) => changes.push(`${id} ${change}`));
  streams[0]?.destroy(new EndpointError('service_reset'));
  expect((await once(first, 'error'))[0]).toMatchObject({ code: 'service_reset' });
  device.close('transport');
  expect((await once(second, 'error'))[0]).toMatchObject({ code: 'link_closed' });
  await expect.poll(() => changes).toEqual(['cut link']);
  await expect(near.router.require(targetOf('cut'))).rejects.toMatchObject({ code: 'controller_offline' });
});

test('a link that was cut and is waited for is told, and so is its return', async () => {
  const [far, near] = await startPair();
  const device = await hold(far, 'waits');
  await near.router.require(targetOf('waits'));
  device.wait(true);
  await expect.poll(() => near.router.getWait('waits')).toBeGreaterThan(50_000);
  expect(near.router.get('waits')).toBeUndefined();
  await expect(near.router.require(targetOf('waits'))).rejects.toMatchObject({ code: 'controller_offline' });
  device.wait(false);
  await expect.poll(() => near.router.get('waits')).toBeDefined();
  expect(near.router.getWait('waits')).toBeUndefined();
});

test('a newer link wins on whatever node, and an older one that comes late is cut', async () => {
  const [far, near] = await startPair();
  const older = await hold(far, 'moves', echo, 1);
  const newer = await hold(near, 'moves', echo, 2);
  expect(await older.closed).toBe('replaced');
  const late = await hold(far, 'moves', echo, 1);
  expect(await late.closed).toBe('replaced');
  expect(near.links.get('moves')).toBe(newer);
  await expect.poll(() => near.links.listReplacements('moves').length).toBe(2);
});

test('an older link that comes late to the node of the newer one is cut', async () => {
  const [far] = await startPair();
  const newer = await hold(far, 'late', echo, 2);
  const late = createDevice(echo);
  far.links.add('late', late, 1);
  expect(await late.closed).toBe('replaced');
  expect(far.links.get('late')).toBe(newer);
  expect(far.links.getGeneration('late')).toBe(2);
});

test('a device that nobody holds is offline, and not reached where the database says that somebody does', async () => {
  const near = await startNode('near');
  await expect(near.router.require(targetOf('none'))).rejects.toMatchObject({ code: 'controller_offline' });
  const other = await startNode('other', async () => true);
  await expect(other.router.require(targetOf('none'))).rejects.toMatchObject({ code: 'node_unreachable' });
  await expect(once(other.router.open(targetOf('none'), 'http'), 'connect')).rejects.toMatchObject({
    code: 'node_unreachable',
  });
});

test('a node that stands still is waited for as long as its lease lasts', async () => {
  let isAlive = true;
  const near = await startNode('near', async () => isAlive);
  const still = await startNode('still');
  still.bus.subscribe('pult.device.stuck', () => undefined);
  await still.bus.flush();
  await expect(near.router.require(targetOf('stuck'))).rejects.toMatchObject({ code: 'node_unreachable' });
  isAlive = false;
  await expect(near.router.require(targetOf('stuck'))).rejects.toMatchObject({ code: 'controller_offline' });
});

test('a ticket opens one stream, for the node that has asked and no other', async () => {
  const [far, near] = await startPair();
  await hold(far, 'ticketed');
  const third = await startNode('third');
  const ask = async () =>
    (await near.bus.request('pult.device.ticketed', { type: 'open', service: 'http' })) as {
      ticket: string;
      node: string;
      address: string;
    };
  const options = { priority: 1, answerTimeoutMs: 2_000 } as const;
  const use = ({ node, address, ticket }: Awaited<ReturnType<typeof ask>>, by: typeof near) =>
    once(by.link.open({ id: node, address }, `DEVICE ${ticket}`, options), 'connect');
  const stolen = await ask();
  await expect(use(stolen, third)).rejects.toMatchObject({ code: 'ticket' });
  const own = await ask();
  await use(own, near);
  await expect(use(own, near)).rejects.toMatchObject({ code: 'ticket' });
});
