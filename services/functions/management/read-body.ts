/** Reads the bodies of requests that manage functions. */
import type { FastifyRequest } from 'fastify';
import { failure } from '../errors.ts';

/** Reads the whole body. Rejects with an error of the catalogue if it has more bytes than allowed. */
export async function readBody({ raw, headers }: FastifyRequest, maxBytes: number): Promise<Buffer> {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw failure('BODY_TOO_LARGE');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw failure('BODY_TOO_LARGE');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads a body as JSON; an empty one is an empty object. Rejects with an error of the catalogue. */
export async function readJson(request: FastifyRequest, maxBytes: number): Promise<unknown> {
  const text = (await readBody(request, maxBytes)).toString('utf8');
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw failure('INVALID_REQUEST', { message: 'The body of the request is not JSON' });
  }
}
