import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ConnectionHandle, HandleKind } from '../../connection-handle.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { HeaderRules } from './headers.ts';
import type { UpstreamPool } from './upstream-pool.ts';

/** An answer of ours in place of the upstream's. */
export interface Refusal {
  /** All that a refused upgrade is told. */
  status: number;
  /** What the log says of it. */
  logged: object;
  send(request: IncomingMessage, response: ServerResponse): void;
}

/** How long an upstream is waited for. */
export interface AnswerLimits {
  /** Time for the beginning of an answer, in milliseconds. */
  answerTimeoutMs: number;
  /** That time begins anew with each piece of an upload, which may then take hours. */
  allowsLongUploads: boolean;
}

/** Where one request goes, and what passes. */
export interface Upstream {
  /** The connections for requests. */
  pool: UpstreamPool;
  /** A connection of its own, for an upgrade. Rejects with what `refusalOf` understands. */
  connect(): Promise<Duplex>;
  headers: HeaderRules;
  limits: AnswerLimits;
  /** Looks at an answer before it passes: throws for one that no browser should get. */
  checkAnswer?: (answer: IncomingMessage, request: IncomingMessage) => void;
  /** Answers that others were given before. */
  cache?: AnswerCache | undefined;
  /** Registers what is open; or says what is told while too much is. */
  track(kind: HandleKind, cut: () => void): ConnectionHandle | Refusal;
}

/** What a feature says of one host (or port) behind which it lets browsers reach something else. */
export interface ProxyPolicy {
  /** Of the host, as browsers see it. */
  origin: string;
  /** The client's; asked at once, since a request whose connection is gone has none to look up any more. */
  addressOf(request: IncomingMessage): string;
  /** Who asks, and what they may reach; or what they are told instead. */
  admit(request: IncomingMessage, address: string): Promise<Upstream | Refusal>;
  /** For a request that a page of another origin has made. */
  forbidden: Refusal;
  /** For a GET, HEAD or TRACE with a body. */
  unexpectedBody: Refusal;
  /** For an upstream that could not be reached or has not answered. */
  refusalOf(error: unknown): Refusal;
}
