import { fileURLToPath } from 'node:url';
import type { Site } from './site.ts';

const proxyProgram = new URL('./ssh-proxy.mjs', import.meta.url);

/** For the shell that runs a ProxyCommand, after OpenSSH has filled in its own `%` tokens (ssh_config(5)). */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''").replaceAll('%', '%%')}'`;
}

/** ProxyCommand for the controller of a site; takes the access token from PULT_ACCESS. */
export function openSshProxy(site: Site): string {
  const words = [process.execPath, fileURLToPath(proxyProgram), site.server.url, site.serialNumber];
  return words.map(quote).join(' ');
}
