import { freePort, type ServerProcess } from '@pult/testkit';
import { expect, test } from 'vitest';
import { startLightServer } from './light-server.ts';

/** The settings that a server has warned of since its start, in their order. */
function listWarnings({ process }: ServerProcess): (string | undefined)[] {
  return [...process.tail(1000).matchAll(/"setting":"(\w+)"/g)].map(([, setting]) => setting);
}

test('a server that starts with risky settings warns of each once, and one on localhost of none', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`;
  const risky = {
    PUBLIC_URL: 'https://pult.example.com',
    TUNNEL_DOMAIN: 'devices.example.com',
    GRAFANA_URL: nobody,
    GRAFANA_ADMIN_USER: 'admin',
    GRAFANA_ADMIN_PASSWORD: 'grafana-of-a-test-7',
    VICTORIAMETRICS_URL: nobody,
    // Of an earlier version, which refused that value.
    HTTP2: 'yes',
  };
  await using exposed = await startLightServer({ env: risky });
  await using local = await startLightServer();
  expect(listWarnings(exposed)).toEqual(['HTTP2', 'ENROLLMENT_KEY', 'TUNNEL_DOMAIN', 'VICTORIAMETRICS_URL']);
  expect(listWarnings(local)).toEqual([]);
}, 120_000);
