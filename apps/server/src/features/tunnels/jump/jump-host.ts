import type { Config } from '../../../config/config.ts';
import { createConcurrencyLimit } from '../../../platform/concurrency-limit.ts';
import type { SshListener, SshService } from '../../../platform/ssh/ssh-listener.ts';
import { type JumpDependencies, serveJumpConnection } from './jump-connection.ts';

interface Dependencies
  extends Pick<
    JumpDependencies,
    'sshKeys' | 'tunnels' | 'router' | 'live' | 'recordAudit' | 'log' | 'tracing'
  > {
  config: Config;
  listener: Pick<SshListener, 'address'>;
}

const maxConnectionsPerUser = 200;
const maxChannelsPerUser = 400;

export interface JumpHost extends SshService {
  /** Resolves when what was written of its sessions is stored. */
  whenWritten(): Promise<void>;
}

/**
 * The way of stock OpenSSH to the controllers: an SSH server that opens nothing but channels to port 22 of a
 * controller, named by its serial number, for whoever has registered their public key. The SSH inside such a channel is
 * end to end. It serves every user name that nobody else does, so that no name tells whether there is an account.
 */
export function createJumpHost(dependencies: Dependencies): JumpHost {
  const { config, listener, log } = dependencies;
  const connections = createConcurrencyLimit(maxConnectionsPerUser);
  const tasks = new Set<Promise<unknown>>();

  const serving: JumpDependencies = {
    ...dependencies,
    channels: createConcurrencyLimit(maxChannelsPerUser),
    accepting: new WeakSet(),
    tunnelDomain: config.tunnels.domain,
    serviceName: config.settings.serviceName,
    securityUrl: `${config.http.publicUrl}/security`,
    isTotpEnabled: config.settings.totpAuthEnabled,
    getPublicAddress: () => `${listener.address?.host}:${listener.address?.port}`,
  };
  const work = (task: Promise<unknown>) => {
    const watched: Promise<unknown> = task
      .catch((error: Error) => log.error({ err: error }, 'SSH session not ended cleanly'))
      .finally(() => tasks.delete(watched));
    tasks.add(watched);
  };

  return {
    serves: () => true,
    serve({ noteLogin, ...incoming }) {
      const { socket } = incoming;
      return serveJumpConnection(serving, incoming, work, ({ userId, email }) => {
        noteLogin();
        const release = connections.acquire(userId);
        if (!release) {
          log.warn({ email }, 'too many SSH connections of one user');
          socket.destroy();
          return;
        }
        socket.on('close', release);
      });
    },
    async whenWritten() {
      await Promise.all(tasks);
    },
  };
}
