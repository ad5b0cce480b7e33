import type { TunnelEndReason, TunnelRecordKind } from '@pult/contract';
import type { TunnelTarget } from '../tunnels.repository.ts';

/** What is kept of a way to a controller that was used. */
export interface TunnelRecord {
  readonly id: string;
  readonly userId: string;
  readonly target: TunnelTarget;
  readonly kind: TunnelRecordKind;
  readonly port: number | null;
  readonly address: string;
  readonly startedAt: Date;
  /** That has it open. */
  readonly nodeId: string;
  bytesIn: number;
  bytesOut: number;
  end: { at: Date; reason: TunnelEndReason; by: string | null } | undefined;
}
