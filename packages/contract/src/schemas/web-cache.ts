import { z } from 'zod';

/** Whether the server keeps answers of a controller's web interfaces for the next person. */
export const webCacheSettings = z.object({
  enabled: z.boolean(),
  /** False where this server keeps none of any controller. */
  isAvailable: z.boolean(),
  /** Of bodies that people got and the controller did not have to send, since it was activated. */
  savedBytes: z.int(),
});
export type WebCacheSettings = z.infer<typeof webCacheSettings>;

export const updateWebCacheRequest = z.strictObject({ enabled: z.boolean() });
