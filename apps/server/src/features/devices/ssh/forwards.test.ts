import { describe, expect, it } from 'vitest';
import { createKeySerial, parseDeviceUser } from './device-user.ts';
import { createForwards } from './forwards.ts';

describe('forwards of a device', () => {
  it.each([
    ['pult-http', 8080, 'http'],
    ['PULT-SSH', 2022, 'ssh'],
    ['localhost', 80, 'http'],
    ['', 22, 'ssh'],
    ['0.0.0.0', 8123, 'port-8123'],
  ])('a forward of %j and port %i is reached as %s', (bindAddr, bindPort, endpoint) => {
    const forwards = createForwards();
    expect(forwards.add({ bindAddr, bindPort })).toBe(true);
    expect(forwards.find(endpoint)).toEqual({ bindAddr, bindPort });
  });

  it('a named service on port 80 or 22 is reached by the forward of the web interface or of SSH', () => {
    const forwards = createForwards();
    forwards.add({ bindAddr: 'pult-http', bindPort: 80 });
    expect(forwards.find('port-80')).toEqual({ bindAddr: 'pult-http', bindPort: 80 });
    expect(forwards.find('port-22')).toBeUndefined();
  });

  it.each([0, 65_536, -1, Number.NaN])('a forward of port %s is none', (bindPort) => {
    expect(createForwards().add({ bindAddr: 'localhost', bindPort })).toBe(false);
  });

  it('a forward is given back by the very name it was asked for', () => {
    const forwards = createForwards();
    forwards.add({ bindAddr: 'localhost', bindPort: 80 });
    expect(forwards.remove({ bindAddr: '', bindPort: 80 })).toBe(false);
    expect(forwards.remove({ bindAddr: 'localhost', bindPort: 80 })).toBe(true);
    expect(forwards.find('http')).toBeUndefined();
  });
});

describe('the user name of a device', () => {
  it.each([
    ['device', { serialNumber: undefined, enrollmentKey: undefined }],
    ['device+ab-1', { serialNumber: 'AB-1', enrollmentKey: undefined }],
    ['device:se@cr:et', { serialNumber: undefined, enrollmentKey: 'se@cr:et' }],
    ['device+AB:secret', { serialNumber: 'AB', enrollmentKey: 'secret' }],
    ['device+a_b', { serialNumber: 'invalid', enrollmentKey: undefined }],
  ])('the user name %j is a device’s', (name, user) => {
    expect(parseDeviceUser(name)).toEqual(user);
  });

  it.each(['device@example.com', 'device+shop@example.com', 'device%40example.com', 'devices', 'Device', ''])(
    'the user name %j is a person’s',
    (name) => {
      expect(parseDeviceUser(name)).toBeUndefined();
    },
  );

  it('a key has one serial number, in letters and digits that cannot be mistaken', () => {
    const serial = createKeySerial(Buffer.from('a key'));
    expect(serial).toMatch(/^SSH-[A-Z2-7]{8}$/);
    expect(createKeySerial(Buffer.from('a key'))).toBe(serial);
    expect(createKeySerial(Buffer.from('another'))).not.toBe(serial);
  });
});
