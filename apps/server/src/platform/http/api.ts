import { Readable } from 'node:stream';
import {
  describeIssues,
  type ErrorValues,
  errorCatalogue,
  isRateLimited,
  type Locale,
  type Method,
  needsOwnLogin,
  needsRoom,
  type Route,
  type RouteAnswer,
  type RouteInput,
  type TotpScope,
} from '@pult/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { z } from 'zod';
import {
  type Access,
  answerOf,
  type CallerOf,
  createAdmission,
  createVisitor,
  type Decided,
  type FoundPrincipal,
  isInBody,
  isInQuery,
  type Place,
  type PlaceAccess,
  placeOf,
} from '../access/index.ts';
import { actAsToken } from '../acting-token.ts';
import type { RecordAuditEvent } from '../audit.ts';
import type { Clock } from '../clock.ts';
import { DomainError, RoleRefusal } from '../errors.ts';
import type { PlainCode } from '../refusal-reasons.ts';
import { createTokenBuckets, type TokenRate } from '../token-buckets.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { chooseLocale } from './answer-locale.ts';
import type { Principal } from './principal.ts';
import { noteCaller } from './refused-requests.ts';
import { refuseConfirmation, requireScope } from './token-scope.ts';
import { traceCalls } from './trace-calls.ts';

