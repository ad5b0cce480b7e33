import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, type RequestListener, request } from 'node:http';
import { createRequire } from 'node:module';
import { median } from '../tunnel/figures.ts';
import type { Target } from './bulk.ts';

const require = createRequire(import.meta.url);

/** Text as it is in web interfaces: of a file that this project has anyway. */
function readText(file: string, bytes: number): Buffer {
  const text = readFileSync(require.resolve(file)).subarray(0, bytes);
  if (text.length < bytes) throw new Error(`${file} has ${text.length} bytes only`);
  return text;
}

function makeTable(bytes: number): Buffer {
  let rows = '<!doctype html><title>Controls</title><table>';
  for (let number = 0; rows.length < bytes; number++) {
    const value = Math.imul(number, 2654435761) >>> 0;
    rows += `<tr><td class="name">wb-mr6c_${value % 97}/K${value % 6}</td><td class="value">${value % 1000}</td></tr>\n`;
  }
  return Buffer.from(rows.slice(0, bytes));
}

/** A web interface as devices have it: a page that loads what follows it, and compresses nothing of it. */
const text = [
  { path: '/page', type: 'text/html', body: makeTable(8_000) },
  { path: '/page/script', type: 'text/javascript', body: readText('mqtt/dist/mqtt.min', 180_000) },
  { path: '/page/style', type: 'text/css', body: readText('maplibre-gl/dist/maplibre-gl.css', 40_000) },
];
/** What nobody can make smaller. */
const pictures = [1, 2, 3, 4].map((number) => ({
  path: `/page/picture-${number}`,
  type: 'image/png',
  body: randomBytes(30_000),
}));
const parts = [...text, ...pictures];
const pages = { text, pictures: parts };
export const pageNames = ['text', 'pictures'] as const;
type PageName = keyof typeof pages;
const rounds = 3;

export function countPageBytes(name: PageName): number {
  return pages[name].reduce((sum, { body }) => sum + body.length, 0);
}

/** The device's side: entity tags, and no word of how long anything holds. False for an address that is none of it. */
export function servePage(...[{ url = '', headers }, response]: Parameters<RequestListener>): boolean {
  const part = parts.find(({ path }) => path === url.split('?')[0]);
  if (!part) return false;
  const etag = '"1"';
  if (headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
  else {
    response.writeHead(200, { etag, 'content-type': part.type, 'content-length': part.body.length });
    response.end(part.body);
  }
  return true;
}

async function load(agent: Agent, { host, port, headers }: Target, path: string): Promise<void> {
  const call = request({ host, port, path, headers, agent });
  call.end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
}

/** Milliseconds until a browser that has nothing yet has all of the page, over six connections. */
async function loadPage(name: PageName, target: Target, person: string, query: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 6 });
  const cookie = [target.headers.cookie, `session=${person}`].filter(Boolean).join('; ');
  const own = { ...target, headers: { ...target.headers, cookie } };
  const [page, ...others] = pages[name].map(({ path }) => `${path}?${query}`);
  const started = performance.now();
  try {
    await load(agent, own, page ?? '');
    await Promise.all(others.map((path) => load(agent, own, path)));
    return performance.now() - started;
  } finally {
    agent.destroy();
  }
}

export type PageTimes = Awaited<ReturnType<typeof measurePage>>;

/** Milliseconds, at the median: of somebody who is the first to load it, and of the next one, who is somebody else to the device. */
export async function measurePage(name: PageName, target: Target, waitForQuiet: () => Promise<void>) {
  const times: { first: number[]; second: number[] } = { first: [], second: [] };
  for (let round = 0; round < rounds; round++) {
    for (const person of ['first', 'second'] as const) {
      await waitForQuiet();
      times[person].push(await loadPage(name, target, person, `${name}=${round}`));
    }
  }
  return { first: median(times.first), second: median(times.second) };
}
