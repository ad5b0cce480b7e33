import { readFile } from 'node:fs/promises';
import { repositoryPath, type TestCertificate } from '@pult/testkit';

// The very files that the documentation tells people to take, with other ports and another certificate.

export interface ProxyPlace {
  /** Where the proxy listens. */
  port: number;
  /** Where the server behind it does. */
  upstreamPort: number;
  certificate: TestCertificate;
}

/** Throws where the text has none of one any more. */
export function replaceAll(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((all, [from, to]) => {
    if (!all.includes(from)) throw new Error(`the file has no ${from} any more`);
    return all.replaceAll(from, to);
  }, text);
}

export async function readNginx({ port, upstreamPort, certificate }: ProxyPlace): Promise<string> {
  return replaceAll(await readFile(repositoryPath('deploy/nginx.conf'), 'utf8'), {
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    'pult.example.com *.http.pult.example.com': 'localhost *.http.localhost',
    '/etc/pult/cert.pem': certificate.certPath,
    '/etc/pult/key.pem': certificate.keyPath,
    '127.0.0.1:8080': `127.0.0.1:${upstreamPort}`,
  });
}

/** With its door for SSH, where one is given. */
export async function readHaproxy(
  { port, upstreamPort, certificate }: ProxyPlace,
  ssh?: { port: number; jumpPort: number },
): Promise<string> {
  const [web = '', native = ''] = (await readFile(repositoryPath('deploy/haproxy.cfg'), 'utf8')).split(
    '# Native SSH.',
  );
  const served = replaceAll(web, {
    'bind :443': `bind 127.0.0.1:${port}`,
    '/etc/pult/pult.pem': certificate.bundlePath,
    'server pult 127.0.0.1:8080': `server pult 127.0.0.1:${upstreamPort}`,
  });
  if (!ssh) return served;
  return `${served}#${replaceAll(native, {
    'bind :2222': `bind 127.0.0.1:${ssh.port}`,
    'server pult 127.0.0.1:2223': `server pult 127.0.0.1:${ssh.jumpPort}`,
  })}`;
}
