import { z } from 'zod';

/** Grows when an older Pult could not read a backup any more. */
export const formatNumber = 1;

export const header = z.object({
  product: z.literal('pult'),
  format: z.number().int().positive(),
  /** Of the Pult that made it. */
  version: z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}(-[0-9A-Za-z.-]{1,40})?$/),
  startedAt: z.iso.datetime(),
  database: z.enum(['embedded', 'external']),
  /** In a backup, or in a bucket of which it holds the list. */
  archives: z.enum(['folder', 'bucket']),
  /** About as many as there will be. */
  expectedBytes: z.number().int().nonnegative(),
});
export type Header = z.infer<typeof header>;

const file = z.object({
  path: z.string().max(100),
  size: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ManifestFile = z.infer<typeof file>;

export const manifest = header.extend({
  /** What was acknowledged before is in it. */
  endedAt: z.iso.datetime(),
  /** The last migration of the database; undefined where it is not in the backup. */
  schema: z.string().max(100).optional(),
  /** Rows at the end or shortly before. */
  counts: z.record(z.string().max(64), z.number().int().nonnegative()).optional(),
  files: z.array(file),
});
export type Manifest = z.infer<typeof manifest>;

/** Files of one backup: more is no backup of ours. */
export const mostFiles = 2_000_000;

/** Bytes of the list that closes a backup of so many files; without any, of the one that begins it. */
export const largestList = (files: number) => 64 * 1024 + files * 300;
