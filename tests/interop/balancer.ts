import { readFile } from 'node:fs/promises';
import { freePort, HttpClient, repositoryPath, startHaproxy } from '@pult/testkit';

export interface Balancer extends AsyncDisposable {
  /** Whether it leads requests to that node. */
  isUsed(index: number): Promise<boolean>;
  /** Leads no new requests to that node, or does again. */
  setDraining(index: number, isDraining: boolean): Promise<void>;
}

/** deploy/haproxy-several.cfg in front of nodes at these ports, without TLS. */
export async function startBalancer(
  port: number,
  ports: readonly number[],
  { maxConnections = 1000 }: { maxConnections?: number } = {},
): Promise<Balancer> {
  const text = await readFile(repositoryPath('deploy/haproxy-several.cfg'), 'utf8');
  const config = (text.split('# Native SSH.')[0] ?? '')
    .replace('maxconn 100000', `maxconn ${maxConnections}`)
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replaceAll(
      /10\.0\.0\.1(\d):8080/g,
      (_, number: string) => `127.0.0.1:${ports[Number(number) - 1] ?? 1}`,
    );
  const statsPort = await freePort();
  const stats = `listen stats\n  bind 127.0.0.1:${statsPort}\n  stats enable\n  stats uri /\n  stats admin if TRUE\n`;
  const haproxy = await startHaproxy(`${config}\n${stats}`, port);
  return {
    async isUsed(index) {
      const answer = await new HttpClient().request(`http://127.0.0.1:${statsPort}/;csv`);
      return new RegExp(`^pult,pult-${index + 1},.*,UP,`, 'm').test(await answer.text());
    },
    async setDraining(index, isDraining) {
      const body = new URLSearchParams({
        s: `pult-${index + 1}`,
        action: isDraining ? 'drain' : 'ready',
        b: 'pult',
      }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const url = `http://127.0.0.1:${statsPort}/`;
      const { headers: answer } = await new HttpClient().request(url, { method: 'POST', headers, body });
      if (!String(answer.location).includes('DONE')) throw new Error(`not set: ${answer.location}`);
    },
    [Symbol.asyncDispose]: () => haproxy[Symbol.asyncDispose](),
  };
}
