import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { AskOtherVersion } from '../cluster/link/other-version.ts';
import type { Feature, Http } from '../feature.ts';
import { escapeHtml } from './escape-html.ts';
import { listFiles } from './list-files.ts';
import { isOwnNavigation } from './origin.ts';

interface ConsoleOptions {
  /** The built console: index.html and assets/. Without it the server is an API only. */
  directory: string | undefined;
  config: Pick<Config, 'http' | 'settings' | 'app'>;
  askOtherVersion: AskOtherVersion;
}

/**
 * The console: assets by their hashed names for a year, those of another version by a node that has them, compressed at build time; index.html for every
 * other path, never cached, so that a new version is seen at the next visit.
 */
export function createConsole({ directory, config, askOtherVersion }: ConsoleOptions): Feature {
  const { settings, app: build } = config;
  return {
    name: 'console',
    async routes({ app }) {
      if (directory === undefined) return;
      await serveConsole(app, {
        directory,
        askOtherVersion,
        publicUrl: config.http.publicUrl,
        meta: {
          SERVICE_NAME: settings.serviceName,
          SERVICE_STATUS_URL: settings.serviceStatusUrl ?? '',
          SENTRY_DSN: build.sentryDsn ?? '',
          APP_ENV: build.env,
          VERSION: settings.onPremiseVersion,
        },
      });
    },
  };
}

async function serveConsole(
  app: Http['app'],
  options: {
    directory: string;
    askOtherVersion: AskOtherVersion;
    publicUrl: string;
    /** What the page needs before or without the API, for the placeholders of its meta tags. */
    meta: Readonly<Record<string, string>>;
  },
): Promise<void> {
  const template = await readFile(join(options.directory, 'index.html'), 'utf8');
  const fill = (meta: Readonly<Record<string, string>>) =>
    template.replace(/%([A-Z_]+)%/g, (placeholder, name: string) => {
      const value = meta[name];
      return value === undefined ? placeholder : escapeHtml(value);
    });
  // Whether the address is one that a page elsewhere has chosen: scripts cannot find that out.
  const ownPage = fill({ ...options.meta, ARRIVAL: 'own' });
  const linkedPage = fill({ ...options.meta, ARRIVAL: 'linked' });
  const assets = join(options.directory, 'assets') + sep;
  const publicHost = new URL(options.publicUrl).host;

  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    // Cookies and origins belong to one host: 127.0.0.1 would look logged out.
    if (request.host !== publicHost) return reply.redirect(options.publicUrl + request.url, 307);
    return reply
      .headers({ 'cache-control': 'no-cache', vary: 'sec-fetch-site' })
      .type('text/html; charset=utf-8')
      .send(isOwnNavigation(request.headers) ? ownPage : linkedPage);
  };

  const files = await listFiles(options.directory);

  await app.register(async (scope) => {
    await scope.register(staticFiles, {
      root: options.directory,
      // One route and a set of names: a route of its own for each of hundreds of files is a third of the start.
      serve: false,
      preCompressed: true,
      // Its own header would replace ours.
      cacheControl: false,
      setHeaders: (reply, path) => {
        const hashed = path.startsWith(assets);
        void reply.setHeader(
          'cache-control',
          hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
        );
        // A cache between may not give the compressed form to who asked for none.
        void reply.setHeader('vary', 'accept-encoding');
      },
    });
    scope.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
      const name = request.params['*'];
      // The page is not sent by its name, nor are the compressed forms of others.
      if (files.has(name) && !/\.(html|gz|br)$/.test(name)) return reply.sendFile(name);
      // A missing asset of an older version is a 404, not a page where a script is expected.
      if (name.startsWith('assets/')) {
        if (await options.askOtherVersion({ request, reply })) return reply;
        return reply.status(404).type('text/plain').send('Not found');
      }
      return sendPage(request, reply);
    });
  });
}
