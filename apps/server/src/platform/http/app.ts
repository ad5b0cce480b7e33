import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import { defaultLocale, formatError } from '@pult/contract';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerFactory,
  LogController,
} from 'fastify';
import { DomainError } from '../errors.ts';
import { createId } from '../ids.ts';
import type { Logger } from '../log.ts';
import { createClientAddress, createForwardedWarning } from './client-address.ts';
import { answerError } from './error-answers.ts';
import { loggedPath } from './logged-path.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';
import { describeRefused } from './refused-requests.ts';

export interface AppOptions {
  log: Logger;
  /** Addresses of proxies whose X-Forwarded-For counts; none by default. */
  trustedProxies: readonly string[];
  publicUrl: string;
  /** Where the console may send error reports, besides this server: an origin. */
  reportsTo?: string;
  /** Where the console may read the operator's map from, besides this server: an origin. */
  mapOrigin?: string;
  serverFactory: FastifyServerFactory;
}

/** 64 KiB: the largest body of the API is a few fields. */
const bodyLimit = 64 * 1024;

/** No route has a schema of Fastify's own. */
function noCompiler(): never {
  throw new Error('a route has a schema of its own; it belongs in the contract');
}

/** Fastify with the rules that hold for every answer of the server's own host. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const mapOrigins = options.mapOrigin && options.mapOrigin !== options.publicUrl ? [options.mapOrigin] : [];
  const secure = options.publicUrl.startsWith('https:');
  const app = Fastify({
    // One line a request of our own, below: Fastify's would hold the query.
    logController: new LogController({ disableRequestLogging: true }),
    // As its base type: with pino's own the instance would have another type than every plugin expects.
    loggerInstance: options.log as FastifyBaseLogger,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    genReqId: () => createId(),
    bodyLimit,
    routerOptions: { maxParamLength: 2000 },
    serverFactory: options.serverFactory,
    forceCloseConnections: 'idle',
    // The contract's schemas check what comes and goes; Fastify's own compilers would only be loaded.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
    // What is no HTTP has no language either.
    clientErrorHandler: (_, socket) => {
      const detail = formatError('invalid_request', defaultLocale);
      if (socket.writable) refuseUpgrade(socket, 400, JSON.stringify({ detail, code: 'invalid_request' }));
      else socket.destroy();
    },
  });
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(() => {
    throw new DomainError('not_found');
  });

  // An absent body and an empty one are the same thing: many clients send the content type always.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parseJson(request, body as string, done);
  });

  const warnOfForwarded = createForwardedWarning(options.trustedProxies, options.log);
  const addressOf = createClientAddress(options.trustedProxies);
  app.addHook('onRequest', async (request) => {
    warnOfForwarded(request.raw);
    // Fastify's own has the port and the brackets of X-Forwarded-For, or whatever else stands there.
    Object.defineProperty(request, 'ip', { value: addressOf(request.raw) });
  });
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        path: loggedPath(request.url),
        status: reply.statusCode,
        address: request.ip,
        ...describeRefused(request),
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });

  await app.register(cookie);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // The component library sets sizes and colours in style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...mapOrigins],
        fontSrc: ["'self'"],
        connectSrc: [
          "'self'",
          options.publicUrl.replace(/^http/, 'ws'),
          ...(options.reportsTo ? [options.reportsTo] : []),
          ...mapOrigins,
        ],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    frameguard: { action: 'deny' },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    // Links that hold a token are opened on this origin: no other site may learn them.
    referrerPolicy: { policy: 'no-referrer' },
    // Meaningless without https, and a warning in every console.
    crossOriginOpenerPolicy: secure ? { policy: 'same-origin' } : false,
    originAgentCluster: secure,
  });
  return app;
}

/** Anything under /api that no route serves. */
export function refuseUnknownApiPaths(app: FastifyInstance): void {
  for (const prefix of ['/api/*', '/api-agent/*']) {
    app.all(prefix, () => {
      throw new DomainError('not_found');
    });
  }
}
