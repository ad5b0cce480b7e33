import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

export const eventsPath = (organizationId: string) => `/api/v1/events/?organization_id=${organizationId}`;

/** Listens to the events of an organization at a server of this process; `text` is what has come. */
export async function listenToEvents(port: number, organizationId: string, headers: Record<string, string>) {
  const asked = request({
    host: '127.0.0.1',
    port,
    path: eventsPath(organizationId),
    headers: { host: `localhost:${port}`, ...headers },
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const stream = { response, text: '', hasEnded: false };
  response.on('data', (chunk) => {
    stream.text += chunk;
  });
  response.on('end', () => {
    stream.hasEnded = true;
  });
  response.on('error', () => {});
  return stream;
}
