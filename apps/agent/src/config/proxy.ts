import { BlockList, isIP } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The HTTP proxy on the way to `server`: the setting if there is one, otherwise what HTTPS_PROXY, HTTP_PROXY (by the
 * server's scheme) and NO_PROXY say, in capitals or small letters. As everywhere else the environment does not
 * count for this machine's own addresses. Pushes a problem that never shows a password.
 */
export function chooseProxy(
  server: string,
  setting: string | undefined,
  env: Environment,
  problems: string[],
): URL | undefined {
  if (setting !== undefined) return setting === 'off' ? undefined : readProxy('--proxy', setting, problems);
  if (!URL.canParse(server)) return undefined;
  const { protocol, hostname, port } = new URL(server);
  const isSecure = protocol === 'https:';
  const name = isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const text = env[name] || env[name.toLowerCase()];
  if (!text) return undefined;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isOwnAddress(host)) return undefined;
  const exceptions = env.NO_PROXY || env.no_proxy || '';
  if (isException(host, port || (isSecure ? '443' : '80'), exceptions)) return undefined;
  return readProxy(name, text, problems);
}

/** `HOST:PORT` alone is meant as http://, as curl takes it. */
function readProxy(name: string, text: string, problems: string[]): URL | undefined {
  const address = /^[a-z0-9+.-]+:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && isDecodable(url)) return url;
  problems.push(`${name} must be an address like http://proxy.example.com:3128 (or https://)`);
  return undefined;
}

/** A password with a bare % in it, say. */
function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

function isOwnAddress(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** NO_PROXY: names with all below them, addresses, networks, each with or without a port; `*` for everything. */
function isException(host: string, port: string, list: string): boolean {
  return list
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', itsPort] =
        /^(.*?)(?::([0-9]+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
      if (itsPort !== undefined && itsPort !== port) return false;
      const bare = name.replace(/^\[|\]$/g, '').toLowerCase();
      if (isIP(host) !== 0) return bare === host || isInNetwork(host, bare);
      const domain = bare.replace(/^\*?\./, '');
      return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
    });
}

/** By Node's own means: one network at a time is not worth a library in the agent. */
function isInNetwork(address: string, network: string): boolean {
  const [, base = '', bits = ''] = /^(.+)\/([0-9]{1,3})$/.exec(network) ?? [];
  const family = isIP(base) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(base) === 0 || isIP(base) !== isIP(address) || Number(bits) > (family === 'ipv6' ? 128 : 32))
    return false;
  const list = new BlockList();
  list.addSubnet(base, Number(bits), family);
  return list.check(address, family);
}
