import type { Clock } from '../../../platform/clock.ts';
import type { Deliveries } from '../../../platform/delivery/index.ts';
import type { Encryptor } from '../../../platform/encryptor.ts';
import type { Mail } from '../../../platform/mail/index.ts';
import type { PostOptions } from '../../../platform/webhooks/index.ts';
import type { AlertChannel } from './channel.ts';
import { createMailChannel } from './mail/mail.ts';
import { createSlackChannel } from './slack/slack.ts';
import { createTelegramChannel } from './telegram/telegram.ts';
import { createWebhookChannel } from './webhook/webhook.ts';

export interface ChannelDependencies {
  encryptor: Encryptor;
  deliveries: Deliveries;
  mail: Mail;
  clock: Clock;
  publicUrl: string;
  network: PostOptions;
  /** TELEGRAM_API_URL. */
  telegramApiUrl: string;
}

/** All channels. Nothing else in the server names them. */
export function createAlertChannels(dependencies: ChannelDependencies): readonly AlertChannel[] {
  return [
    createMailChannel(dependencies),
    createWebhookChannel(dependencies),
    createTelegramChannel(dependencies),
    createSlackChannel(dependencies),
  ];
}