export interface RouteContext<R extends Route> extends RouteInput<R> {
  /**
   * The logged-in user, admitted to what the row says that the call is about; on a route that needs no login a visitor: whoever happens to
   * be logged in is not looked up.
   */
  caller: CallerOf<R>;
  locale: Locale;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Nothing where the call has no answer. A handler that is to ask for the permission itself answers by what it has asked. */
type Answered<R extends Route> = R['on'] extends 'handler'
  ? Promise<Decided<RouteAnswer<R>>>
  : R['answer'] extends z.ZodType
    ? Promise<RouteAnswer<R>>
    : Promise<void>;

export interface Api {
  /** Serves a route of the contract: parses its input, checks its access, answers its status. */
  route<const R extends Route>(route: R, handler: (context: RouteContext<R>) => Answered<R>): void;
  /** The login of a request anew, for what outlives its call; throws as the call itself would. */
  authenticate(request: FastifyRequest): Promise<Principal>;
  /** After the last route: answers other methods of the same paths, and paths whose slash is missing. */
  complete(): void;
}

/** Told of every attempt at what one's role forbids. */
export type RecordRefusal = (
  refusal: RoleRefusal,
  attempt: { userId: string; route: Route; address: string },
) => Promise<void>;

export interface ApiOptions {
  access: Access;
  recordAudit: RecordAuditEvent;
  clock: Clock;
  tracing: Tracing;
  /**
   * Throws `not_authenticated`, or `origin_forbidden` for a foreign page that rides on the cookie. What the login is at a place is read
   * in the same statement.
   */
  authenticate(request: FastifyRequest, place?: Place): Promise<FoundPrincipal>;
  /** Throws `totp_required` or `totp_expired` unless the user has confirmed the scope, or has no TOTP. */
  requireConfirmation(principal: Principal, scope: TotpScope): Promise<void>;
  recordRefusal: RecordRefusal;
  /** Throws `storage_full` while nobody may change anything. */
  requireRoom(): void;
  /** How fast one user may change things, however many sessions they have. */
  writeRate?: TokenRate | undefined;
  /** Fails a request whose answer breaks the contract; for tests, since it costs time. */
  checkAnswers: boolean;
}

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Far above what a person does in the console, and enough for a script that sets a fleet up. */
const defaultWriteRate: TokenRate = { burst: 300, perSecond: 5 };
const noBody = z.strictObject({}).optional();

function parse(
  schema: z.ZodType,
  value: unknown,
  locale: Locale,
  reply: FastifyReply,
): { data: unknown } | undefined {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return { data: result.data };
  const fields = describeIssues(result.error, locale);
  if (fields === undefined) throw new DomainError('invalid_request');
  void reply.status(400).send(fields);
  return undefined;
}

/** A parameter that cannot name anything is answered like one that names nothing; see Route.params. */
function parseParams(route: Route, value: unknown): unknown {
  const schema = route.params ?? z.object({});
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const place = Object.keys(schema.shape).indexOf(String(result.error.issues[0]?.path[0]));
  const codes = route.errors?.filter((candidate) => errorCatalogue[candidate].status === 404) ?? [];
  const code = codes[place] ?? codes[0] ?? 'not_found';
  // Parts of a path are strings. Which of its causes a code has is told of what could be looked for alone.
  throw new DomainError(code as PlainCode, value as ErrorValues);
}

/** What of a call says what it is about, before anybody is known: no body is read for strangers. */
function findPlace(route: Route, request: FastifyRequest): Place | undefined {
  if (route.on === undefined || isInBody(route)) return undefined;
  const params = (route.params ?? z.object({})).safeParse(request.params);
  const query = isInQuery(route) ? route.query?.safeParse(request.query) : undefined;
  // What cannot name anything is refused in its turn.
  if (!params.success || query?.success === false) return undefined;
  return placeOf(route, { params: params.data, query: query?.data });
}

/** The routes of the contract on a Fastify instance. */
export function createApi(app: FastifyInstance, options: ApiOptions): Api {
  const admit = createAdmission(options);
  const served = new Map<string, Method[]>();
  const writes = createTokenBuckets(options.clock, options.writeRate ?? defaultWriteRate);

  function complete(): void {
    for (const [path, own] of served) {
      // Whatever is read by GET may be asked for by HEAD: Fastify answers it.
      const allowed: HTTPMethods[] = own.includes('GET') ? [...own, 'HEAD'] : own;
      const others = methods.filter((method) => !allowed.includes(method));
      app.route({
        method: others,
        url: path,
        handler: (_, reply) => {
          void reply.header('allow', allowed.join(', '));
          throw new DomainError('method_not_allowed');
        },
      });
      if (!path.endsWith('/')) continue;
      app.route({
        method: [...methods],
        url: path.slice(0, -1),
        handler: (request, reply) => {
          const [pathname = ''] = request.url.split('?', 1);
          // 308 keeps method and body.
          return reply.redirect(`${pathname}/${request.url.slice(pathname.length)}`, 308);
        },
      });
    }
  }

  return {
    authenticate: options.authenticate,
    complete,
    route(route, handler) {
      const path = route.path.replace(/\{(\w+)\}/g, ':$1');
      served.set(path, [...(served.get(path) ?? []), route.method]);
      app.route({
        method: route.method,
        url: path,
        ...(route.maxBodyBytes === undefined ? {} : { bodyLimit: route.maxBodyBytes }),
        handler: traceCalls(options.tracing, route, async (request, reply) => {
          void reply.headers({ 'cache-control': 'no-store', vary: 'accept-language' });
          let access: PlaceAccess | undefined;
          let principal: Principal | undefined;
          if (route.access !== 'none') {
            const found = await options.authenticate(request, findPlace(route, request));
            ({ access, ...principal } = found);
            noteCaller(request, { user: found.userId, organization: access?.organization.id });
          }
          const locale = chooseLocale(request, route, principal);
          if (principal?.token) requireScope(principal.token, route);
          if (principal?.signedInto !== undefined && needsOwnLogin(route)) {
            throw new DomainError('own_login_required');
          }
          if (route.access === 'administrator' && !principal?.isAdministrator) {
            throw new DomainError('administrator_required');
          }
          if (needsRoom(route)) options.requireRoom();
          const refused = principal && isRateLimited(route) ? writes.take(principal.userId) : undefined;
          if (refused) throw new DomainError('too_many_changes', { seconds: refused.waitSeconds });
          const params = parseParams(route, request.params);
          const query = parse(route.query ?? z.strictObject({}), request.query, locale, reply);
          const body = query && parse(route.body ?? noBody, request.body ?? undefined, locale, reply);
          if (!query || !body) return reply;
          if (principal?.token) refuseConfirmation(route, body.data);
          else if (principal && route.confirmation && (route.needsConfirmation?.(body.data) ?? true)) {
            await options.requireConfirmation(principal, route.confirmation);
          }
          const input = { params, query: query.data, body: body.data };
          const address = request.ip;
          // A handler may set another: of a part of a file, say.
          void reply.status(route.status);
          let answer: unknown;
          try {
            // The schemas of this very route made these values, so they have its types.
            answer = await actAsToken(principal?.token?.name, async () => {
              const caller = principal
                ? await admit({ route, principal, address, locale, input, access })
                : createVisitor(options.recordAudit, { address, locale });
              const context = { ...input, caller, locale, request, reply };
              return answerOf(await handler(context as unknown as RouteContext<typeof route>));
            });
          } catch (error) {
            if (error instanceof RoleRefusal && principal) {
              const { userId } = principal;
              const attempt = { userId, route, address };
              await actAsToken(principal.token?.name, () => options.recordRefusal(error, attempt));
            }
            throw error;
          }
          // Whoever reads it may be slow: it is sent as it comes, and cut when it fails.
          if (answer instanceof Readable) return reply.send(answer);
          if (reply.sent) return reply;
          if (options.checkAnswers && route.answer && (route.kind ?? 'json') === 'json')
            route.answer.parse(answer);
          return reply.status(route.status).send(answer);
        }),
      });
    },
  };
}
