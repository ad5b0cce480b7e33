import type { Core } from '../../platform/core.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import type { DeliveryMethod, NewDelivery } from '../../platform/delivery/index.ts';
import { DeliveryFailure } from '../../platform/delivery/index.ts';
import type { QueuedJob } from '../../platform/jobs/jobs.ts';
import { postTries } from '../../platform/webhooks/index.ts';
import type { AlertChannel, RenderedMessage } from './channels/channel.ts';
import type { Message } from './message.ts';

interface Rendered {
  channel: AlertChannel;
  deliveries: NewDelivery[];
}

/** `nobody`: the rule names nobody. `kept`: only channels are used that store what they would send. */
type NotifyOutcome = 'nobody' | 'kept' | 'queued';

/** Takes messages to those whom rules name, by all channels. */
export function createNotifier(
  { db, deliveries }: Core,
  dependencies: {
    channels: readonly AlertChannel[];
    /** After each try of a rule's message. */
    onTried: (ruleId: string) => Promise<void>;
  },
) {
  const { channels, onTried } = dependencies;

  /** The settings are those of the moment of sending: an address or key that was changed meanwhile counts. */
  function serve(channel: AlertChannel, send: NonNullable<AlertChannel['send']>): QueuedJob {
    const method: DeliveryMethod = {
      channel: channel.name,
      ...postTries,
      async send(delivery, signal) {
        const ruleId = delivery.ruleId ?? '';
        const settings = (await channel.load(db, [ruleId])).get(ruleId);
        if (settings === undefined) throw new DeliveryFailure('its rule is gone', { isFinal: true });
        return send.call(channel, delivery, settings, signal);
      },
      onTried: ({ ruleId }) => onTried(ruleId ?? ''),
    };
    return deliveries.serve(method);
  }

  const toDelivery = (channel: AlertChannel, ruleId: string, message: RenderedMessage): NewDelivery => ({
    channel: channel.name,
    ...message,
    // Where the recipient is known nothing has to be read from the rule later.
    ...(channel.send ? { ruleId } : {}),
  });

  /** What each channel would send by the settings of the rule; nothing where the rule does not use it. */
  async function render(executor: Database, message: Message): Promise<Rendered[]> {
    const { id } = message.rule;
    const rendered: Rendered[] = [];
    for (const channel of channels) {
      const settings = (await channel.load(executor, [id])).get(id);
      const messages = settings === undefined ? [] : channel.render(message, settings);
      rendered.push({ channel, deliveries: messages.map((each) => toDelivery(channel, id, each)) });
    }
    return rendered;
  }

  return {
    queuedJobs: channels.flatMap((channel) => (channel.send ? [serve(channel, channel.send)] : [])),

    /** Sent when the transaction is done, and only then. */
    async notify(transaction: DatabaseTransaction, message: Message): Promise<NotifyOutcome> {
      const used = (await render(transaction, message)).filter((each) => each.deliveries.length > 0);
      for (const each of used.flatMap(({ deliveries: queued }) => queued)) {
        await deliveries.add(transaction, each);
      }
      if (used.length === 0) return 'nobody';
      return used.every(({ channel }) => channel.isKept) ? 'kept' : 'queued';
    },

    /** What the rule's channels would send, by channel. */
    render: (message: Message) => render(db, message),
  };
}
export type Notifier = ReturnType<typeof createNotifier>;
