import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isInstalled, requireNode } from './install.mjs';
import { root } from './processes.mjs';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pult-install-'));
  mkdirSync(join(directory, 'node_modules'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(path: string, packages: Record<string, unknown>) {
  writeFileSync(join(directory, path), JSON.stringify({ packages }));
}
const wanted = { '': {}, 'node_modules/a': { version: '1.0.0', integrity: 'x' } };
const hidden = 'node_modules/.package-lock.json';

describe('isInstalled', () => {
  test('isInstalled is false on a fresh clone', () => {
    write('package-lock.json', wanted);
    expect(isInstalled(directory)).toBe(false);
  });

  test('isInstalled is true when every package of the lockfile is there', () => {
    write('package-lock.json', wanted);
    write(hidden, { 'node_modules/a': { version: '1.0.0', integrity: 'x' } });
    expect(isInstalled(directory)).toBe(true);
  });

  test.each([
    ['another version', { 'node_modules/a': { version: '1.0.1', integrity: 'x' } }],
    ['another content', { 'node_modules/a': { version: '1.0.0', integrity: 'y' } }],
    ['a missing package', {}],
  ])('isInstalled is false with %s', (_what, present) => {
    write('package-lock.json', wanted);
    write(hidden, present);
    expect(isInstalled(directory)).toBe(false);
  });

  test('asks for an optional package only where it belongs', () => {
    const optional = (os: string) => ({ version: '1.0.0', optional: true, os: [os], cpu: [process.arch] });
    write(hidden, {});
    write('package-lock.json', { 'node_modules/b': optional('plan9') });
    expect(isInstalled(directory)).toBe(true);
    write('package-lock.json', { 'node_modules/b': optional(process.platform) });
    expect(isInstalled(directory)).toBe(false);
  });

  test('asks for a tool of development only where it is wanted', () => {
    write('package-lock.json', {
      ...wanted,
      'node_modules/b': { version: '1.0.0', integrity: 'y', dev: true },
      'node_modules/c': { link: true, resolved: 'packages/c' },
      'packages/c': { dev: true },
    });
    write(hidden, { 'node_modules/a': { version: '1.0.0', integrity: 'x' } });
    expect(isInstalled(directory)).toBe(false);
    expect(isInstalled(directory, { withTools: false })).toBe(true);
    write(hidden, {});
    expect(isInstalled(directory, { withTools: false })).toBe(false);
  });

  test('says so when the lockfile is damaged', () => {
    writeFileSync(join(directory, 'package-lock.json'), '{"packages"');
    expect(() => isInstalled(directory)).toThrow('missing or damaged');
  });
});

describe('requireNode', () => {
  test.each(['20.19.0', '20.20.2', '22.0.0', '100.1.0'])('takes %s', (version) => {
    expect(() => requireNode(version)).not.toThrow();
  });
  test.each(['20.18.9', '18.20.0', '8.9.0'])('refuses %s in plain words', (version) => {
    expect(() => requireNode(version)).toThrow(/needs Node\.js 20\.19 or newer/);
  });
});

/** What a tool loads when it starts: the names of its static imports, and of theirs. */
function listImports(file: string, found = new Set<string>()): Set<string> {
  const text = readFileSync(join(root, 'tools', file), 'utf8');
  for (const [, name = ''] of text.matchAll(/\b(?:from|import) '([^']+)';$/gm)) {
    if (found.has(name)) continue;
    found.add(name);
    if (/^\.\/.*\.mjs$/.test(name)) listImports(name, found);
  }
  return found;
}

test.each(['esbuild', 'vite', '@vitejs/plugin-react'])(
  '%s, which builds Pult, is installed for a start',
  (name) => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    expect(packages[`node_modules/${name}`]).not.toHaveProperty('dev');
  },
);

test.each(['start', 'test', 'build', 'run'])('%s.mjs starts in a fresh clone without packages', (tool) => {
  const imports = [...listImports(`${tool}.mjs`)];
  expect(imports).toContain('./install.mjs');
  expect(imports.filter((name) => !/^(node:|\.\/[a-z-]+\.mjs$)/.test(name))).toEqual([]);
});
