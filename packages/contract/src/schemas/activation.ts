import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, requiredText } from './text.ts';

const token = requiredText(limits.activationTokenLength);

export const validateActivationRequest = z.strictObject({ token });
export const validateActivationAnswer = z.object({ controllerSerialNumber: z.string() });
/** IPv4 addresses of the server's machine in its networks. */
export const lanAddressesAnswer = z.object({ addresses: z.array(z.string()) });
/** `group`: where the controller lands; whoever has only parts of the organization has to name one of theirs. */
export const activateRequest = z.strictObject({ token, organization: id, group: id.nullable().optional() });
