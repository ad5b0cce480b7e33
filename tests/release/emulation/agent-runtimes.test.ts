import { readlink } from 'node:fs/promises';
import { agentNodes, findNode, hashByteSource } from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addController, openWebInterface, type Site, startSite, waitForStatus } from '../../interop/site.ts';
import { startTerminal } from '../../interop/terminal-client.ts';

const archiveBytes = 20 * 1024 * 1024;

let site: Site;

beforeAll(async () => {
  site = await startSite();
}, 120_000);
afterAll(() => site?.[Symbol.asyncDispose]());

const nodes = await Promise.all(
  agentNodes.map(async (wanted) => ({ ...wanted, binary: await findNode(wanted) })),
);

for (const { version, binary } of nodes) {
  const title = binary
    ? `with Node.js ${version}`
    : `with Node.js ${version}, which the registry does not give`;
  describe.skipIf(!binary)(title, () => {
    let controller: Site;

    beforeAll(async () => {
      controller = await addController(site, { node: binary ?? '' });
    });
    afterAll(() => controller?.[Symbol.asyncDispose]());

    test('the agent enrols, is claimed and runs on that Node.js', async () => {
      await waitForStatus(controller, 'online');
      const { pid } = controller.agent.process;
      expect(await readlink(`/proc/${pid}/exe`)).toBe(binary);
    });

    test('the web interface opens, and 20 MB come through unchanged', async () => {
      const browser = await openWebInterface(controller);
      expect(await (await browser.request(`${controller.tunnelUrl}/`)).text()).toContain(
        '<h1>Boiler room</h1>',
      );
      const answer = await browser.request(`${controller.tunnelUrl}/download/${archiveBytes}`);
      expect(await answer.hash()).toEqual({ bytes: archiveBytes, sha256: hashByteSource(archiveBytes) });
    });

    test('the terminal opens a shell', async () => {
      const terminal = await startTerminal(controller);
      expect(await terminal.nextMessage()).toMatchObject({ type: 'ready' });
      terminal.type('echo $((6*7)); exit 3\r');
      expect(await terminal.nextMessage()).toEqual({ type: 'exit', exitCode: 3, signal: null });
      expect(terminal.output).toContain('42');
    });

    test('the agent comes back after it was killed', async () => {
      await controller.agent.kill();
      await waitForStatus(controller, 'offline');
      controller.agent.start();
      await waitForStatus(controller, 'online');
    });
  });
}
