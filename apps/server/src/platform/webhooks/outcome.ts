import { type DeliveryFailureReason, deliveryFailures } from '@pult/contract';

/** How often what is posted to an address is tried: the last time is about five hours after the first. */
export const postTries = {
  maxAttempts: 8,
  /** Longer than any try takes. */
  claimSeconds: 30,
  isSlow: true,
} as const;

/** Of a delivery's last error. What only the queue knows (another key, a deleted rule) is for the receiver's admin as good as no connection. */
export function toFailureReason(error: string | null): DeliveryFailureReason | null {
  if (error === null) return null;
  return deliveryFailures.find((each) => each === error) ?? 'unreachable';
}
