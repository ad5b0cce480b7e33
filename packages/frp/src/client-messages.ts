import { z } from 'zod';

/** What frpc says, as far as it is looked at; it may leave out whatever is empty. */
export const loginSchema = z.object({
  version: z.string().max(64).default(''),
  user: z.string().max(64).default(''),
  privilege_key: z.string().max(64).default(''),
  timestamp: z.int().default(0),
  run_id: z.string().max(64).default(''),
});
export type LoginMessage = z.output<typeof loginSchema>;

export const newProxySchema = z.object({
  proxy_name: z.string().max(256),
  proxy_type: z.string().max(32).default(''),
});

export const newWorkSchema = z.object({ run_id: z.string().max(64).default('') });
