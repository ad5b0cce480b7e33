import type { TlsOptions } from 'node:tls';
import type { Logger } from '../../../../platform/log.ts';
import type { StrangerBounds } from '../../../../platform/stranger-limit.ts';
import { createStrangerListener, type StrangerListener } from '../../../../platform/stranger-listener.ts';
import { createReadTcpAddress } from '../../../../platform/tcp-client-address.ts';
import type { Tunnels } from './serve-tunnels.ts';

interface Dependencies {
  tunnels: Tunnels;
  /** Without it what comes is no TLS: something before this server ends it. */
  tls: TlsOptions | undefined;
  trustedProxies: readonly string[];
  handshakeMs?: number | undefined;
  log: Logger;
}

/** Until a login. Of one network as many as may wait for a link: 200 devices behind one address are switched on together. */
const strangers: StrangerBounds = { perNetwork: 250, inTotal: 2_000 };

/** The port on which the frpc of controllers comes in. */
export function createTunnelListener(dependencies: Dependencies): StrangerListener {
  const { tunnels, tls, trustedProxies, handshakeMs = 15_000, log } = dependencies;
  const name = 'WB_TUNNEL_PORT';
  return createStrangerListener({
    name,
    tls,
    bounds: strangers,
    handshakeMs,
    readAddress: createReadTcpAddress(trustedProxies, handshakeMs, { listener: name, log }),
    onConnection(socket, address, leaveStrangers) {
      const leaveQueue = tunnels.enter(address);
      if (!leaveQueue) return void socket.destroy();
      tunnels.serve(socket, () => {
        leaveQueue();
        leaveStrangers();
      });
    },
    log,
  });
}
