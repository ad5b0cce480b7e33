import { PROXY_NAME } from '@pult/frp';
import type { WirenBoardSettings } from '../../../../config/wiren-board-settings.ts';

/** Where agents look for authorities, as their curl does: Debian's bundle. */
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';

interface TunnelConfigParts {
  serialNumber: string;
  token: string;
  /** False where nothing on the way speaks TLS, as in development. */
  isSecure: boolean;
  settings: Pick<WirenBoardSettings, 'tunnelProtocol' | 'tunnelAddress' | 'verifiesTunnel'>;
}

/**
 * What frpc is told, in the form that all versions on controllers read. One proxy reaches every port; `login_fail_exit` ends frpc
 * for good where it is not said; without the two lines of verification it verifies nothing.
 */
export function formatTunnelConfig({ serialNumber, token, isSecure, settings }: TunnelConfigParts): string {
  const { host, port } = settings.tunnelAddress;
  const common = {
    server_addr: host,
    server_port: port,
    user: serialNumber,
    token,
    login_fail_exit: false,
    ...(settings.tunnelProtocol === 'wss' ? { protocol: 'wss' } : {}),
    tls_enable: isSecure,
    // Otherwise a byte that is no TLS would come first, from some versions.
    disable_custom_tls_first_byte: true,
    ...(isSecure && settings.verifiesTunnel
      ? { tls_trusted_ca_file: AUTHORITIES, tls_server_name: host }
      : {}),
  };
  return [
    ...formatSection('common', common),
    '',
    ...formatSection(PROXY_NAME, { type: 'tcp', plugin: 'http_proxy' }),
    '',
  ].join('\n');
}

function formatSection(name: string, values: Readonly<Record<string, string | number | boolean>>): string[] {
  return [`[${name}]`, ...Object.entries(values).map(([key, value]) => `${key} = ${value}`)];
}
