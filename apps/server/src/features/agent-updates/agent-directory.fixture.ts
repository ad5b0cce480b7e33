import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir, repositoryPath } from '@pult/testkit';

/** What a built agent lies in, with this in the place of the agent. */
export async function createAgentDirectory(version: string, program = 'process.exit(1);\n') {
  const folder = await makeTempDir('agent-directory');
  for (const name of [
    'pult-agent.service',
    'pult-agent-launcher',
    'install-agent.sh',
    'agent-runtimes.json',
  ]) {
    await cp(repositoryPath(`deploy/${name}`), join(folder.path, name));
  }
  const put = (nextVersion: string, nextProgram: string) =>
    writeFile(
      join(folder.path, 'pult-agent.mjs'),
      `#!/usr/bin/env node\n// pult-agent ${nextVersion}\n${nextProgram}`,
    );
  await put(version, program);
  return { path: folder.path, put, remove: folder.remove };
}
