import type { AlertMessageType } from '@pult/contract';
import type { AlertedController, AlertedGroup } from './offline-detection.repository.ts';

export interface MessageRule {
  id: string;
  minutes: number;
  group: { id: string; name: string } | null;
  organization: { id: string; name: string };
}

/** What a rule notifies of in one message. */
export interface AlertMessage {
  kind: Exclude<AlertMessageType, 'test'>;
  rule: MessageRule;
  at: Date;
  /** Of all groups together. */
  count: number;
  groups: readonly AlertedGroup[];
  /** The first ones, in the order of their groups. */
  controllers: readonly AlertedController[];
}

/** Shows whether those whom a rule names would be reached. */
export interface TestMessage {
  kind: 'test';
  rule: MessageRule;
  at: Date;
}

export type Message = AlertMessage | TestMessage;

/** The page of the organization's alerts, from PUBLIC_URL on. */
export function alertsPath({ organization }: MessageRule): string {
  return `/organizations/${organization.id}/alerts`;
}
