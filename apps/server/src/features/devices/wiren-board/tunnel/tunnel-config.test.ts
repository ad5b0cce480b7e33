import { expect, it } from 'vitest';
import { formatTunnelConfig } from './tunnel-config.ts';

const parts = {
  serialNumber: 'A25NDEMJ',
  token: 'a-token',
  isSecure: true,
  settings: {
    tunnelProtocol: 'tls',
    tunnelAddress: { host: 'tunnel.example.com', port: 7107 },
    verifiesTunnel: true,
  },
} as const;

it('frpc is told one proxy for every port, to go on after a refusal, and to verify', () => {
  expect(formatTunnelConfig(parts)).toBe(`[common]
server_addr = tunnel.example.com
server_port = 7107
user = A25NDEMJ
token = a-token
login_fail_exit = false
tls_enable = true
disable_custom_tls_first_byte = true
tls_trusted_ca_file = /etc/ssl/certs/ca-certificates.crt
tls_server_name = tunnel.example.com

[pult]
type = tcp
plugin = http_proxy
`);
});

it('frpc is not told to verify where that is turned off', () => {
  const settings = { ...parts.settings, verifiesTunnel: false };
  expect(formatTunnelConfig({ ...parts, settings })).not.toMatch(/tls_trusted_ca_file|tls_server_name/);
});

it('frpc is told to come inside a WebSocket where nothing else gets out', () => {
  const settings = {
    ...parts.settings,
    tunnelProtocol: 'wss',
    tunnelAddress: { host: 'tunnel.example.com', port: 443 },
  } as const;
  const config = formatTunnelConfig({ ...parts, settings });
  expect(config).toContain('\nserver_port = 443\n');
  expect(config).toContain('\nprotocol = wss\ntls_enable = true\n');
});
