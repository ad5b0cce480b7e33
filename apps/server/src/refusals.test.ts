import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deliveryFailures } from '@pult/contract';
import { repositoryPath } from '@pult/testkit';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { loginRefusals } from './features/devices/ssh/ssh-texts.ts';
import { tunnelPages, unauthorizedReasons } from './features/tunnels/http-tunnel/pages.ts';
import { jumpLoginReasons } from './features/tunnels/jump/jump-login.ts';
import { jumpRefusals } from './features/tunnels/jump/jump-texts.ts';
import { DomainError } from './platform/errors.ts';
import { refusalReasons, wirenBoardTunnelRefusals } from './platform/refusal-reasons.ts';

const none = '—';

/** As `code reason`, one for each that a row of a table names. */
function rowsOf(code: string, reasons: readonly string[]): string[] {
  return (reasons.length > 0 ? reasons : [none]).map((reason) => `${code} ${reason}`);
}

/** The rows of docs/refusals.md whose table begins with such a column, with the word before them that tells tables apart. */
function readPage(): { of: string; rows: string[] }[] {
  const tables: { of: string; rows: string[] }[] = [];
  for (const line of readFileSync(repositoryPath('docs/refusals.md'), 'utf8').split('\n')) {
    if (!line.startsWith('| ')) continue;
    const cells = line.split('|').map((cell) => cell.trim());
    const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const [, first = '', second] = cells;
    if (/^[A-Z]/.test(first)) {
      tables.push({ of: cells.length > 4 ? `${first} ${second}` : first, rows: [] });
      continue;
    }
    const reasons = cells.length > 4 ? namesIn(second) : [];
    tables.at(-1)?.rows.push(...namesIn(first).flatMap((code) => rowsOf(code, reasons)));
  }
  return tables;
}

const page = readPage();
const rowsUnder = (of: string) => page.filter((table) => table.of === of).flatMap(({ rows }) => rows);
const sorted = (rows: readonly string[]) => [...rows].sort();
const plain = (names: readonly string[]) => names.flatMap((name) => rowsOf(name, []));

describe('the page of refusals', () => {
  it('has each reason of the calls once, and none that there is not', () => {
    const all = Object.entries(refusalReasons).flatMap(([code, reasons]) => rowsOf(code, reasons));
    expect(sorted(rowsUnder('Code Reason'))).toEqual(sorted(all));
  });

  it('has each page of web interfaces once, with what an address lacks', () => {
    const all = Object.keys(tunnelPages).flatMap((name) =>
      rowsOf(name, name === 'unauthorized' ? unauthorizedReasons : []),
    );
    expect(sorted(rowsUnder('Page Reason'))).toEqual(sorted(all));
  });

  it('has each word of SSH, of frp and of deliveries once', () => {
    const codes = [...Object.keys(loginRefusals), ...Object.keys(jumpRefusals)];
    expect(sorted(rowsUnder('Code'))).toEqual(sorted(plain(codes)));
    const reasons = [...wirenBoardTunnelRefusals, ...jumpLoginReasons, ...deliveryFailures];
    expect(sorted(rowsUnder('Reason'))).toEqual(sorted(plain(reasons)));
  });
});

/** Where sign-ins, enrolments, rights, tunnels and webhooks are refused. */
const areas = [
  'accounts/authenticate.ts',
  'accounts/confirmations.ts',
  'accounts/device-logins',
  'accounts/login.service.ts',
  'accounts/login-throttle.ts',
  'accounts/password-reset.service.ts',
  'accounts/sign-up.service.ts',
  'accounts/tokens/token-logins.ts',
  'activation',
  'devices',
  'enrolment-keys',
  'grants',
  'organizations/invites',
  'sign-in',
  'tunnels/guests',
  'tunnels/http-tunnel/ports',
  'tunnels/jump',
  'tunnels/live-tunnels.ts',
  'tunnels/port-rights.ts',
  'tunnels/tunnels.service.ts',
  'webhooks',
];
/** Of any call or request, whatever it is about: each says what is wrong with it by itself. */
const ofAnyCall = ['invalid_request', 'not_found', 'payload_too_large'];

it('what the areas of the page throw stands in it', async () => {
  const thrown = new Set<string>();
  for (const area of areas) {
    const path = join(import.meta.dirname, 'features', area);
    const files = area.endsWith('.ts')
      ? [path]
      : (await readdir(path, { recursive: true })).map((name) => join(path, name));
    for (const file of files.filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(name)))
      for (const [, code = ''] of (await readFile(file, 'utf8')).matchAll(/new DomainError\(\s*'(\w+)'/g))
        thrown.add(code);
  }
  expect(thrown.size).toBeGreaterThan(60);
  const known = [...Object.keys(refusalReasons), ...ofAnyCall];
  expect([...thrown].filter((code) => !known.includes(code))).toEqual([]);
});

it('a code with several causes is thrown with one of its own', () => {
  expectTypeOf(new DomainError('sign_in_expired', 'used').reason).not.toBeNever();
  // @ts-expect-error: it does not say which
  void new DomainError('sign_in_expired');
  // @ts-expect-error: nor here, where there are values
  void new DomainError('controller_offline', { serialNumber: 'A1' });
  // @ts-expect-error: that is a cause of another code
  void new DomainError('sign_in_expired', 'password_wrong');
  // @ts-expect-error: one whose cause is plain has none besides
  void new DomainError('sign_in_denied', 'used');
  expect(new DomainError('sign_in_expired', 'used').logged).toEqual({
    code: 'sign_in_expired',
    reason: 'used',
  });
  expect(JSON.stringify(new DomainError('sign_in_denied').logged)).toBe('{"code":"sign_in_denied"}');
});
