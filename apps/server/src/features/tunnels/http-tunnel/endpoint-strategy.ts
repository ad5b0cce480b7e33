import type { HostHandler } from '../../../platform/http/host-server.ts';
import type { TunnelTarget } from '../tunnels.repository.ts';

/** How browsers reach web interfaces: each by a host name of its own, or by a port of this server. */
export interface EndpointStrategy extends HostHandler {
  /**
   * The origin of a web interface from now on, which that user opens. Throws `tunnel_host_unavailable` where there can be none, and
   * `tunnel_ports_exhausted` while there is no place for it.
   */
  open(target: TunnelTarget, port: number | null, userId: string): Promise<string>;
  /** Resumes what another run of the server has left. */
  start(): Promise<void>;
  /** Takes no more connections, and ends those there are with the answers under way. */
  drain(): void;
  /** Resolves when no request is being answered on listeners of its own. */
  whenIdle(): Promise<void>;
  /** Takes a renewed certificate for the connections to come. Throws when key and certificate differ. */
  renewTls(tls: { cert: string; key: string }): void;
  /** Cuts what is left. */
  close(): void;
}
