import type { AddPasskeyRequest, PasskeyOptions, PasskeyProof } from '@pult/contract';
import { api } from '../../../shared/api/client.ts';

/** Somebody closed the browser's question, or it took too long; browsers tell no more than that. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError');
}

/** The server names the passkeys that a user has, and a device makes no second one. */
export function isKnownDevice(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'InvalidStateError';
}

function toJson(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('none', 'NotAllowedError');
  return credential.toJSON();
}

/** A passkey of this computer, phone or key, as the login and confirmations take it. */
export async function provePasskey(): Promise<PasskeyProof> {
  const options = await api('createPasskeyChallenge');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    // The server makes them for this very function.
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  // The server checks it.
  return toJson(await navigator.credentials.get({ publicKey })) as PasskeyProof;
}

/** A new one. */
export async function makePasskey(options: PasskeyOptions): Promise<AddPasskeyRequest['credential']> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    // The server makes them for this very function.
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  // The server checks it.
  return toJson(await navigator.credentials.create({ publicKey })) as AddPasskeyRequest['credential'];
}
