import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, requiredText } from './text.ts';

const token = requiredText(limits.activationTokenLength);

export const validateActivationRequest = z.strictObject({ token });
export const validateActivationAnswer = z.object({ controllerSerialNumber: z.string() });
/** IPv4 addresses of the server's machine in its networks. */
export const lanAddressesAnswer = z.object({ addresses: z.array(z.string()) });
export const activateRequest = z.strictObject({ token, organization: id });
