import { describe, expect, it } from 'vitest';
import { BufferedResponse } from './buffered-response.ts';

const TEXT = '{"a":"ü"}';

/** A response of the same bytes with a stream, and one without. */
function both(bytes: Buffer<ArrayBuffer> = Buffer.from(TEXT)): Response[] {
  const init = { status: 201, statusText: 'Created', headers: { 'content-type': 'application/json' } };
  return [new Response(bytes, init), new BufferedResponse(bytes, init)];
}

async function settle(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: Error) => error.constructor);
}

describe('BufferedResponse', () => {
  it.each<[string, (response: Response) => unknown]>([
    [
      'status and headers',
      ({ ok, status, statusText, headers, type, url, redirected }) => [
        [ok, status, statusText, type, url, redirected],
        [...headers],
      ],
    ],
    ['text', (response) => response.text()],
    ['json', (response) => response.json()],
    ['arrayBuffer', async (response) => Buffer.from(await response.arrayBuffer()).toString()],
    ['bytes', async (response) => Buffer.from(await response.bytes()).toString()],
    ['blob', async (response) => (await response.blob()).text()],
    ['formData of another type', (response) => settle(response.formData())],
    ['the stream', async ({ body }) => new Response(body).text()],
    ['a clone', async (response) => [await response.clone().text(), await response.text()]],
    ['bodyUsed', async (response) => [response.bodyUsed, await response.text(), response.bodyUsed]],
    ['a second text', async (response) => [await response.text(), await settle(response.text())]],
    ['a second json', async (response) => [await response.json(), await settle(response.json())]],
    ['bytes after text', async (response) => [await response.text(), await settle(response.bytes())]],
    ['text after bytes', async (response) => [await response.bytes(), await settle(response.text())]],
    [
      'text of a locked stream',
      (response) => {
        response.body?.getReader();
        return settle(response.text());
      },
    ],
    ['the stream after text', async (response) => [await response.text(), response.body?.locked]],
  ])('reads %s like a response with a stream', async (_name, read) => {
    const [expected, actual] = both();
    expect(await read(actual as Response)).toEqual(await read(expected as Response));
  });

  it.each([
    ['a byte order mark', Buffer.from('\ufeff1')],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['no JSON', Buffer.from('{')],
    ['no bytes', Buffer.alloc(0)],
  ])('reads %s like a response with a stream', async (_name, bytes) => {
    const read = (response: Response) => Promise.all([response.clone().text(), settle(response.json())]);
    const text = async (response: Response) => response.text();
    const [expected, actual] = await Promise.all(both(bytes).map(read));
    const [expectedText, actualText] = await Promise.all(both(bytes).map(text));
    expect([actual, actualText]).toEqual([expected, expectedText]);
  });
});
