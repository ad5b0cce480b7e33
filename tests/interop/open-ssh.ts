import { fileURLToPath } from 'node:url';
import type { Site } from './site.ts';

const proxyProgram = new URL('./ssh-proxy.mjs', import.meta.url);

/** ProxyCommand for the controller of a site; takes the access token from PULT_ACCESS. */
export function openSshProxy(site: Site): string {
  return `${process.execPath} ${fileURLToPath(proxyProgram)} ${site.server.url} ${site.serialNumber}`;
}
