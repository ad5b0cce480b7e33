/**
 * `npm run audit`: looks every package of package-lock.json up in a list of known vulnerabilities, without a network. OSV_NPM names the list: a
 * folder of OSV records, or the zip of the npm ecosystem as osv.dev exports it (osv-vulnerabilities, npm/all.zip).
 */

import { statSync } from 'node:fs';
import { readRecords } from './audit/read-records.ts';
import { findVulnerable } from './audit/vulnerable.ts';
import { nameOf, readLockedPackages } from './packaging/locked-packages.ts';
import { PlainError, print, printRow } from './terminal.mjs';

export async function main(): Promise<void> {
  const list = process.env.OSV_NPM;
  if (!list) {
    print('OSV_NPM names no list of known vulnerabilities: nothing was looked up.');
    print('It is a folder of OSV records or the zip of the npm ecosystem, npm/all.zip of osv.dev.');
    return;
  }
  if (!statSync(list, { throwIfNoEntry: false })) throw new PlainError(`OSV_NPM: there is no ${list}.`);
  const packages = Object.entries(readLockedPackages()).flatMap(
    ([path, { name = nameOf(path), version, link, dev }]) =>
      path.includes('node_modules/') && version && !link ? [{ name, version, isDev: dev === true }] : [],
  );
  const { found, records } = await findVulnerable(packages, readRecords(list));
  // An empty list, or one of something else, would pass everything.
  if (records === 0) throw new PlainError(`OSV_NPM: ${list} has no records of the npm ecosystem.`);
  for (const { name, version, isDev, id, severity, summary } of found) {
    const part = isDev ? 'tools and tests' : 'runs with Pult';
    printRow('failed', `${name} ${version}`, [id, severity, summary, part].filter(Boolean).join(', '));
  }
  const looked = `${packages.length} packages, ${records} records`;
  if (found.length > 0) throw new PlainError(`${found.length} known vulnerabilities (${looked}).`);
  printRow('passed', 'no known vulnerability', looked);
}
