/** What of the product reads texts of others by more than a regular expression, for the test that feeds it hostile ones. */

import type { IncomingMessage } from 'node:http';
import * as contract from '@pult/contract';
import * as link from '@pult/link';
import { redact } from '@pult/link/redact';
import { requireGoodPassword } from '../../apps/server/src/features/accounts/password-rule.ts';
import { createSessionCookies } from '../../apps/server/src/features/accounts/session-cookies.ts';
import { readSshPublicKey } from '../../apps/server/src/features/accounts/ssh-public-key.ts';
import { describeUserAgent } from '../../apps/server/src/features/accounts/user-agent.ts';
import { escapePattern } from '../../apps/server/src/features/controllers/controller-filters.repository.ts';
import { splitWords } from '../../apps/server/src/features/controllers/search.repository.ts';
import { parseActivationToken } from '../../apps/server/src/features/devices/activation-token.ts';
import { createDeviceAuthority } from '../../apps/server/src/features/devices/wiren-board/device-authority.ts';
import { readBoundary } from '../../apps/server/src/features/devices/wiren-board/diagnostics/multipart-file.ts';
import { factoryAuthority } from '../../apps/server/src/features/devices/wiren-board/factory-authority.ts';
import { createIdentify } from '../../apps/server/src/features/devices/wiren-board/identify.ts';
import { readTold } from '../../apps/server/src/features/history/core/told-values.ts';
import { createDatasourceTokens } from '../../apps/server/src/features/monitoring/datasource/datasource-token.ts';
import {
  maxSelectorLength,
  parseSelector,
} from '../../apps/server/src/features/monitoring/datasource/selector.ts';
import { organizationOfPath } from '../../apps/server/src/features/monitoring/grafana/grafana-path.ts';
import { readName } from '../../apps/server/src/features/tunnels/files/raw-names.ts';
import {
  createTunnelHosts,
  isTunnelPath,
  toTunnelPath,
} from '../../apps/server/src/features/tunnels/http-tunnel/address.ts';
import { rewriteLocation } from '../../apps/server/src/features/tunnels/http-tunnel/redirects.ts';
import { readJumpTarget } from '../../apps/server/src/features/tunnels/jump/jump-connection.ts';
import { createCsv } from '../../apps/server/src/platform/csv.ts';
import { offersHttp2 } from '../../apps/server/src/platform/http/answer-plain.ts';
import { readByteRange } from '../../apps/server/src/platform/http/byte-range.ts';
import { createClientAddress } from '../../apps/server/src/platform/http/client-address.ts';
import { parseServerName } from '../../apps/server/src/platform/http/client-hello.ts';
import { escapeHtml } from '../../apps/server/src/platform/http/escape-html.ts';
import { loggedPath } from '../../apps/server/src/platform/http/logged-path.ts';
import { pageAnswer, toPage } from '../../apps/server/src/platform/http/pages.ts';
import { readCookie } from '../../apps/server/src/platform/http/read-cookie.ts';
import { createCookieFilter } from '../../apps/server/src/platform/http/reverse-proxy/cookie-filter.ts';
import {
  requestHeaders,
  responseHeaders,
} from '../../apps/server/src/platform/http/reverse-proxy/headers.ts';
import { repairHead } from '../../apps/server/src/platform/http/reverse-proxy/repair-head.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { renderMail } from '../../apps/server/src/platform/mail/render-mail.ts';
import { toNetwork, toPlainAddress, toSite } from '../../apps/server/src/platform/network.ts';
import { oneLine } from '../../apps/server/src/platform/one-line.ts';
import { parseProxyHeader } from '../../apps/server/src/platform/proxy-header.ts';
import { isPrivateAddress } from '../../apps/server/src/platform/webhooks/private-network.ts';
import { toInertText } from '../../packages/collector/src/inert-text.ts';
import { readDeviceTitle, readMeta } from '../../packages/collector/src/meta.ts';
import { defaultTopics, parseTopicPattern } from '../../packages/collector/src/topic-pattern.ts';

export interface Reader {
  name: string;
  read(text: string): unknown;
  /** What leads to its inner parts. */
  begins?: readonly string[];
  /** A longer text is refused without being read. */
  maxLength?: number;
}

