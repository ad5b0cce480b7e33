import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { withDeadline } from '../../platform/deadline.ts';
import { isOwnMachine, toHostName } from '../../platform/network.ts';
import type { DoctorCheck } from '../doctor.ts';
import { describeError, type Finding, fail, ok, warn } from '../finding.ts';

/** The name under which people and devices come, and any name below the tunnel domain. */
export const address: DoctorCheck = {
  name: 'address',
  async run({ config, isRunning, ask, stepMs }) {
    const findings: Finding[] = [];
    const { hostname } = new URL(config.http.publicUrl);
    findings.push(
      ...(await findName(hostname, {
        setting: 'PUBLIC_URL',
        stepMs,
        action: 'Make a record for it in DNS, or correct PUBLIC_URL.',
      })),
    );
    if (findings.every(({ status }) => status !== 'fail') && (await isRunning())) {
      const url = new URL('/healthz', config.http.publicUrl);
      findings.push(
        await ask(url, { isTrusting: true }).then(
          ({ status, text }) =>
            status === 200 && text.includes('"ok"')
              ? ok(`${url.origin} leads to this server`)
              : fail(
                  `${url.origin} answers ${status}, which is not this server’s answer`,
                  'Look where the name leads, and what stands before the server there.',
                ),
          (error: unknown) =>
            fail(
              `${url.origin} cannot be reached from here: ${describeError(error)}`,
              'Look at HOST and PORT, the firewall, and the proxy before the server. Some routers do not let machines behind them use the outer address; then try it from outside.',
            ),
        ),
      );
    }
    if (config.tunnels.mode === 'subdomain') {
      // Any will do: only a wildcard knows them all.
      const { hostname: domain } = new URL(`http://${config.tunnels.domain}`);
      const name = `doctor-${randomBytes(4).toString('hex')}.http.${domain}`;
      findings.push(
        ...(await findName(name, {
          setting: 'TUNNEL_DOMAIN',
          stepMs,
          action: `Make a wildcard record in DNS: *.http.${domain}`,
        })),
      );
    }
    return findings;
  },
};

async function findName(
  hostname: string,
  { setting, stepMs, action }: { setting: string; stepMs: number; action: string },
): Promise<Finding[]> {
  const name = toHostName(hostname);
  if (isOwnMachine(name)) {
    const text = `${name} is this machine alone (${setting})`;
    return [
      setting === 'PUBLIC_URL'
        ? warn(text, 'Set PUBLIC_URL to the name under which others and devices are to reach it.')
        : ok(text),
    ];
  }
  if (isIP(name) !== 0) return [ok(`${name} is an address itself (${setting})`)];
  try {
    const found = await withDeadline(lookup(name, { all: true }), stepMs);
    return [ok(`${name} leads to ${found.map(({ address }) => address).join(', ')} (${setting})`)];
  } catch (error) {
    return [fail(`${name} is not found in DNS (${setting}): ${describeError(error)}`, action)];
  }
}
