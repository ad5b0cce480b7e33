import type { IncomingMessage } from 'node:http';

/** A form with a ticket is much shorter. */
const maxLength = 4096;
const timeoutMs = 10_000;

/** The ticket in a form's body; empty for anything else. */
export async function readTicket(request: IncomingMessage): Promise<string> {
  const timer = setTimeout(() => request.destroy(), timeoutMs);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      // Read to its end all the same: a browser that is cut while it sends sees no answer.
      if (length <= maxLength) chunks.push(chunk);
    }
  } finally {
    clearTimeout(timer);
  }
  if (length > maxLength) return '';
  return new URLSearchParams(Buffer.concat(chunks).toString()).get('ticket') ?? '';
}
