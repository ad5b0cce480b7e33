import { type CloudEvent, cloudEventMediaType, writeCloudEvent } from './cloud-event.ts';
import { deliverJson } from './deliver-json.ts';
import type { PostOptions } from './post-json.ts';
import { signWebhook } from './signature.ts';

/** Posts an event, signed at `at` with the receiver's key; see deliverJson. */
export function deliverCloudEvent(
  { url, secret }: { url: string; secret: string },
  { id, event, at }: { id: string; event: CloudEvent; at: Date },
  signal: AbortSignal,
  network: PostOptions,
): Promise<number> {
  const body = writeCloudEvent(id, event);
  const headers = { ...signWebhook(secret, { id, at, body }), 'content-type': cloudEventMediaType };
  return deliverJson(url, { headers, body }, signal, network);
}
