import { repositoryPath } from '@pult/testkit';
import type { Site } from './site.ts';

/** ProxyCommand for the controller of a site; takes the access token from PULT_ACCESS. */
export function openSshProxy(site: Site): string {
  return `${process.execPath} ${repositoryPath('tests/interop/ssh-proxy.mjs')} ${site.server.url} ${site.serialNumber}`;
}
