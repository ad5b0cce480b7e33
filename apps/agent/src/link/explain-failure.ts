import { LinkRefusedError } from '@pult/link';
import { ServerRefusal } from './post-json.ts';

/** What TLS says of a certificate whose authority it does not know. */
const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Whether TLS said by this code that it does not know the certificate's authority. */
export function isUntrusted(code: string): boolean {
  return untrusted.has(code);
}

/** The server's no to a call or a link request; undefined for everything else that can fail. */
export function getRefusal(error: unknown): LinkRefusedError | ServerRefusal | undefined {
  return error instanceof LinkRefusedError || error instanceof ServerRefusal ? error : undefined;
}

/** Why there is no link, in one line for whoever has to put it right. */
export function explainFailure(error: unknown, serverUrl: string): string {
  const refusal = getRefusal(error)?.refusal;
  if (refusal?.code === 'link_url_mismatch') {
    const expected = refusal.expectedUrls?.join(', ') ?? 'another address';
    return `this agent was given ${serverUrl}, but the server is known as ${expected}; correct --server here or AGENT_URLS there`;
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code && isUntrusted(code)) {
    return `the certificate of ${new URL(serverUrl).host} is not trusted: ${message}; if its authority is your own, name it by --ca`;
  }
  if (code === 'CERT_NOT_YET_VALID' || code === 'CERT_HAS_EXPIRED') {
    const { host } = new URL(serverUrl);
    return `the certificate of ${host} ${code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'}; it is ${new Date().toISOString()} here: is the clock right?`;
  }
  return message || code || String(error);
}
