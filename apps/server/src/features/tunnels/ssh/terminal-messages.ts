import {
  formatError,
  type Locale,
  type TerminalClientMessage,
  type TerminalFailure,
  type TerminalServerMessage,
  terminalClientMessage,
} from '@pult/contract';
import type { RawData } from 'ws';
import { DomainError } from '../../../platform/errors.ts';
import type { Logger } from '../../../platform/log.ts';
import { isEndpointError } from '../../devices/index.ts';
import type { CutReason } from '../live-tunnels.ts';
import { SshFailure } from './ssh-failure.ts';
import { terminalTexts } from './terminal-texts.ts';

export type ClientMessage<Type extends TerminalClientMessage['type']> = Extract<
  TerminalClientMessage,
  { type: Type }
>;

/** Undefined for what is no message of the contract. */
export function parseMessage(data: RawData): TerminalClientMessage | undefined {
  try {
    const result = terminalClientMessage.safeParse(JSON.parse(String(data)));
    return result.success ? result.data : undefined;
  } catch {
    return undefined;
  }
}

type FailedMessage = Extract<TerminalServerMessage, { type: 'failed' }>;

/** What may be refused before there is a shell. */
const refusals = [
  'tunnel_ticket_invalid',
  'controller_offline',
  'node_unreachable',
  'tunnels_limit_reached',
] as const;

function failed(
  code: TerminalFailure,
  detail: string,
  more: Partial<Omit<FailedMessage, 'type' | 'code' | 'detail'>> = {},
): FailedMessage {
  return { type: 'failed', code, detail, ...more };
}

/** What a terminal is told when it is cut from this side. */
export function describeCut(reason: CutReason, locale: Locale): FailedMessage {
  return failed(reason, terminalTexts[reason][locale]);
}

/** What a connection is told that has no shell, or no longer. */
export function describeLoss(
  code: 'session_gone' | 'node_gone' | 'taken_over',
  locale: Locale,
): FailedMessage {
  return failed(code, terminalTexts[code][locale]);
}

/** What a terminal is told of an error on its way to the shell or in it; `log`, whose terminal it is, is told as well. */
export function describeTerminalFailure(error: unknown, locale: Locale, log: Logger): FailedMessage {
  if (error instanceof DomainError) log.info(error.logged, 'terminal refused');
  else if (error instanceof SshFailure || isEndpointError(error))
    log.info({ code: error.code }, 'terminal failed at its controller');
  // Of files, which have answers of their own.
  if (error instanceof SshFailure && error.code !== 'sftp_unavailable') {
    const { code, reason, details } = error;
    return failed(code, terminalTexts[code][locale], {
      ...details,
      ...(reason === undefined ? {} : { reason }),
    });
  }
  if (error instanceof DomainError) {
    const code = refusals.find((each) => each === error.code);
    if (code) return failed(code, formatError(code, locale, error.values));
  }
  if (isEndpointError(error)) {
    if (error.code === 'link_closed') return failed('controller_offline', terminalTexts.link_lost[locale]);
    if (error.code === 'service_reset') return failed('ssh_failed', terminalTexts.link_lost[locale]);
    if (error.code === 'service_not_forwarded') {
      return failed('service_refused', terminalTexts.not_forwarded[locale], { isNotForwarded: true });
    }
    const { reason = '' } = error;
    const text = `${terminalTexts.service_refused[locale]} ${reason}`;
    return failed('service_refused', text.trim(), reason === '' ? {} : { reason });
  }
  log.error({ err: error }, 'terminal failed');
  return failed('ssh_failed', terminalTexts.ssh_failed[locale]);
}
