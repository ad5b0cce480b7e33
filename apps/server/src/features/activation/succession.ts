import { type ConnectionKind, isProvenBy } from '@pult/contract/values';

/** A device with the serial number in question: that of a controller, or one that is to be claimed. */
interface Device {
  /** Of its controller, or for which it is claimed. */
  organizationId: string;
  /** Null for a controller whose device has left. */
  enrolmentId: string | null;
  connectionKind: ConnectionKind;
}

interface Candidate extends Device {
  /** Another device that waits to be claimed has proven by its hardware that the serial number is its own. */
  hasProvenRival: boolean;
}

interface Refusal<Code> {
  outcome: 'refused';
  code: Code;
}

/** `same`: the controller's own device. `replace`: another one, which is an act of its own. */
export type Replacing =
  | { outcome: 'same' | 'replace' }
  | Refusal<'replacement_unproven' | 'serial_number_proven'>;

/** `new`: nobody has the serial number. `return`: a controller whose device has left has one again. */
export type Succession =
  | Replacing
  | { outcome: 'new' | 'return' }
  | Refusal<'serial_number_taken' | 'serial_number_proven'>;

const refuse = <Code>(code: Code): Refusal<Code> => ({ outcome: 'refused', code });

/** Whether a device that waits has proven the serial number, which this one only says. */
const isOutdone = ({ connectionKind, hasProvenRival }: Candidate) =>
  hasProvenRival && !isProvenBy(connectionKind);

/** What may take the place of the device of a controller, within its organization. */
export function judgeReplacing(present: Device, candidate: Candidate): Replacing {
  if (present.enrolmentId === candidate.enrolmentId) return { outcome: 'same' };
  if (isProvenBy(present.connectionKind) && !isProvenBy(candidate.connectionKind)) {
    return refuse('replacement_unproven');
  }
  return isOutdone(candidate) ? refuse('serial_number_proven') : { outcome: 'replace' };
}

/**
 * What may take whose place, no matter who asks for it. Hardware that proves a serial number goes before any device that only says it, and
 * gives way to none of those. Whatever it proves, no claim takes a controller from another organization: with it would go data that are not
 * the claimer's.
 */
export function judgeSuccession(present: Device | undefined, candidate: Candidate): Succession {
  const isOwn = present?.organizationId === candidate.organizationId;
  const hasLeft = present?.enrolmentId === null;
  if (isOwn && !hasLeft) return judgeReplacing(present, candidate);
  if (isOutdone(candidate)) return refuse('serial_number_proven');
  if (!present) return { outcome: 'new' };
  return isOwn ? { outcome: 'return' } : refuse('serial_number_taken');
}
