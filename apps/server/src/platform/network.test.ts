import { expect, it } from 'vitest';
import { toNetwork, toPlainAddress, toSite } from './network.ts';

it('takes an IPv4 address for itself, however it is written', () => {
  expect(toNetwork('192.0.2.7')).toBe('192.0.2.7');
  expect(toNetwork('::ffff:192.0.2.7')).toBe('192.0.2.7');
});

it('takes all IPv6 addresses of one /64 for one client, and of two for two', () => {
  const network = toNetwork('2001:db8:1:2::1');
  expect(toNetwork('2001:DB8:1:2:ffff:ffff:ffff:ffff')).toBe(network);
  expect(toNetwork('2001:db8:0001:0002::7')).toBe(network);
  expect(toNetwork('2001:db8:1:3::1')).not.toBe(network);
  expect(toNetwork('::1')).toBe(toNetwork('0:0:0:0:0:0:0:2'));
  expect(toNetwork('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  expect(toNetwork('fe80::1%br-lan')).toBe('fe80:0:0:0::/64');
});

it('takes the addresses of a /24 or a /48 for one site', () => {
  expect(toSite('192.0.2.7')).toBe('192.0.2.0/24');
  expect(toSite('::ffff:192.0.2.255')).toBe('192.0.2.0/24');
  expect(toSite('192.0.3.7')).not.toBe(toSite('192.0.2.7'));
  expect(toSite('2001:db8:1:2::1')).toBe('2001:db8:1::/48');
  expect(toSite('2001:DB8:1:ffff::')).toBe('2001:db8:1::/48');
  expect(toSite('2001:db8:2::1')).not.toBe('2001:db8:1::/48');
  expect(toSite('fe80::1%eth0')).toBe('fe80:0:0::/48');
});

it('leaves what is no address alone', () => {
  expect(toSite('unix:')).toBe('unix:');
  expect(toNetwork('')).toBe('');
  expect(toNetwork('unix:')).toBe('unix:');
});

it('an IPv4 client of an IPv6 socket is written in dots', () => {
  expect(toPlainAddress('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(toPlainAddress('::ffff:c000:207')).toBe('192.0.2.7');
  expect(toPlainAddress('2001:db8::7')).toBe('2001:db8::7');
  expect(toPlainAddress('fe80::1%eth0.100')).toBe('fe80::1');
  expect(toPlainAddress('')).toBe('');
});
