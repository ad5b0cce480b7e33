export { type CloudEvent, cloudEventType, writeCloudEvent } from './cloud-event.ts';
export { deliverCloudEvent } from './deliver-cloud-event.ts';
export { deliverJson } from './deliver-json.ts';
export { createFetchStranger, type FetchStranger } from './fetch-stranger.ts';
export { postTries, toFailureReason } from './outcome.ts';
export type { PostOptions } from './post-json.ts';
export { isPrivateUrl } from './private-network.ts';
export { changeReceiver, type WebhookReceiver, webhookReceiver } from './receiver.ts';
