import { createOpenApiDocument } from '@pult/contract';
import { createTestServer } from '@pult/testkit/in-process';
import { expect, it } from 'vitest';

it('the description of the API is given to everybody, whole, under the name of the installation', async () => {
  const server = await createTestServer({ environment: { SERVICE_NAME: 'Greenhouses' } });
  try {
    const { status, body } = await server.request('GET', '/api/v1/openapi.json');
    expect(status).toBe(200);
    const { info } = body as { info: { title: string; version: string } };
    expect(info.title).toBe('Greenhouses API');
    expect(body).toEqual(createOpenApiDocument(info));
  } finally {
    await server.close();
  }
});
