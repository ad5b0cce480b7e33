// The peer "plain Node.js proxy": passes each request on with Node's own client over kept-alive connections, and nothing else.
import { Agent, createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

const port = Number(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: 64, maxFreeSockets: 64 });

const server = createServer((request, response) => {
  const { method, url, rawHeaders } = request;
  const outgoing = httpRequest({ agent, host: '127.0.0.1', port, method, path: url, headers: rawHeaders });
  outgoing.on('response', (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, incoming.rawHeaders);
    incoming.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  request.pipe(outgoing);
});
server.listen(0, '127.0.0.1', () => {
  // A listening TCP server has an address object.
  process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`);
});
