import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { FaultProxy, freePort, whenClosed } from '@pult/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../log.ts';
import { createNodeIdentity } from './node-certificates.ts';
import {
  acceptNodeStream,
  createNodeLink,
  type NodeLink,
  refuseNodeStream,
  streamPriorities,
} from './node-link.ts';

const log = createLog('silent');
const material = randomBytes(32);
const options = { priority: streamPriorities.page, answerTimeoutMs: 5_000 };

async function startNode(nodeId: string, ownMaterial = material, handshakeMs?: number) {
  const timing = handshakeMs === undefined ? {} : { handshakeMs };
  const link = await createNodeLink({ material: ownMaterial, nodeId, log, ...timing });
  const port = await freePort();
  onTestFinished(() => link.close());
  return { link, port, peer: { id: nodeId, address: `127.0.0.1:${port}` } };
}

async function startEcho(nodeId: string, handshakeMs?: number) {
  const node = await startNode(nodeId, material, handshakeMs);
  node.link.handle('ECHO', (stream, rest, peerId) => {
    acceptNodeStream(stream, `${peerId} ${rest}`);
    stream.pipe(stream);
  });
  node.link.handle('NO', (stream) => refuseNodeStream(stream, 'service_refused', 'its own\nwords'));
  await node.link.listen('127.0.0.1', node.port);
  return node;
}

const open = (link: NodeLink, peer: { id: string; address: string }, line: string) =>
  link.open(peer, line, options);

test('a stream to another node carries bytes both ways, and many share one connection', async () => {
  const { peer, link: far } = await startEcho('far');
  const { link } = await startNode('near');
  const bytes = randomBytes(3 * 1024 * 1024);
  const echo = async () => {
    const stream = open(link, peer, 'ECHO hello');
    stream.end(bytes);
    return Buffer.concat(await stream.toArray());
  };
  const echoed = await Promise.all(Array.from({ length: 8 }, echo));
  expect(echoed.every((each) => each.equals(bytes))).toBe(true);
  expect([link.state.out, far.state.in, link.counts.opened]).toEqual([1, 1, 1]);
});

test('the node that is asked knows who asks, by its certificate', async () => {
  const { peer } = await startEcho('far');
  const { link } = await startNode('near');
  let words = '';
  const stream = link.open(peer, 'ECHO hello', { ...options, onAccepted: (told) => (words = told) });
  await once(stream, 'connect');
  expect(words).toBe('near hello');
  stream.destroy();
});

test('more than 128 streams to one node are open at a time', async () => {
  const { peer } = await startEcho('far');
  const { link } = await startNode('near');
  const streams = Array.from({ length: 500 }, () => open(link, peer, 'ECHO'));
  await Promise.all(streams.map((stream) => once(stream, 'connect')));
  for (const stream of streams) stream.destroy();
});

test('a refusal of the other node brings its words, in one line', async () => {
  const { peer } = await startEcho('far');
  const { link } = await startNode('near');
  await expect(once(open(link, peer, 'NO'), 'connect')).rejects.toMatchObject({
    name: 'NodeRefusal',
    code: 'service_refused',
    reason: 'its own words',
  });
  await expect(once(open(link, peer, 'LATER 1'), 'connect')).rejects.toMatchObject({ code: 'unknown' });
});

test('a node of other secrets opens nothing, and a node does not open anything at it', async () => {
  const { peer } = await startEcho('far');
  const { link: stranger } = await startNode('near', randomBytes(32));
  await expect(once(open(stranger, peer, 'ECHO'), 'connect')).rejects.toMatchObject({ code: 'link_closed' });
  expect(stranger.counts.failed).toBe(1);
});

test('a client without a certificate, or with TLS 1.2, gets no further than TLS', async () => {
  const { port } = await startEcho('far');
  const identity = await createNodeIdentity(material, 'near');
  const tries = [{}, { cert: identity.cert, key: identity.key, maxVersion: 'TLSv1.2' as const }];
  for (const each of tries) {
    const socket = connectTls({
      port,
      host: '127.0.0.1',
      ca: identity.ca,
      checkServerIdentity: () => undefined,
      ...each,
    });
    const error = await new Promise<Error>((resolve) => {
      socket.on('error', resolve);
      // TLS 1.3 tells the client of it after its own handshake.
      socket.on('data', () => resolve(new Error('it was served')));
    });
    expect((error as Error & { code?: string }).code).toMatch(/ERR_SSL/);
  }
});

async function knock(port: number) {
  const socket = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}).resume();
  await once(socket, 'connect');
  return socket;
}

test('a connection to the port of the nodes that says nothing, or no TLS, is closed', async () => {
  const { port } = await startEcho('far', 200);
  const [silent, other] = [await knock(port), await knock(port)];
  other.write('GET / HTTP/1.1\r\n\r\n');
  await Promise.all([silent, other].map(whenClosed));
});

test('strangers that fill the port of the nodes keep no node out, not even from their own address, and hold up no stop', async () => {
  const { peer, port, link: far } = await startEcho('far', 60_000);
  const { link } = await startNode('near');
  const silent = await Promise.all(Array.from({ length: 600 }, () => knock(port)));
  await once(open(link, peer, 'ECHO'), 'connect');
  await expect.poll(() => silent.filter(({ readableEnded }) => !readableEnded).length).toBeLessThan(260);
  await link.close();
  await far.close();
  await Promise.all(silent.map(whenClosed));
});

test('another node at the address of one that is gone is not taken for it', async () => {
  const { peer } = await startEcho('far');
  const { link } = await startNode('near');
  const stream = open(link, { id: 'former', address: peer.address }, 'ECHO');
  await expect(once(stream, 'connect')).rejects.toMatchObject({ code: 'link_closed' });
  expect(link.counts.failed).toBe(1);
});

test('a node that becomes another one ends what was open, and asks and answers under its new id at once', async () => {
  const { peer, link: far } = await startEcho('far');
  const { link } = await startNode('near');
  const before = open(link, peer, 'ECHO');
  await once(before, 'connect');
  const renewed = link.renew('near-again');
  let words = '';
  const stream = link.open(peer, 'ECHO hello', { ...options, onAccepted: (told) => (words = told) });
  expect((await once(before, 'error'))[0]).toMatchObject({ code: 'link_closed' });
  await once(stream, 'connect');
  expect(words).toBe('near-again hello');
  await renewed;
  await far.renew('far-again');
  await expect(once(open(link, peer, 'ECHO'), 'connect')).rejects.toMatchObject({ code: 'link_closed' });
  await once(open(link, { ...peer, id: 'far-again' }, 'ECHO'), 'connect');
});

test('streams end with the connection that a silent line cuts, and the next ones come over another', async () => {
  const { peer, port } = await startEcho('far');
  const { link } = await startNode('near');
  await using proxy = await FaultProxy.start({ target: { host: '127.0.0.1', port } });
  const through = { id: peer.id, address: `127.0.0.1:${proxy.port}` };
  const stream = open(link, through, 'ECHO');
  await once(stream, 'connect');
  proxy.silence();
  stream.write('x');
  const [error] = await once(stream, 'error');
  expect(error).toMatchObject({ code: 'link_closed' });
  proxy.resume();
  await once(open(link, through, 'ECHO'), 'connect');
}, 30_000);
