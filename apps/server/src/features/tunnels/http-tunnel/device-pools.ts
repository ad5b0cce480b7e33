import {
  createUpstreamPool,
  type PoolLimits,
  type UpstreamPool,
} from '../../../platform/http/reverse-proxy/upstream-pool.ts';
import type { DeviceRouter } from '../../devices/index.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';
import { connectInterface } from './connect.ts';
import type { NoteTls } from './tls-notes.ts';

/** A user's share of one web interface: browsers open six connections to it each, however many their tabs. */
const maxSockets = 32;
const poolLimits: PoolLimits = {
  maxSockets,
  // As many are kept as are used at once: opening one anew for each request costs more than the request.
  maxFreeSockets: maxSockets,
  // Small web servers have few places: an idle connection gives its own back.
  idleTimeoutMs: 15_000,
  // A link has 128 streams for everybody.
  maxSingleSockets: 16,
};

export interface DevicePools {
  /** The pool of an access. It closes when its device has another link. */
  open(access: TunnelAccess): UpstreamPool;
  close(): void;
}

/**
 * One small pool of connections for each user of a web interface of a linked device: whoever lets requests hang waits
 * behind their own.
 */
export function createDevicePools(router: DeviceRouter, noteTls: NoteTls): DevicePools {
  const devices = new Map<string, Map<string, UpstreamPool>>();

  function forget(enrolmentId: string): void {
    for (const pool of devices.get(enrolmentId)?.values() ?? []) pool.destroy();
    devices.delete(enrolmentId);
  }
  // Pooled streams of a link that is gone are dead; those of one that waits go on.
  router.onChange((enrolmentId, change) => {
    if (change === 'link') forget(enrolmentId);
  });

  return {
    open(access) {
      // An endpoint that is spoken to otherwise than before has other connections.
      const name = `${access.port ?? ''} ${access.scheme ?? ''} ${access.hostHeader ?? ''} ${access.userId}`;
      const known = devices.get(access.enrolmentId)?.get(name);
      if (known) return known;
      const connect = () =>
        connectInterface(router, access, { mayPack: true, noteTls: (old) => noteTls(access, old) });
      const pool = createUpstreamPool(connect, poolLimits);
      const pools = devices.get(access.enrolmentId) ?? new Map<string, UpstreamPool>();
      devices.set(access.enrolmentId, pools.set(name, pool));
      return pool;
    },
    close() {
      for (const enrolmentId of [...devices.keys()]) forget(enrolmentId);
    },
  };
}
