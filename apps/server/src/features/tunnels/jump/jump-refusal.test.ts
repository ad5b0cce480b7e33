import { expect, it } from 'vitest';
import { DomainError } from '../../../platform/errors.ts';
import { EndpointError } from '../../devices/index.ts';
import { JumpRefusal, toRefusal } from './jump-refusal.ts';

it('puts into words what OpenSSH shows as it is: one line of ASCII', () => {
  const values = {
    serialNumber: 'A1',
    user: 'you@example.com',
    host: 'pult:2222',
    securityUrl: 'https://pult/security',
  };
  const offline = toRefusal(new DomainError('controller_offline', 'not_linked', { serialNumber: 'A1' }));
  expect([offline?.reason, offline?.format(values)]).toEqual([2, 'controller A1 is offline']);
  const many = new JumpRefusal('too_many');
  expect([many.reason, many.format(values)]).toEqual([
    4,
    'too many connections are open; close some and try again',
  ]);
  const refused = toRefusal(new EndpointError('service_refused', 'отказано\nconnect ECONNREFUSED'));
  expect(refused?.format(values)).toBe(
    'the SSH server of controller A1 did not accept the connection: ?connect ECONNREFUSED',
  );
});

it('leaves what is nobody’s business to the log', () => {
  expect(toRefusal(new Error('password authentication failed for user "pult"'))).toBeUndefined();
  expect(toRefusal(new DomainError('internal_error'))).toBeUndefined();
});
