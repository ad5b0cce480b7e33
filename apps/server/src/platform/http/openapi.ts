import { createOpenApiDocument } from '@pult/contract';
import type { Config } from '../../config/config.ts';
import type { Feature } from '../feature.ts';

/** The description of the API for other programs. */
export function createOpenApi(settings: Config['settings']): Feature {
  let document: ReturnType<typeof createOpenApiDocument> | undefined;
  // At the first question: a start need not wait for what few ask.
  const getDocument = () => {
    document ??= createOpenApiDocument({
      title: `${settings.serviceName} API`,
      version: settings.onPremiseVersion,
    });
    return document;
  };
  return {
    name: 'openapi',
    routes({ app }) {
      app.get('/api/v1/openapi.json', async () => getDocument());
    },
  };
}
