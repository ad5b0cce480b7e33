import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const deploy = join(import.meta.dirname, '../../../../../../deploy');

const agent = '// pult-agent 1.0.0\nexport {};\n';
let directory: string;
let server: TestServer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pult-agent-files-'));
  await writeFile(join(directory, 'pult-agent.mjs'), agent);
  await mkdir(join(directory, 'runtimes'));
  await writeFile(join(directory, 'runtimes/arm64.xz'), 'packed');
  for (const name of [
    'pult-agent.service',
    'pult-agent-launcher',
    'install-agent.sh',
    'agent-runtimes.json',
  ]) {
    await cp(join(deploy, name), join(directory, name));
  }
  server = await createTestServer({
    agentDirectory: directory,
    environment: { AGENT_RUNTIMES: join(directory, 'runtimes') },
  });
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

describe('the agent handed out by the server', () => {
  it('gives the agent, its launcher and its unit without a login', async () => {
    expect((await server.request('GET', '/agent/pult-agent.mjs')).body).toBe(agent);
    const launcher = await server.request('GET', '/agent/launcher');
    expect(launcher.body).toBe(await readFile(join(deploy, 'pult-agent-launcher'), 'utf8'));
    const unit = await server.request('GET', '/agent/pult-agent.service');
    expect(unit.body).toBe(await readFile(join(deploy, 'pult-agent.service'), 'utf8'));
  });

  it('names its own address in the installation script, which a shell can read', async () => {
    const { status, body } = await server.request('GET', '/agent/install.sh');
    expect(status).toBe(200);
    expect(body).toContain(`server='${server.publicUrl}'`);
    expect(body).not.toContain('@SERVER_URL@');
    execFileSync('sh', ['-n'], { input: String(body) });
  });

  it('hands out the Node.js that it was given, and names it with its checksum in the script', async () => {
    const { status, body } = await server.request('GET', '/agent/node/arm64.xz');
    expect({ status, body }).toEqual({ status: 200, body: 'packed' });
    expect((await server.request('GET', '/agent/node/x64.xz')).status).toBe(404);
    const script = String((await server.request('GET', '/agent/install.sh')).body);
    expect(script).toMatch(/^runtimes='arm64 [0-9.]+ [0-9a-f]{64}'$/m);
  });
});
