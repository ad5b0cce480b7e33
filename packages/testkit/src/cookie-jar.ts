interface Cookie {
  value: string;
  /** Host the cookie is for; with `includesSubdomains` all below it too. */
  host: string;
  includesSubdomains: boolean;
}

/** The cookies of one client by host, as a browser keeps them; paths and lifetimes but "delete now" are left out. */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  store(host: string, setCookies: readonly string[]): void {
    for (const header of setCookies) {
      const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
      const name = pair.slice(0, pair.indexOf('='));
      const attribute = (wanted: string) =>
        attributes.find((part) => part.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
      const domain = attribute('domain')?.replace(/^\./, '').toLowerCase();
      const cookie = {
        value: pair.slice(pair.indexOf('=') + 1),
        host: domain ?? host,
        includesSubdomains: domain !== undefined,
      };
      const key = `${cookie.host} ${name}`;
      const expires = attribute('expires');
      const isDeleted =
        attribute('max-age') === '0' || (expires !== undefined && Date.parse(expires) < Date.now());
      if (isDeleted) this.#cookies.delete(key);
      else this.#cookies.set(key, cookie);
    }
  }

  /** The `Cookie` header for a host, or undefined. */
  getHeader(host: string): string | undefined {
    const pairs: string[] = [];
    for (const [key, { value, host: owner, includesSubdomains }] of this.#cookies) {
      const isForHost = owner === host || (includesSubdomains && host.endsWith(`.${owner}`));
      if (isForHost) pairs.push(`${key.slice(owner.length + 1)}=${value}`);
    }
    return pairs.length > 0 ? pairs.join('; ') : undefined;
  }

  /** Names of the cookies of exactly this host. */
  getNames(host: string): string[] {
    return [...this.#cookies.keys()]
      .filter((key) => key.startsWith(`${host} `))
      .map((key) => key.split(' ')[1] ?? '');
  }
}