const origin = 'http://localhost:8080';
const key = Buffer.alloc(32);
const sender = { serviceName: 'Pult', publicUrl: origin };
const cookies = createSessionCookies({ secure: true, key });
const cookieFilter = createCookieFilter({
  isSecure: false,
  renaming: { marker: 'd_', concerns: () => true, areHidden: true },
});
const hosts = createTunnelHosts({ domain: 'localhost:8080', scheme: 'http' });
const readAddress = createClientAddress(['loopback', '10.0.0.0/8']);
const tokens = createDatasourceTokens(key);
const proxySecret = key.toString('hex');
const identify = createIdentify({
  authority: createDeviceAuthority(factoryAuthority, { now: () => new Date() }),
  isTrustedProxy: () => true,
  proxySecret,
  log: createLog('silent'),
});
const topics = parseTopicPattern(defaultTopics);

/** Of a message what the reader looks at. */
function message(headers: Record<string, string>): IncomingMessage {
  const rawHeaders = Object.entries(headers).flat();
  return { headers, rawHeaders, socket: { remoteAddress: '127.0.0.1' } } as unknown as IncomingMessage;
}
const headerRules = { forwardedBy: { address: '', scheme: 'http', host: '' }, cookies: cookieFilter };

export const readers: readonly Reader[] = [
  // Of devices.
  { name: 'value of a control', read: readTold, begins: ['', '-', '1', '1.', '1e'] },
  // Of browsers, proxies and whoever knows the address.
  { name: 'range', read: (text) => readByteRange(text, 1000), begins: ['', 'bytes=', 'bytes=0-'] },
  { name: 'cookie', read: (text) => readCookie(text, 'pult_session'), begins: ['', 'pult_session='] },
  { name: 'browser', read: (text) => cookies.readBrowser(text, 'somebody@example.com') },
  {
    name: 'certificate of a proxy',
    read: (text) => identify(message({ 'x-ssl-client-cert': text })),
    begins: ['', `${proxySecret} `, `${proxySecret} -----BEGIN CERTIFICATE-----`],
  },
  { name: 'forwarded address', read: (text) => readAddress(message({ 'x-forwarded-for': text })) },
  {
    name: 'PROXY protocol',
    read: (text) => parseProxyHeader(Buffer.from(text)),
    begins: ['PROXY ', 'PROXY TCP4 '],
  },
  {
    name: 'PROXY protocol, binary',
    read: (text) => parseProxyHeader(Buffer.from(text, 'latin1')),
    begins: ['\r\n\r\n\0\r\nQUIT\n', '\r\n\r\n\0\r\nQUIT\n!\x21\x07\xf0'],
  },
  {
    name: 'address',
    read: (text) => [toPlainAddress, toNetwork, toSite, isPrivateAddress].map((to) => to(text)),
  },
  { name: 'language', read: contract.negotiateLocale, begins: ['', 'en;'] },
  { name: 'upgrade', read: (text) => offersHttp2(message({ upgrade: text })) },
  { name: 'user agent', read: describeUserAgent, begins: ['', 'Mozilla/5.0 ('] },
  { name: 'logged path', read: loggedPath },
  { name: 'page address', read: (text) => readPage(`/${text}`), begins: ['?page='] },
  { name: 'host', read: (text) => hosts.parse(`${text}.http.localhost:8080`) },
  { name: 'path of a tunnel', read: (text) => [toTunnelPath(`/${text}`, origin), isTunnelPath(text)] },
  { name: 'organization of a path', read: (text) => organizationOfPath(text, origin), begins: ['/?orgId='] },
  { name: 'basic authentication', read: tokens.verify, begins: ['', 'Basic '] },
  {
    name: 'selector',
    read: parseSelector,
    maxLength: maxSelectorLength,
    begins: ['', 'pult_cpu_usage', '{serial="', '{serial=~"', '{serial=~"(', '{serial="A",'],
  },
  // Of people.
  {
    name: 'SSH key',
    read: readSshPublicKey,
    begins: ['', 'ssh-rsa ', 'command="', '---- BEGIN SSH2 PUBLIC KEY ----\n', '-----BEGIN '],
  },
  { name: 'password', read: (text) => requireGoodPassword('password', text, 'somebody@example.com') },
  { name: 'search', read: (text) => [splitWords(text), escapePattern(text)] },
  { name: 'activation token', read: parseActivationToken },
  { name: 'jump target', read: (text) => readJumpTarget(text, 'localhost:8080') },
  { name: 'text in HTML', read: escapeHtml },
  { name: 'text in a mail', read: (text) => renderMail({ subject: text, paragraphs: [text] }, 'en', sender) },
  { name: 'text in a CSV file', read: (text) => createCsv([], oneRow(text), (cell) => [cell]).toArray() },
  // Of devices, and of what runs on them.
  { name: 'authorization of a device', read: link.parseAuthorization, begins: ['', 'Pult ', 'Pult A1.'] },
  { name: 'telemetry', read: decodeTelemetry },
  {
    name: 'redirect',
    read: (text) => rewriteLocation(text, { origin }),
    begins: ['', 'http://', 'http://127.'],
  },
  {
    name: 'refresh of a device',
    read: (text) =>
      responseHeaders(message({ refresh: text }), {
        ...headerRules,
        rewriteLocation: (location) => location,
      }),
    begins: ['', '5; url=', "5; url='"],
  },
  {
    name: 'head of an answer',
    read: (text) => repairHead(`HTTP/1.1 200 ${text}\r\n\r\n`),
    begins: [
      '',
      'OK\n',
      'OK\r\nA: ',
      'OK\r\nA: 1\r\n ',
      'OK\r\nContent-Length: 1\r\nContent-Length:',
      'OK\r\nTransfer-Encoding: identity, ',
    ],
  },
  { name: 'cookies for a device', read: (text) => requestHeaders(message({ cookie: text }), headerRules) },
  {
    name: 'cookie of a device',
    read: (text) => responseHeaders(message({ 'set-cookie': text }), headerRules),
    begins: ['', 'a=', 'a=1; '],
  },
  { name: 'hop by hop', read: (text) => requestHeaders(message({ connection: text }), headerRules) },
  { name: 'serial number', read: link.normalizeSerialNumber },
  { name: 'server address', read: link.normalizeServerUrl, begins: ['', 'http://localhost/'] },
  { name: 'service', read: link.isServiceName, begins: ['', 'port-'] },
  {
    name: 'request for telemetry',
    read: link.parseTelemetryPath,
    begins: ['', '/v1/telemetry?since=0&stream_id='],
  },
  { name: 'retry after', read: link.parseRetryAfter },
  { name: 'endpoint', read: contract.readTunnelPlace, begins: ['', 'tcp-'] },
  { name: 'topic', read: (text) => topics?.match(text), begins: ['', '/devices/', '/devices/a/controls/'] },
  {
    name: 'meta of a control',
    read: (text) => [readMeta('', Buffer.from(text)), readMeta('order', Buffer.from(text))],
    begins: ['', '{"title":"', '{"enum":{"'],
    maxLength: 8_000,
  },
  {
    name: 'title of a device',
    read: (text) => readDeviceTitle('', Buffer.from(text)),
    begins: ['', '{"title":{'],
    maxLength: 8_000,
  },
  { name: 'name of a file', read: (text) => readName(Buffer.from(text, 'latin1')) },
  { name: 'value of a control', read: (text) => toInertText(Buffer.from(text), 1000) },
  {
    name: 'content type of an upload',
    read: (text) => readBoundary(text),
    begins: ['multipart/form-data; boundary="', 'multipart/form-data;'],
  },
  {
    name: 'first message of a TLS client',
    read: (text) => parseServerName(Buffer.from(text, 'latin1')),
    begins: ['\x16\x03\x01\xff\xff\x01\x00', '\x16\x03\x01\x00\x01'],
  },
  { name: 'words of an authority, a DNS server or a program', read: oneLine },
  { name: 'log of a device', read: (text) => redact(Buffer.from(text)), begins: ['password: "'] },
];

function readPage(requestUrl: string): unknown {
  const found = { page: toPage({ page: 2 }), count: 1000, results: [] };
  return pageAnswer(found, origin, requestUrl);
}

async function* oneRow(text: string): AsyncGenerator<string[]> {
  yield [text];
}

/** In pieces as small as a link may bring, as the values of as many entries as it takes. */
function decodeTelemetry(text: string): void {
  const encoder = new link.TelemetryEncoder();
  const decoder = new link.TelemetryDecoder();
  const values = Array.from({ length: Math.ceil(text.length / 1000) }, (_, place) =>
    text.slice(place * 1000, (place + 1) * 1000),
  );
  const entries = values.map((value, place) => ({
    offset: place + 1,
    age: 0,
    device: 'd',
    control: 'c',
    value,
  }));
  const greeting = encoder.encodeGreeting({ streamId: 'stream-of-texts', lost: 0 });
  const bytes = Buffer.concat([greeting, ...encoder.encode(entries)]);
  for (let at = 0; at < bytes.length; at += 4) for (const _ of decoder.decode(bytes.subarray(at, at + 4)));
}
