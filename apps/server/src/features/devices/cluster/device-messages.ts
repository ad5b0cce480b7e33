import * as z from 'zod';

/** What nodes say to each other of one device, on its own subject; only who holds the device listens there. */
export const subjectOf = (enrolmentId: string) => `pult.device.${enrolmentId}`;
/** Only who waits for what the device will send by itself listens there; its link may have gone elsewhere since. */
export const archiveSubjectOf = (enrolmentId: string) => `pult.archive.${enrolmentId}`;

/** To be told of the link, and to bring what the device has sent elsewhere; any other service is an endpoint. */
export const watchService = 'watch';
export const archiveService = 'archive';

/** `open`: how its device is reached. `held`: a link of that generation is here. `left`: an older link was replaced by it. */
export const deviceMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('open'), service: z.string().max(32) }),
  z.object({ type: z.literal('held'), generation: z.number() }),
  z.object({ type: z.literal('left'), generation: z.number(), replacements: z.array(z.number()).max(16) }),
]);

/** Of who holds it, or waits for what it sends. `waiting`: its link was cut and may go on. `none`: it has ended this moment. */
export const holderAnswer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('here'),
    node: z.string(),
    address: z.string(),
    ticket: z.string(),
  }),
  z.object({ type: z.literal('waiting') }),
  z.object({ type: z.literal('none') }),
]);
export type HolderAnswer = z.infer<typeof holderAnswer>;
export type Holder = Extract<HolderAnswer, { type: 'here' }>;

/** The words that streams between nodes begin with; a ticket follows, and what a node of another version adds is passed over. */
export const streamTypes = { device: 'DEVICE', watch: 'WATCH', archive: 'ARCHIVE' } as const;
/** Behind the ticket: the device may compress what it says. */
export const packFlag = 'pack';
