/** Answering with the content of an object, or with what is known about it. */
import { CatalogueError } from '@greenroom/errors';
import type { FairQueue } from '@greenroom/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../caller.ts';
import { isNotModified, wantedRange } from '../content/conditions.ts';
import { dispositionOf } from '../content/disposition.ts';
import { parseRange, sizeHeaders } from '../content/range.ts';
import { safeHeaders } from '../content/safe-headers.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { clientOf, takePlace } from '../limits.ts';
import { addressOf } from '../request/facts.ts';
import { type Description, describe, setHeaders } from './describe.ts';
import type { ObjectRow } from './rows.ts';

/** How an object is to be told. */
export interface ServeOptions {
  /** Of the query: with a name, or an empty one, browsers save the content. */
  download?: string | undefined;
  /** When the link ends that the object is fetched by, in seconds since the epoch. */
  expiresAt?: number | undefined;
}

/** So often content is looked for again: it is replaced while somebody is about to read it. */
const ATTEMPTS = 3;
const UNKNOWN_ROBOTS = 'none';

/**
 * Answers with the content. Throws what `find` throws, InvalidRange, and ContentNotFound where a row has no content,
 * which only SQL can bring about.
 */
export async function serveContent(
  { store, limits }: Pick<Context, 'store' | 'limits'>,
  request: FastifyRequest,
  reply: FastifyReply,
  find: () => Promise<ObjectRow>,
  options: ServeOptions,
): Promise<FastifyReply> {
  const client = clientOf({
    caller: request.storageCaller ?? ANONYMOUS,
    request: { address: addressOf(request) },
  });
  await holdPlace(limits.downloads, client, reply);
  const turn = limits.reads.of(client);
  let row = await find();
  for (let attempt = 1; ; attempt += 1) {
    const told = await completed(store, row, describe(row));
    if (isNotModified(request.headers, told)) {
      setHeaders(reply, { ...headersOf(told, options, cacheControlOf(request, told)) });
      return reply.code(304).send();
    }
    const range = parseRange(wantedRange(request.headers, told), told.size);
    const { bucket_id: bucket, name: key, version } = row;
    const content = await store.read({ bucket, key, version: version ?? '' }, range, turn).catch(orMissing);
    if (content !== undefined) {
      const { status, headers } = sizeHeaders(told.size, range);
      setHeaders(reply, { ...headersOf(told, options, cacheControlOf(request, told)), ...headers });
      return reply.code(status).send(content);
    }
    const now = await find();
    if (now.version === version || attempt === ATTEMPTS) throw missing();
    row = now;
  }
}

/** Takes a place for a download until the answer is over. Throws TooManyRequests. */
async function holdPlace(
  downloads: FairQueue,
  client: readonly string[],
  reply: FastifyReply,
): Promise<void> {
  const release = await takePlace(downloads, client);
  if (reply.raw.destroyed) release();
  else reply.raw.once('close', release);
}

/** Answers HEAD: with what the row says. */
export function serveHead(request: FastifyRequest, reply: FastifyReply, row: ObjectRow): FastifyReply {
  const told = describe(row);
  const asked = request.headers['if-none-match'];
  const isStale = asked !== undefined && asked !== told.eTag;
  const cacheControl = joined(told.cacheControl, isStale && 'must-revalidate');
  setHeaders(reply, { ...headersOf(told, {}, cacheControl), 'content-length': told.size });
  return reply.code(200).send();
}

type Completed = Description & { size: number };

/** A row that does not say how much there is: the content does. */
async function completed(
  store: Context['store'],
  { bucket_id: bucket, name: key, version }: ObjectRow,
  told: Description,
): Promise<Completed> {
  if (version === null) throw missing();
  if (told.size !== undefined) return told as Completed;
  const facts = await store.facts({ bucket, key, version }).catch(orMissing);
  if (facts === undefined) throw missing();
  return { ...told, size: facts.size };
}

function headersOf(
  told: Description,
  { download, expiresAt }: ServeOptions,
  cacheControl: string | undefined,
) {
  return {
    'accept-ranges': 'bytes',
    ...safeHeaders(told.mimeType),
    etag: told.eTag,
    'last-modified': told.lastModified?.toUTCString(),
    'x-robots-tag': told.robotsTag ?? UNKNOWN_ROBOTS,
    ...(expiresAt === undefined
      ? { 'cache-control': cacheControl }
      : { expires: new Date(expiresAt * 1000).toUTCString() }),
    'content-disposition': dispositionOf(download),
  };
}

function cacheControlOf(
  { headers }: FastifyRequest,
  { cacheControl, eTag }: Description,
): string | undefined {
  const asked = headers['if-none-match'];
  return joined(cacheControl, asked !== undefined && asked !== eTag && 'stale-while-revalidate=30');
}

function joined(...parts: (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(', ');
}

function orMissing(error: unknown): undefined {
  if (error instanceof CatalogueError && error.code === 'NoSuchKey') return undefined;
  throw error;
}

function missing(): CatalogueError {
  return failure('ContentNotFound', { headers: { 'cache-control': 'no-store' } });
}
