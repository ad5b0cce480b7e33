import { expect, it } from 'vitest';
import { isDatabaseOutage } from './outage.ts';

const failed = (code: string) => Object.assign(new Error('no answer'), { code });

it('a database whose machine is away is an outage, a statement that it refuses is none', () => {
  const away = ['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', '57P01', '08006'];
  expect(away.filter((code) => !isDatabaseOutage(failed(code)))).toEqual([]);
  expect(['23505', '42P01', 'ERR_INVALID_ARG_TYPE'].filter((code) => isDatabaseOutage(failed(code)))).toEqual(
    [],
  );
});
