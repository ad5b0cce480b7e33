import { ResourceStack, startSshServer, startWebServer } from '@pult/testkit';
import { test } from 'vitest';
import { startNodes } from '../../interop/installation-of-nodes.ts';
import { expectWholeDownload } from '../../interop/nodes.fixture.ts';
import { addController } from '../../interop/site.ts';

// A smaller one is in every run of `npm test` (tests/interop/nodes.test.ts).
test('a gigabyte comes over two hops without a changed byte', async () => {
  await using stack = new ResourceStack();
  const installation = stack.use(await startNodes(2));
  const [near, far] = [installation.node(0), installation.node(1)];
  const [web, ssh] = [stack.use(await startWebServer()), stack.use(await startSshServer())];
  const site = stack.use(await addController({ server: far, api: far.api, web, ssh }, {}));
  await expectWholeDownload({ ...site, server: near, api: near.api }, 1024 * 1024 * 1024);
}, 600_000);
