import { readdir } from 'node:fs/promises';
import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: TestServer;
const folder = new URL('./features/', import.meta.url);

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

describe('the features of a server', () => {
  it('include every folder of features/, which puts itself together in its feature file', async () => {
    const folders = (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    const names = server.server.features.map(({ name }) => name);
    expect(folders.filter((name) => !names.includes(name))).toEqual([]);
    for (const name of folders) {
      expect(await readdir(new URL(`${name}/`, folder))).toContain(`${name}.feature.ts`);
    }
  });

  it('the features of a server have a name each, and so have their jobs', () => {
    const names = server.server.features.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const jobs = [...server.server.jobs, ...server.server.queuedJobs].map(({ name }) => name);
    expect(new Set(jobs).size).toBe(jobs.length);
  });
});
