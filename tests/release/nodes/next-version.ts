import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { builtPath, makeTempDir, repositoryPath } from '@pult/testkit';
import { build, type Plugin } from 'esbuild';
import { serverBuild } from '../../../apps/server/build.mjs';

/** The version that this one will be followed by, as far as nodes notice. */
export const nextVersion = '999.0.0';
const nextMigration = '9999-next';
/** A part of its console. */
export const nextPart = 'assets/of-next-version.js';

/**
 * What the next version does otherwise, by the file of this one in whose place it is, which it still finds as `this-version:`: it has widened
 * tables that both write, says in its messages and opens streams with more than this one knows, and tells what this one has no name for.
 */
const changed: Readonly<Record<string, string>> = {
  'version.ts': `export const version = '${nextVersion}';`,

  'platform/db/migrations/index.ts': `
    import { sql } from 'kysely';
    import { migrations as before } from 'this-version:';
    const widened = ['nodes', 'controllers', 'enrolments', 'tunnels', 'tunnel_records', 'sessions', 'audit_events'];
    export const migrations = {
      ...before,
      '${nextMigration}': {
        async up(db) {
          await sql\`create table next_things (id uuid primary key, controller_id uuid references controllers on delete cascade)\`.execute(db);
          for (const table of widened) {
            await sql\`alter table \${sql.table(table)} add column next_word text not null default 'next'\`.execute(db);
          }
          await sql\`create index on controllers (next_word, id)\`.execute(db);
          await sql\`select graphile_worker.add_job('next-job', '{}'::json)\`.execute(db);
        },
      },
    };`,

  'platform/cluster/bus/nats-bus.ts': `
    import { createNatsBus as create } from 'this-version:';
    const widen = (body) => (body && typeof body === 'object' ? { ...body, next: { word: 'next' } } : body);
    export function createNatsBus(dependencies) {
      const bus = create(dependencies);
      return Object.assign(Object.create(bus), {
        publish: (subject, body) => bus.publish(subject, widen(body)),
        request: (subject, body, timeoutMs) => bus.request(subject, widen(body), timeoutMs),
        subscribe: (subject, handler) => bus.subscribe(subject, async (message) => widen(await handler(message))),
      });
    }`,

  'platform/cluster/bus/shared-events.ts': `
    import { shareEvents as share } from 'this-version:';
    export function shareEvents(dependencies) {
      const shared = share(dependencies);
      setInterval(() => dependencies.events.publish('nextTopic', { word: 'next' }), 250).unref();
      return shared;
    }`,

  'platform/cluster/link/node-link.ts': `
    import { createNodeLink as create } from 'this-version:';
    export * from 'this-version:';
    export async function createNodeLink(options) {
      const link = await create(options);
      return Object.assign(Object.create(link), { open: (peer, line, more) => link.open(peer, line + ' next=1', more) });
    }`,
};

const source = repositoryPath('apps/server/src');

/** The topic that the next version tells of has a place in no list of this one. */
async function readThisVersion(path: string): Promise<string> {
  const text = await readFile(path, 'utf8');
  return text.replace('const sharedTopics = [', "const sharedTopics = ['nextTopic',");
}

const asNextVersion: Plugin = {
  name: 'as-next-version',
  setup(bundler) {
    bundler.onResolve({ filter: /^this-version:$/ }, ({ importer }) => ({
      path: importer,
      namespace: 'this-version',
    }));
    bundler.onLoad({ filter: /.*/, namespace: 'this-version' }, async ({ path }) => ({
      contents: await readThisVersion(path),
      loader: 'ts',
      resolveDir: dirname(path),
    }));
    bundler.onLoad({ filter: /\/apps\/server\/src\/.*\.ts$/, namespace: 'file' }, ({ path }) => {
      const contents = changed[relative(source, path)];
      return contents === undefined ? undefined : { contents, loader: 'ts', resolveDir: dirname(path) };
    });
  },
};

export interface NextVersion extends AsyncDisposable {
  readonly main: string;
  /** A part of the console that it has no more. */
  readonly formerPart: string;
}

/** The next version of the server, built in a folder that looks like this repository. */
export async function buildNextVersion(): Promise<NextVersion> {
  const folder = await makeTempDir('next-version');
  const apps = join(folder.path, 'apps');
  const outdir = join(apps, 'server/dist');
  await mkdir(outdir, { recursive: true });
  await symlink(repositoryPath('node_modules'), join(folder.path, 'node_modules'));
  await symlink(repositoryPath('apps/agent'), join(apps, 'agent'));
  const consoleFolder = join(apps, 'console/dist');
  await cp(builtPath('apps/console/dist'), consoleFolder, { recursive: true });
  // One part that it alone has, and one less than before.
  await writeFile(join(consoleFolder, nextPart), '// next');
  const formerPart =
    (await readdir(join(consoleFolder, 'assets'))).find((name) => name.endsWith('.js')) ?? '';
  for (const kind of ['', '.br', '.gz'])
    await rm(join(consoleFolder, 'assets', formerPart + kind), { force: true });
  await build({ ...serverBuild, outdir, plugins: [...(serverBuild.plugins ?? []), asNextVersion] });
  return {
    main: join(outdir, 'main.js'),
    formerPart: `assets/${formerPart}`,
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}
