import type { AlertChannel } from './channel.ts';
import { mailChannel } from './mail.tsx';
import { slackChannel } from './slack.tsx';
import { telegramChannel } from './telegram.tsx';
import { webhookChannel } from './webhook.tsx';

/** All channels, in the order of their fields and columns. Nothing else in the console names them. */
export const alertChannels: readonly AlertChannel[] = [
  mailChannel,
  webhookChannel,
  telegramChannel,
  slackChannel,
];
