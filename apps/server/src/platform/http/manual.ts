import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import { isLocale, type Locale, negotiateLocale } from '@pult/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Feature } from '../feature.ts';
import { readStoredLocale } from './answer-locale.ts';
import { listFiles } from './list-files.ts';

interface ManualOptions {
  /** The built manual: a folder for each language, and assets/. Without it `/help/` is answered with 404. */
  directory: string | undefined;
  publicUrl: string;
}

/** Of the console in this browser, else as the browser asks. */
const localeOf = ({ headers }: FastifyRequest) =>
  readStoredLocale(headers, negotiateLocale(headers['accept-language']));

/**
 * The manual at `/help/`: `/help/` itself leads to the reader's language, `/help/en/<page>/` is a page, and what does
 * not exist is the manual's own page for that.
 */
export function createManual({ directory, publicUrl }: ManualOptions): Feature {
  return {
    name: 'manual',
    async routes({ app }) {
      if (directory === undefined) return;
      const files = await listFiles(directory);
      const publicHost = new URL(publicUrl).host;
      const missing = async (locale: Locale) => readFile(join(directory, locale, '404.html'), 'utf8');
      const pages = { en: await missing('en'), ru: await missing('ru') };

      await app.register(async (scope) => {
        await scope.register(staticFiles, {
          root: directory,
          serve: false,
          cacheControl: false,
          setHeaders: (reply, path) => {
            const hashed = path.startsWith(join(directory, 'assets'));
            void reply.setHeader(
              'cache-control',
              hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
            );
          },
        });
        const toLanguage = (request: FastifyRequest, reply: FastifyReply) =>
          reply.header('vary', 'cookie, accept-language').redirect(`/help/${localeOf(request)}/`, 302);
        scope.get('/help', toLanguage);
        scope.get<{ Params: { '*': string } }>('/help/*', async (request, reply) => {
          // The manual belongs to the console's host, as the links back to it do.
          if (request.host !== publicHost) return reply.redirect(publicUrl + request.url, 307);
          const name = request.params['*'];
          if (name === '') return toLanguage(request, reply);
          if (files.has(name)) return reply.sendFile(name);
          if (files.has(`${name.replace(/\/$/, '')}/index.html`)) {
            // Links within a page are relative to its folder.
            if (!name.endsWith('/')) return reply.redirect(`/help/${name}/`, 302);
            return reply.sendFile(`${name}index.html`);
          }
          const [folder] = name.split('/');
          return reply
            .status(404)
            .type('text/html; charset=utf-8')
            .send(pages[isLocale(folder) ? folder : localeOf(request)]);
        });
      });
    },
  };
}
