import { HttpClient, hashByteSource } from '@pult/testkit';
import { expect } from 'vitest';
import { openTunnel, type Site } from './site.ts';

/** A browser that only ever comes to the node of that site. */
export async function openPage(site: Site) {
  const client = new HttpClient({ port: site.server.port });
  const { tunnelRedirectUrl } = await openTunnel(site, 'http', '/landed');
  const landed = await client.request(tunnelRedirectUrl, { followRedirects: true });
  return { client, landed, url: landed.url };
}

/** So much of the web interface behind that site comes whole, by whatever node it is seen from. */
export async function expectWholeDownload(site: Site, bytes: number): Promise<void> {
  const { client, url } = await openPage(site);
  const answer = await client.request(new URL(`/download/${bytes}`, url).href);
  expect(await answer.hash()).toEqual({ bytes, sha256: hashByteSource(bytes) });
}
