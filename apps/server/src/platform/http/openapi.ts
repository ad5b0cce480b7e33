import { createOpenApiDocument } from '@pult/contract';
import type { Config } from '../../config/config.ts';
import type { Feature } from '../feature.ts';

/** The description of the API for other programs. */
export function createOpenApi(settings: Config['settings']): Feature {
  const document = createOpenApiDocument({
    title: `${settings.serviceName} API`,
    version: settings.onPremiseVersion,
  });
  return {
    name: 'openapi',
    routes({ app }) {
      app.get('/api/v1/openapi.json', async () => document);
    },
  };
}
