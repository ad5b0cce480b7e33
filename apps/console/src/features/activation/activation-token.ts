import { limits } from '@pult/contract';

const storageKey = 'pult.activation.token';

// Beside the storage, for browsers that refuse it; a reload then loses the token, a way over /login does not.
let inMemory = '';

/** Kept for this tab alone: a reload or a way over /login must not lose it, another tab must not see it. */
export function keepToken(token: string): void {
  inMemory = token;
  try {
    if (token) sessionStorage.setItem(storageKey, token);
    else sessionStorage.removeItem(storageKey);
  } catch {}
}

export function keptToken(): string {
  try {
    return sessionStorage.getItem(storageKey) ?? inMemory;
  } catch {
    return inMemory;
  }
}

/** What a person pastes: the token, or the whole activation link with spaces and line breaks around it. */
export function readToken(input: string): string {
  const text = input.replace(/\s+/g, '');
  const inLink = /[?&]token=([^&#]*)/.exec(text)?.[1];
  if (inLink === undefined) return text.slice(0, limits.activationTokenLength);
  try {
    return decodeURIComponent(inLink);
  } catch {
    return inLink; // a stray percent sign: let the server refuse it
  }
}
