import type { Config } from './config/config.ts';
import { coversHost } from './platform/http/certificate-names.ts';
import type { Logger } from './platform/log.ts';

/** The same where the server gets its certificates itself: authorities give wildcards by DNS alone. */
export function checkTunnelOrders({ acme, tunnels }: Config, log: Logger): void {
  if (!acme || acme.dns || tunnels.tls || tunnels.mode === 'ports') return;
  log.warn(
    { needed: `*.http.${tunnels.domain}` },
    'no certificate will cover the web interfaces of controllers: set ACME_DNS_SERVER or ACME_DNS_HOOK, ' +
      'name one by TUNNEL_TLS_CERT and TUNNEL_TLS_KEY, or set TUNNEL_MODE=ports',
  );
}

/** Warns when browsers will not take the certificate of the tunnel hosts, which people see only once they open one. */
export function checkTunnelCertificate(config: Config, cert: string, log: Logger): void {
  const { mode, domain, tls } = config.tunnels;
  // Any serial number will do: only a wildcard covers them all. Ports are on the console's own host.
  const { hostname } = new URL(
    mode === 'ports' ? config.http.publicUrl : `https://a1b2c3d4--8080.http.${domain}`,
  );
  if (coversHost(cert, hostname)) return;
  const needed = mode === 'ports' ? hostname : hostname.replace(/^[^.]+/, '*');
  log.warn(
    { needed, setting: tls ? 'TUNNEL_TLS_CERT' : 'TLS_CERT' },
    `the certificate does not cover ${needed}: browsers will refuse the web interfaces of controllers; ` +
      'name one that does by TUNNEL_TLS_CERT and TUNNEL_TLS_KEY',
  );
}
