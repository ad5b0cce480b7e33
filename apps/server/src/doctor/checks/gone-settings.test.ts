import { expect, it } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { readEnvironment } from '../../config/env.ts';
import { examine, sayDiagnosis } from '../doctor.ts';
import { goneSettings } from './gone-settings.ts';

it('the doctor tells of a setting that this version does not read, and of no other', async () => {
  const look = async (env: Record<string, string>) => {
    const config = loadConfig(readEnvironment({ env, directory: null }), { version: '' });
    return sayDiagnosis(await examine(config, [goneSettings]), 'en').findings;
  };
  expect(await look({ HTTP2: 'on' })).toEqual([
    {
      check: 'proxy',
      status: 'warn',
      text: 'this version does not read HTTP2',
      action: expect.stringContaining('a reverse proxy in front'),
    },
  ]);
  expect(await look({ HTTP2: '', TRUSTED_PROXIES: '10.0.0.1' })).toEqual([]);
});
