import { setTimeout as wait } from 'node:timers/promises';
import { poll } from '@pult/testkit';
import { backOffLimits } from '../../apps/agent/src/link/back-off.ts';
import { print, verdict } from '../tunnel/figures.ts';
import { type ApiCalls, printCalls, startApiCalls } from './api-calls.ts';
import type { Devices, LinkSite } from './site.ts';

const backMs = 60_000;
const inSeconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

/** A fleet comes back after its server was gone: killed and started again, then stopped and started again. */
export async function measureStorm(site: LinkSite, devices: Devices, count: number): Promise<void> {
  const { server } = site;

  async function measureReturn(how: string, end: () => Promise<unknown>): Promise<ApiCalls> {
    // A link that has lived for a minute begins its next waits at one second again.
    await wait(backOffLimits.healthyMs);
    const { access } = await site.logIn();
    const before = devices.counts();
    await end();
    await poll(() => devices.counts().linked === 0, { what: 'nobody is linked' });
    const started = performance.now();
    await server.start();
    const startTook = performance.now() - started;
    const stop = startApiCalls(server.port, access, site.organizationId);
    const backTook = await devices.whenLinked(600_000);
    const after = devices.counts();
    print(
      `\n${how}: server ready after ${inSeconds(startTook)}, all ${count} back after ${inSeconds(backTook)} ` +
        `(≤ 60 s ${verdict(backTook <= backMs)}), asked to wait ${after.refused - before.refused} times`,
    );
    for (const [what, times] of Object.entries(after.failed)) {
      const more = times - (before.failed[what] ?? 0);
      if (more > 0) print(`  ${more} × ${what}`);
    }
    return stop();
  }

  const { access } = await site.logIn();
  const endQuiet = startApiCalls(server.port, access, site.organizationId);
  await wait(10_000);
  printCalls({
    quiet: await endQuiet(),
    'after a kill': await measureReturn('Killed', () => server.kill()),
    'after a stop': await measureReturn('Stopped', () => server.halt()),
  });
}
