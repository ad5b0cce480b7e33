/** Bundles the server: our own TypeScript and packages of plain JavaScript become dist/*.js. */

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const directory = dirname(fileURLToPath(import.meta.url));
/** @param {string} folder */
const readManifest = (folder) => JSON.parse(readFileSync(join(directory, folder, 'package.json'), 'utf8'));
const packages = Object.keys({
  ...readManifest('.').dependencies,
  // The programs of PostgreSQL, which are found by their package's name.
  ...readManifest('../../packages/embedded-postgres').optionalDependencies,
});

/**
 * Packages of many small files, of plain JavaScript alone: looking each of them up takes longer at a start than running it.
 * The others have native add-ons, worker threads or SQL files, which are found beside their package.
 */
const bundled = [
  '@fastify/cookie',
  '@fastify/helmet',
  '@fastify/proxy-addr',
  '@fastify/static',
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  'age-encryption',
  'bowser',
  'croner',
  'fastify',
  'ipaddr.js',
  'jose',
  'kysely',
  'nodemailer',
  'otplib',
  'pg',
  'qrcode',
  'ssh2',
  'uuid',
  'ws',
  'zod',
];
/** What has to stand beside the bundle when it runs. */
export const runtimePackages = packages.filter(
  (name) => !name.startsWith('@pult/') && !bundled.includes(name),
);
/** What bundled packages take when it happens to be there. */
const optional = ['*.node', 'cpu-features', 'pg-native'];
/** Bundled CommonJS asks for Node's own modules by `require`, which a module has not got by itself, nor its folder's name. */
const require = `const require = process.getBuiltinModule('node:module').createRequire(import.meta.url), __dirname = import.meta.dirname;`;

/**
 * ssh2 knows its sessions by the name of their class, which two of one name in a file would lose: the server ended by it.
 * `keepNames` for everything costs a call and a property for each function that is made while the server runs, some 6 % of
 * a small request.
 * @type {esbuild.Plugin}
 */
const keepNamesOfSsh2 = {
  name: 'keep-names-of-ssh2',
  setup(build) {
    build.onLoad({ filter: /\/node_modules\/ssh2\/.*\.js$/ }, async ({ path }) => {
      const { code } = await esbuild.transform(await readFile(path, 'utf8'), {
        keepNames: true,
        sourcefile: path,
      });
      return { contents: code, loader: 'js' };
    });
  },
};

/** @type {esbuild.BuildOptions} */
export const serverBuild = {
  absWorkingDir: directory,
  entryPoints: [
    { in: 'src/main.ts', out: 'main' },
    { in: 'src/pult.ts', out: 'pult' },
    // Started as threads, by the code beside them.
    { in: 'src/features/accounts/hashing-thread.js', out: 'hashing-thread' },
    { in: 'src/features/backups/format/compressing-thread.js', out: 'compressing-thread' },
  ],
  outdir: 'dist',
  bundle: true,
  plugins: [keepNamesOfSsh2],
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  sourcemap: true,
  legalComments: 'none',
  logLevel: 'warning',
  external: [...runtimePackages, ...optional],
  banner: { js: require },
};

/**
 * Builds into the folder and removes what earlier builds left there: chunks are named by what is in them. Only afterwards,
 * so that a build that fails leaves a server that starts.
 */
export async function buildServer(folder = join(directory, 'dist')) {
  const { metafile } = await esbuild.build({ ...serverBuild, outdir: folder, metafile: true });
  const made = new Set(Object.keys(metafile.outputs).map((path) => resolve(directory, path)));
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (/\.js(\.map)?$/.test(name) && !made.has(path)) rmSync(path, { force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // esbuild has said what is wrong.
  await buildServer().catch(() => process.exit(1));
}
