import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { RawBuilder, SqlBool } from 'kysely';
import type { NodeSettings } from '../../config/node-settings.ts';
import type { Database } from '../db/schema.ts';
import type { Logger } from '../log.ts';
import { createNodeKeys, type NodeKeys } from './node-keys.ts';
import { createNodesRepository, isOfDeadNode, type ListedNode } from './nodes.repository.ts';

/** This run of the server, as the others of the installation know it. */
export interface Node {
  /** Of letters and digits. Another one after the lease was lost: nothing of its former self is believed. */
  readonly id: string;
  /** Undefined where it is the only one. */
  readonly settings: NodeSettings | undefined;
  readonly keys: NodeKeys;
  /** It has a lease, or needs none. Nothing new is taken meanwhile where it has not. */
  readonly hasLease: boolean;
  /** Is listed from then on. Once, before anything is opened. */
  join(): Promise<void>;
  /** Renews its lease, and looks for nodes that are gone. */
  start(): void;
  /** Goes on with its lease, and says that it leaves. */
  leaving(): void;
  leave(): Promise<void>;
  /** Called when its lease was lost, before anything else: what others may take over now is to be cut at once. */
  onLost(listener: () => void): () => void;
  /** All nodes, and those that have left in the last day. */
  list(): Promise<(ListedNode & { isThis: boolean })[]>;
  /** Where the others reach a node that is there; undefined for one that is gone. */
  findAddress(nodeId: string): Promise<string | undefined>;
  /** SQL: what this column names as its node has left it. */
  isDeadNode(column: string): RawBuilder<SqlBool>;
}

/** Milliseconds. */
export interface NodeTiming {
  renewMs?: number;
  fenceMs?: number;
}

interface Dependencies {
  settings: NodeSettings | undefined;
  installationKey: Buffer;
  version: string;
  db: Database;
  log: Logger;
  countLinks: () => number;
  /** Ends what nodes have left open that are gone. */
  clean: () => Promise<unknown>;
  timing: NodeTiming;
}

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
/** 60 bits: two runs never have the same one. */
const createNodeId = () => Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join('');

const leaveMs = 2_000;
/** Tries to renew that wait for the database at a time. */
const mostTries = 3;

export function createNode(dependencies: Dependencies): Node {
  const { settings, installationKey, version, db, log, countLinks, clean, timing } = dependencies;
  // Sooner than the lease is over: by then nothing of this node is left that another one may take.
  const { renewMs = 5_000, fenceMs = 30_000 } = timing;
  const repository = createNodesRepository(db);
  const listeners = new Set<() => void>();
  let id = createNodeId();
  let hasLease = settings === undefined;
  let renewedAt = 0;
  let tries = 0;
  let state: 'active' | 'leaving' = 'active';
  let joining: Promise<void> | undefined;
  let cleaning: Promise<void> | undefined;
  const timers: NodeJS.Timeout[] = [];
  const address = settings ? `${settings.address.host}:${settings.address.port}` : null;

  function becomeAnother(): void {
    id = createNodeId();
    for (const listener of listeners) listener();
  }

  /** Cuts first and says so afterwards: somebody else may hold what this node held. */
  function lose(why: string): void {
    if (!hasLease) return;
    hasLease = false;
    const lostId = id;
    becomeAnother();
    log.error({ node: lostId, why }, 'this node has lost its lease: all its links and streams are cut');
    void rejoin();
  }

  /** False where others have believed it gone meanwhile. */
  async function add(): Promise<boolean> {
    const startedAt = performance.now();
    const addedId = id;
    if (!(await repository.add({ id, address, version }))) return false;
    // A later try may have been faster, and its lease be over again.
    if (id !== addedId) return hasLease;
    renewedAt = Math.max(renewedAt, startedAt);
    hasLease = true;
    return true;
  }

  async function rejoin(): Promise<void> {
    if (hasLease || tries >= mostTries) return;
    tries += 1;
    try {
      if (await add()) log.warn({ node: id }, 'this node is back under another id');
      else if (!hasLease) becomeAnother();
    } catch (error) {
      log.warn({ err: error }, 'this node waits for the database');
    } finally {
      tries -= 1;
    }
  }

  async function renew(): Promise<void> {
    if (!hasLease) return rejoin();
    // One that hangs is not waited for: the next try may have another connection.
    if (tries >= mostTries) return;
    tries += 1;
    const startedAt = performance.now();
    const renewedId = id;
    try {
      const isRenewed = await repository.renew(renewedId, { state, links: countLinks() });
      if (id !== renewedId) return;
      if (isRenewed) renewedAt = Math.max(renewedAt, startedAt);
      else lose('its lease was over');
    } catch (error) {
      log.warn({ err: error }, 'the lease of this node was not renewed');
    } finally {
      tries -= 1;
    }
  }

  function fence(): void {
    if (hasLease && performance.now() - renewedAt > fenceMs) lose('it could not be renewed');
  }

  async function cleanUp(): Promise<void> {
    try {
      await repository.markLost(id);
      await db.transaction().execute(async (transaction) => {
        const left = await repository.lockUncleaned(transaction, id);
        if (left.length === 0) return;
        await clean();
        await repository.markCleaned(transaction, left);
        log.info({ nodes: left }, 'cleaned up after nodes that are gone');
      });
    } catch (error) {
      log.warn({ err: error }, 'not cleaned up after nodes that are gone');
    }
  }

  async function join(): Promise<void> {
    if (!settings) await repository.endOthers(id);
    await add();
  }

  return {
    get id() {
      return id;
    },
    settings,
    keys: createNodeKeys(installationKey),
    get hasLease() {
      return hasLease;
    },
    join() {
      joining ??= join();
      return joining;
    },
    start() {
      if (!settings) return;
      const look = () => {
        void renew();
        if (hasLease) cleaning ??= cleanUp().finally(() => (cleaning = undefined));
      };
      timers.push(
        setInterval(fence, Math.min(1_000, fenceMs / 4)).unref(),
        setInterval(look, renewMs).unref(),
      );
    },
    leaving() {
      state = 'leaving';
      if (settings) void renew();
    },
    async leave() {
      for (const timer of timers.splice(0)) clearInterval(timer);
      // A database that does not answer keeps nobody from leaving: the lease ends by itself.
      await Promise.race([
        Promise.all([cleaning, repository.leave(id)]),
        delay(leaveMs, undefined, { ref: false }),
      ]);
    },
    onLost(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async list() {
      const own = id;
      const listed = await repository.list(own);
      // Its row is as old as its last renewal, or as its start where it needs none.
      return listed.map((node) => ({
        ...node,
        isThis: node.id === own,
        links: node.id === own ? countLinks() : node.links,
      }));
    },
    findAddress: repository.findAddress,
    isDeadNode: (column) => isOfDeadNode(column, id),
  };
}
