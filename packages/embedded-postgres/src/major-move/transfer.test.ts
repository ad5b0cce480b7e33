import { expect, it, vi } from 'vitest';
import { matchPartitions } from './transfer.ts';

it.each([
  'DEFAULT',
  "FOR VALUES FROM (pg_read_file('/etc/passwd')) TO ('2026-03-02')",
  "FOR VALUES FROM ('2026-03-01') TO ('2026-03-02'); drop table users; --')",
])('a move makes no part of a table by what else a database says of it: %s', async (bound) => {
  const client = { query: vi.fn() };
  const part = { schema: 'public', name: 'part', parent: 'metric_samples', bound };
  await expect(matchPartitions(client, [part], [])).rejects.toThrow(
    /public\.part is a part of metric_samples that is not of this Pult/,
  );
  expect(client.query).not.toHaveBeenCalled();
});
