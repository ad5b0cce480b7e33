import { expect, test } from 'vitest';
import { findStrays, type NameLookups } from './leading-names.ts';

const fail = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

/** `hosts` is what the machine's own file of names adds to DNS. */
function world(dns: Record<string, string[]>, hosts: Record<string, string[]> = {}): NameLookups {
  return {
    lookUp: async (name) => hosts[name] ?? dns[name] ?? fail('ENOTFOUND'),
    resolve: async (name) => dns[name] ?? [],
    listOwnAddresses: () => ['127.0.0.1', '10.0.0.5'],
  };
}

const names = ['agent.pult.test', 'tunnel.pult.test'];
const [agent = '', tunnel = ''] = names;
const find = (lookups: NameLookups) => findStrays(names, 'pult.test', lookups);

test('names lead to the server where its own name does, or to an address of its machine', async () => {
  const home = ['192.0.2.1', '2001:db8::1'];
  expect(await find(world({ 'pult.test': home, [agent]: home, [tunnel]: ['192.0.2.1'] }))).toEqual([]);
  expect(await find(world({ 'pult.test': home, [agent]: ['10.0.0.5'], [tunnel]: ['127.0.0.1'] }))).toEqual(
    [],
  );
});

test('names lead to the server whose machine calls itself 127.0.1.1', async () => {
  const dns = { 'pult.test': ['192.0.2.1'], [agent]: ['192.0.2.1'], [tunnel]: ['192.0.2.1'] };
  expect(await find(world(dns, { 'pult.test': ['127.0.1.1'] }))).toEqual([]);
});

test('names that nobody knows, or with one address elsewhere, do not lead to the server', async () => {
  expect(await find(world({ 'pult.test': ['192.0.2.1'], [agent]: ['192.0.2.1', '192.0.2.9'] }))).toEqual(
    names,
  );
  expect(await find(world({ 'pult.test': ['192.0.2.1'], [agent]: ['192.0.2.1'] }))).toEqual([tunnel]);
});

test('DNS that does not answer says nothing of the names', async () => {
  const silent = { ...world({}), lookUp: () => fail('EAI_AGAIN') };
  await expect(find(silent)).rejects.toThrow('EAI_AGAIN');
});
