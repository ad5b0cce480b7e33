import type { FastifyRequest } from 'fastify';
import type { LoggedRefusal } from '../errors.ts';

interface Caller {
  user: string;
  /** Of what the call is about. */
  organization?: string | undefined;
}

interface Notes {
  caller?: Caller;
  refusal?: LoggedRefusal | { field: string; reason: string };
}

const notes = new WeakMap<FastifyRequest, Notes>();

/** Who makes a call, as soon as it is known: the log says it of a call that is refused. */
export function noteCaller(request: FastifyRequest, caller: Caller): void {
  notes.set(request, { ...notes.get(request), caller });
}

/** That a request was refused, be its answer a redirect. */
export function noteRefusal(request: FastifyRequest, refusal: NonNullable<Notes['refusal']>): void {
  notes.set(request, { ...notes.get(request), refusal });
}

/** For the line that the log has of each request: nothing of one that was served. */
export function describeRefused(request: FastifyRequest): object {
  const { caller, refusal } = notes.get(request) ?? {};
  return refusal ? { ...caller, ...refusal } : {};
}
