import { AsyncLocalStorage } from 'node:async_hooks';

const acting = new AsyncLocalStorage<string>();

/** Does something as a call by the token of this name: what the audit log is told of meanwhile names the token. */
export function actAsToken<T>(name: string | undefined, act: () => T): T {
  return name === undefined ? act() : acting.run(name, act);
}

/** The name of the token by which the present call is made, if it is made by one. */
export function getActingToken(): string | undefined {
  return acting.getStore();
}
