import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createS3Client, listS3Names } from './s3-client.ts';

const timing = { connectMs: 5_000, idleMs: 5_000 };
/** For what never comes to an end; others end by themselves, however slow the machine. */
const soon = 300;

/** A store that answers whatever it likes. */
async function open(answer: RequestListener, answerMs = 10_000) {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  const keys = { accessKeyId: 'a', secretAccessKey: 'b' };
  return createS3Client({ endpoint, region: 'us-east-1', bucket: 'pult', ...keys }, { ...timing, answerMs });
}

const list = async (answer: RequestListener) =>
  listS3Names(await open(answer), { bucket: 'pult', prefix: 'kept/', isName: () => true }, 20);

/** One page of a listing. */
const page = (keys: readonly string[], next?: string) => `<?xml version="1.0"?><ListBucketResult>
  <IsTruncated>${next !== undefined}</IsTruncated>${next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`}
  ${keys.map((key) => `<Contents><Key>${key}</Key><Size>-1</Size><ETag>"no"</ETag></Contents>`).join('')}</ListBucketResult>`;

/** Writes the same until nobody listens any more. */
const endless =
  (status: number, text: string): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/xml' });
    const write = () => {
      while (!response.destroyed && response.write(text));
    };
    response.on('drain', write).on('error', () => {});
    write();
  };
const drip =
  (status: number): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/xml' }).write('<?xml version="1.0"?>');
    const timer = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(timer));
  };

describe('a store that lies', () => {
  it('a listing without an end is given up', async () => {
    let pages = 0;
    const answer: RequestListener = (_, response) => {
      pages += 1;
      response.end(page([`kept/${pages}`], `t${pages}`));
    };
    await expect(list(answer)).rejects.toThrow(/listing has no end/);
  });

  it('a listing that leads to the same page again is given up', async () => {
    await expect(list((_, response) => void response.end(page(['kept/a'], 't')))).rejects.toThrow(
      /listing has no end/,
    );
  });

  it('a listing of another prefix lists nothing', async () => {
    const keys = ['kept/a', 'else/b', '../kept/c', 'b', 'kept/'];
    expect(await list((_, response) => void response.end(page(keys)))).toEqual(['', 'a']);
  });

  it.each([
    ['listing', new ListObjectsV2Command({ Bucket: 'pult' }), 200],
    ['error', new GetObjectCommand({ Bucket: 'pult', Key: 'a' }), 404],
    ['refusal', new DeleteObjectCommand({ Bucket: 'pult', Key: 'a' }), 403],
  ])('an answer without an end is given up: %s', async (_, command, status) => {
    const client = await open(endless(status, `<a>${'x'.repeat(60_000)}</a>`));
    await expect(client.send(command as ListObjectsV2Command)).rejects.toThrow(/too long/);
  });

  it.each([
    ['listing', new ListObjectsV2Command({ Bucket: 'pult' }), 200],
    ['error', new GetObjectCommand({ Bucket: 'pult', Key: 'a' }), 404],
  ])('an answer that comes by single bytes is given up: %s', async (_, command, status) => {
    const client = await open(drip(status), soon);
    await expect(client.send(command as ListObjectsV2Command)).rejects.toThrow(/does not come to the end/);
  });

  it('a head that comes by single bytes is given up', async () => {
    const client = await open((request) => {
      const timer = setInterval(() => request.socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 100);
      request.socket.on('close', () => clearInterval(timer)).on('error', () => {});
    }, soon);
    await expect(client.send(new GetObjectCommand({ Bucket: 'pult', Key: 'a' }))).rejects.toThrow(
      /does not come to the end/,
    );
  });

  it('an object may take its time', async () => {
    const client = await open((_, response) => {
      response.writeHead(200).write('a');
      let left = 12;
      const timer = setInterval(() => {
        left -= 1;
        if (left > 0) return response.write('a');
        clearInterval(timer);
        response.end();
      }, 100);
    }, 1_000);
    const { Body } = await client.send(new GetObjectCommand({ Bucket: 'pult', Key: 'a' }));
    expect(await text(Body as AsyncIterable<Buffer> & NodeJS.ReadableStream)).toBe('a'.repeat(12));
  });

  it.each([
    [301, 'x-amz-bucket-region'],
    [307, 'location'],
  ])('a store that sends elsewhere (%i) is not followed', async (status, name) => {
    let isAsked = false;
    const other = createServer((_, response) => {
      isAsked = true;
      response.end(page([]));
    });
    await once(other.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void other.close());
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`; // it listens on TCP
    const client = await open((_, response) => {
      const error = `<Error><Code>PermanentRedirect</Code><Endpoint>${new URL(url).host}</Endpoint></Error>`;
      response.writeHead(status, { [name]: name === 'location' ? url : 'eu-west-1' }).end(error);
    });
    await expect(client.send(new ListObjectsV2Command({ Bucket: 'pult' }))).rejects.toThrow();
    expect(isAsked).toBe(false);
  });

  it.each([
    [
      'entities in entities',
      `<!DOCTYPE a [<!ENTITY a "${'x'.repeat(1_000)}">${Array.from({ length: 9 }, (_, index) => `<!ENTITY ${'bcdefghij'[index]} "${`&${'abcdefghi'[index]};`.repeat(10)}">`).join('')}]><ListBucketResult><Contents><Key>&j;</Key></Contents></ListBucketResult>`,
    ],
    [
      'a file',
      '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><ListBucketResult><Contents><Key>kept/&a;</Key></Contents></ListBucketResult>',
    ],
    ['a deep tree', '<a>'.repeat(1_000_000)],
    [
      'a prototype',
      '<ListBucketResult><__proto__><Contents><Key>kept/evil</Key></Contents></__proto__></ListBucketResult>',
    ],
    ['nothing', ''],
    ['no XML', '\u0000<<<>>&&'],
  ])('a listing of %s lists nothing', async (_, body) => {
    const before = process.memoryUsage.rss();
    const names = await list((_, response) => void response.end(body)).catch((error: Error) => error);
    if (Array.isArray(names)) expect(names.join()).not.toMatch(/root:|evil|x{1000}/);
    else expect(names).toBeInstanceOf(Error);
    expect(process.memoryUsage.rss() - before).toBeLessThan(400_000_000);
  });
});
