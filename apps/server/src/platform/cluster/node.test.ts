import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { NodeSettings } from '../../config/node-settings.ts';
import { createLog } from '../log.ts';
import { createNode, type Node, type NodeTiming } from './index.ts';

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.close());

const settings = (port: number): NodeSettings => ({
  natsUrls: ['nats://127.0.0.1:4222'],
  isNatsInsecure: false,
  address: { host: '10.0.0.5', port },
  port,
});
const brief: NodeTiming = { renewMs: 30 };

function create({
  several = true,
  clean = async () => {},
  timing = brief,
  db = server.db,
}: {
  several?: boolean;
  clean?: () => Promise<unknown>;
  timing?: NodeTiming;
  db?: TestServer['db'];
} = {}): Node {
  const node = createNode({
    settings: several ? settings(7200) : undefined,
    installationKey: server.secrets.encryptionKey,
    version: '1.2.3',
    db,
    log: createLog('silent'),
    countLinks: () => 7,
    clean,
    timing,
  });
  onTestFinished(() => node.leave().catch(() => {}));
  return node;
}

const listNodes = () => server.db.selectFrom('nodes').selectAll().orderBy('started_at').execute();
const endLease = (id: string) =>
  server.db
    .updateTable('nodes')
    .set({ lease_until: sql<Date>`now() - interval '1 second'` })
    .where('id', '=', id)
    .execute();

/** Whether what names this node is believed to be left. */
async function isLeftOf(node: Node, nodeId: string | null): Promise<boolean> {
  const { rows } = await sql<{ left: boolean }>`
    select ${node.isDeadNode('node_id')} as left from (select ${nodeId}::text as node_id) named`.execute(
    server.db,
  );
  return rows[0]?.left ?? false;
}

