// A process of its own: what the transports are measured with must not share an event loop with one of them.
// GET /<bytes> answers that many bytes, made beforehand; GET /small a few.
import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const block = randomBytes(256 * 1024);

function pour(response: ServerResponse, bytes: number): void {
  let left = bytes;
  const write = () => {
    while (left > 0) {
      const piece = left >= block.length ? block : block.subarray(0, left);
      left -= piece.length;
      if (!response.write(piece)) return void response.once('drain', write);
    }
    response.end();
  };
  write();
}

const server = createServer((request, response) => {
  const bytes = Number(request.url?.slice(1));
  if (!Number.isSafeInteger(bytes)) return void response.end('small answer');
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes });
  pour(response, bytes);
});
server.listen(0, '127.0.0.1', () => {
  // A listening TCP server has an address object.
  process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`);
});
