import { type TerminalClientMessage, terminalClientMessage } from '@pult/contract';
import type { RawData } from 'ws';

export type Message<Type extends TerminalClientMessage['type']> = Extract<
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
