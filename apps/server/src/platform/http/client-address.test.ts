import type { IncomingMessage } from 'node:http';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createClientAddress, createForwardedWarning } from './client-address.ts';

// The parts of a request that tell an address.
const request = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('the address of a client', () => {
  it('the address of a client is its connection’s, whatever it says of itself', () => {
    expect(createClientAddress([])(request('203.0.113.7', '10.0.0.1'))).toBe('203.0.113.7');
  });

  it('the address of a client is what a trusted proxy has seen, not what came to the proxy', () => {
    const addressOf = createClientAddress(['10.0.0.0/8']);
    expect(addressOf(request('10.0.0.2', '6.6.6.6, 203.0.113.7'))).toBe('203.0.113.7');
    expect(addressOf(request('192.0.2.1', '203.0.113.7'))).toBe('192.0.2.1');
  });

  it.each([
    ['203.0.113.7:51234', '203.0.113.7'],
    ['203.0.113.7:', '203.0.113.7'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['"[2001:db8::1]:443"', '2001:db8::1'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['2001:db8:1:2:3:4:5:6:443', '2001:db8:1:2:3:4:5:6'],
    ['2001:db8::1:51234', '2001:db8::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['6.6.6.6, 203.0.113.7:51234, 10.0.0.9:80', '203.0.113.7'],
    ['6.6.6.6:1, [::ffff:10.0.0.9]:80,\t10.0.0.8', '6.6.6.6'],
  ])('the address of a client in %j is %s', (forwarded, address) => {
    expect(createClientAddress(['10.0.0.0/8'])(request('10.0.0.2', forwarded))).toBe(address);
  });

  it.each([
    'unknown',
    '_hidden',
    'for=203.0.113.7',
    '203.0.113.7:http',
    '203.0.113.300',
    '1.2.3',
    "' or 1=1",
    '[]:1',
  ])('the address of a client is its proxy’s where that names none: %j', (forwarded) => {
    const addressOf = createClientAddress(['10.0.0.0/8']);
    expect(addressOf(request('::ffff:10.0.0.2', forwarded))).toBe('10.0.0.2');
    expect(addressOf(request('10.0.0.2', `203.0.113.7, ${forwarded}, 10.0.0.9`))).toBe('10.0.0.9');
  });

  it('the address of a client is its proxy’s where that says nothing', () => {
    const addressOf = createClientAddress(['10.0.0.0/8']);
    expect(addressOf(request('10.0.0.2', ''))).toBe('10.0.0.2');
    expect(addressOf(request('10.0.0.2', ' , '))).toBe('10.0.0.2');
  });

  it('the address of a client is empty when the connection is gone already', () => {
    expect(createClientAddress(['10.0.0.0/8'])(request(undefined))).toBe('');
    expect(createClientAddress([])(request(undefined))).toBe('');
  });
});

describe('a forwarded address that is ignored', () => {
  const collect = (trustedProxies: string[]) => {
    const lines: Record<string, unknown>[] = [];
    const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
    return { warn: createForwardedWarning(trustedProxies, log), lines };
  };

  it('a forwarded address that is ignored is warned of once, with the setting that helps', () => {
    const { warn, lines } = collect(['10.0.0.1']);
    warn(request('10.0.0.2', '203.0.113.7'));
    warn(request('10.0.0.3', '203.0.113.7'));
    expect(lines).toMatchObject([
      { level: 40, peer: '10.0.0.2', msg: expect.stringContaining('TRUSTED_PROXIES') },
    ]);
  });

  it('a forwarded address that a trusted proxy does not name is warned of once, with what stands there', () => {
    const { warn, lines } = collect(['10.0.0.0/8']);
    warn(request('10.0.0.2', '203.0.113.7:51234'));
    warn(request('10.0.0.2', 'unknown'));
    warn(request('10.0.0.3', 'unknown'));
    expect(lines).toMatchObject([{ level: 40, peer: '10.0.0.2', entry: 'unknown' }]);
  });

  it('a forwarded address that is ignored is none when a trusted proxy sent it, or nobody', () => {
    const { warn, lines } = collect(['10.0.0.0/8']);
    warn(request('10.0.0.2', '203.0.113.7'));
    warn(request('192.0.2.1'));
    warn(request(undefined, '203.0.113.7'));
    expect(lines).toEqual([]);
  });
});
