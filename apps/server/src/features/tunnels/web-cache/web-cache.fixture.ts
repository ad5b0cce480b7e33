import type { HttpClient } from '@pult/testkit';
import { type ClaimedDevice, createTunnelFixture, type TunnelFixture } from '../tunnel.fixture.ts';

export type Headers = Record<string, string>;

/** A controller with a web interface on that port, and two people before it who share what its cache keeps. */
export interface CacheFixture {
  tunnels: TunnelFixture;
  device: ClaimedDevice;
  first: HttpClient;
  second: HttpClient;
  /** The second of them. */
  other: Awaited<ReturnType<TunnelFixture['addUser']>>;
  /** Answers another path each time: what one test has kept is nothing to the next. */
  turnPage(): string;
  /** Of the path that `turnPage` has answered last. */
  get(browser: HttpClient, headers?: Headers, options?: { method?: string; path?: string }): Promise<Answer>;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  headers: HttpAnswer['headers'];
  text: string;
}
type HttpAnswer = Awaited<ReturnType<HttpClient['request']>>;

export async function createCacheFixture(serialNumber: string, port: number): Promise<CacheFixture> {
  const tunnels = await createTunnelFixture();
  const device = await tunnels.addDevice(serialNumber, { endpoints: { http: port } });
  const other = await tunnels.addUser('member');
  let page = 0;
  const pathOf = () => `/page-${page}`;
  return {
    tunnels,
    device,
    first: await tunnels.openBrowser(device),
    second: await tunnels.openBrowser(device, other),
    other,
    turnPage: () => {
      page += 1;
      return pathOf();
    },
    async get(browser, headers = {}, { method, path = pathOf() } = {}) {
      const options = { headers, ...(method === undefined ? {} : { method }) };
      const answer = await browser.request(device.origin + path, options);
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
    close: () => tunnels.close(),
  };
}