describe('lease of a node', () => {
  it('the lease of a node is renewed with what it holds, longer than it fences itself', async () => {
    const node = create();
    await node.join();
    const [joined] = await listNodes();
    expect(joined).toMatchObject({
      id: node.id,
      address: '10.0.0.5:7200',
      version: '1.2.3',
      state: 'active',
    });
    expect(node.hasLease).toBe(true);
    node.start();
    await expect.poll(listNodes).toMatchObject([{ links: 7 }]);
    const [renewed] = await listNodes();
    expect(Number(renewed?.lease_until)).toBeGreaterThan(Number(joined?.lease_until));
    expect(Number(renewed?.lease_until) - Date.now()).toBeGreaterThan(35_000);
  });

  it('a node whose lease is over cuts all at once, and comes back under another id', async () => {
    const node = create();
    await node.join();
    const { id } = node;
    const seen: { id: string; hasLease: boolean }[] = [];
    node.onLost(() => seen.push({ id: node.id, hasLease: node.hasLease }));
    await endLease(id);
    node.start();
    await expect.poll(() => node.hasLease && node.id !== id).toBe(true);
    expect(seen).toEqual([{ id: node.id, hasLease: false }]);
    await expect.poll(listNodes).toMatchObject([
      { id, state: 'lost' },
      { id: node.id, state: 'active' },
    ]);
  });

  it('a node that does not reach the database cuts all before its lease is over for others', async () => {
    let isAway = false;
    // As if no statement were ever answered.
    const db = new Proxy(server.db, {
      get(target, name) {
        if (isAway && name === 'getExecutor')
          return () => new Proxy(target.getExecutor(), { get: () => () => new Promise(() => {}) });
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const node = create({ db, timing: { renewMs: 30, fenceMs: 1_000 } });
    await node.join();
    const { id } = node;
    const lost = vi.fn();
    node.onLost(lost);
    node.start();
    isAway = true;
    await expect.poll(() => lost.mock.calls.length).toBe(1);
    expect(node.hasLease).toBe(false);
    expect(node.id).not.toBe(id);
    const other = create();
    await other.join();
    expect(await isLeftOf(other, id)).toBe(false);
    isAway = false;
  });

  /** A database that does what it is told from a moment on, and loses its answers. */
  function loseAnswers() {
    let isLosing = false;
    let lost = 0;
    const losing = {
      get: (executor: object, name: string) => {
        const value: unknown = Reflect.get(executor, name, executor);
        if (typeof value !== 'function') return value;
        if (name !== 'executeQuery') return value.bind(executor);
        return async (...given: unknown[]) => {
          await value.apply(executor, given);
          lost += 1;
          throw new Error('Connection terminated unexpectedly');
        };
      },
    };
    const db = new Proxy(server.db, {
      get(target, name) {
        if (isLosing && name === 'getExecutor') return () => new Proxy(target.getExecutor(), losing);
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    return {
      db,
      get lost() {
        return lost;
      },
      set isLosing(value: boolean) {
        isLosing = value;
      },
    };
  }

  it.each([
    ['goes on under it', false],
    ['takes another one, where its lease is over by then', true],
  ])('a node that was not told that it is back under another id %s', async (_, isOver) => {
    const database = loseAnswers();
    const node = create({ db: database.db });
    await node.join();
    const former = node.id;
    const lost = vi.fn();
    node.onLost(lost);
    await endLease(former);
    node.onLost(() => {
      database.isLosing = lost.mock.calls.length === 1;
    });
    node.start();
    await expect.poll(() => database.lost).toBeGreaterThan(0);
    const { id } = node;
    if (isOver) await endLease(id);
    database.isLosing = false;
    await expect.poll(() => node.hasLease).toBe(true);
    expect(node.id === id).toBe(!isOver);
    expect(await isLeftOf(node, node.id)).toBe(false);
    const other = create();
    await other.join();
    expect(await isLeftOf(other, node.id)).toBe(false);
    // Whoever is at the other end knows it by its id.
    expect(lost).toHaveBeenCalledTimes(isOver ? 2 : 1);
  });

  it('a node that leaves says so, and is left at once', async () => {
    const node = create();
    const other = create();
    await Promise.all([node.join(), other.join()]);
    expect(await isLeftOf(other, node.id)).toBe(false);
    node.leaving();
    await expect
      .poll(async () => (await listNodes()).find(({ id }) => id === node.id)?.state)
      .toBe('leaving');
    await node.leave();
    expect(await isLeftOf(other, node.id)).toBe(true);
    expect((await listNodes()).find(({ id }) => id === node.id)).toMatchObject({ state: 'left', links: 0 });
  });
});

describe('what nodes have left', () => {
  it('what a node has left is cleaned up once, by one of those that are there', async () => {
    const gone = create();
    await gone.join();
    await endLease(gone.id);
    const clean = vi.fn(() => new Promise((resolve) => setTimeout(resolve, 50)));
    const nodes = [create({ clean }), create({ clean }), create({ clean })];
    await Promise.all(nodes.map((node) => node.join()));
    for (const node of nodes) node.start();
    await expect
      .poll(async () => (await listNodes()).find(({ id }) => id === gone.id)?.cleaned_at)
      .toBeInstanceOf(Date);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(clean).toHaveBeenCalledOnce();
  });

  it('what was not cleaned up because that failed is tried again', async () => {
    const gone = create();
    await gone.join();
    await endLease(gone.id);
    const clean = vi.fn<() => Promise<unknown>>(async () => {});
    clean.mockRejectedValueOnce(new Error('the database is away'));
    const node = create({ clean });
    await node.join();
    node.start();
    await expect.poll(() => clean.mock.calls.length).toBe(2);
  });

  it('only what is named by no node, or by one that is gone, is left', async () => {
    const [node, other, gone] = [create(), create(), create()];
    await Promise.all([node, other, gone].map((each) => each.join()));
    await endLease(gone.id);
    expect(await isLeftOf(node, node.id)).toBe(false);
    expect(await isLeftOf(node, other.id)).toBe(false);
    expect(await isLeftOf(node, gone.id)).toBe(true);
    expect(await isLeftOf(node, null)).toBe(true);
    expect(await isLeftOf(node, 'never-there')).toBe(true);
  });

  it('a server that is alone takes over from all before it, and is believed gone by those that come', async () => {
    const former = create();
    await former.join();
    const alone = create({ several: false });
    await alone.join();
    expect(alone.hasLease).toBe(true);
    expect(await isLeftOf(alone, former.id)).toBe(true);
    expect(await isLeftOf(alone, alone.id)).toBe(false);
    const later = create();
    await later.join();
    expect(await isLeftOf(later, alone.id)).toBe(true);
  });
});

describe('list of nodes', () => {
  it('the list tells which node answers, and that one is lost before anybody has noted it', async () => {
    const [node, other, gone] = [create(), create(), create()];
    await node.join();
    await other.join();
    await gone.join();
    await endLease(gone.id);
    const listed = await node.list();
    expect(listed.map(({ id, state, isThis, links }) => ({ id, state, isThis, links }))).toEqual([
      { id: node.id, state: 'active', isThis: true, links: 7 },
      { id: other.id, state: 'active', isThis: false, links: 0 },
      { id: gone.id, state: 'lost', isThis: false, links: 0 },
    ]);
  });
});

describe('keys of nodes', () => {
  it('nodes with the same secrets have the same keys, another one for each purpose', () => {
    const { keys } = create();
    expect(create().keys).toEqual(keys);
    const all = Object.values(keys as unknown as Record<string, Buffer>).map((key) => key.toString('hex'));
    expect(new Set([...all, server.secrets.encryptionKey.toString('hex')]).size).toBe(all.length + 1);
  });
});
