/**
 * Parses the body of a request into rows for a table or arguments for a function. Parses syntax only: JSON is passed to
 * PostgreSQL unchanged, and the planner checks whether the columns exist.
 */
import { isUtf8 } from 'node:buffer';
import { createFairQueue, type FairQueue } from '@greenroom/limits';
import type { CancelSignal } from '@greenroom/postgres';
import { failure } from '../errors.ts';
import { TooManyRowsError } from './body-limits.ts';
import { CsvError, csvToJson } from './csv.ts';
import { type FormField, formToJson, hasTooManyFields, parseForm } from './form.ts';
import { type JsonRows, scanJsonRows } from './json-rows.ts';
import { JsonScanError } from './json-text.ts';
import { type MediaType, mediaTypeName, parseMediaType } from './media-type.ts';
import { type Action, acceptsBody } from './method.ts';
import { runAtOnce, runInSlices, type Sliced } from './slices.ts';

/** A larger body is rejected with 413. Clients should send more rows in several requests. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Forms have a lower limit because they are not parsed in slices, and percent-decoding is several times slower. */
export const MAX_FORM_BYTES = 1024 * 1024;

export type RequestBody = JsonBody | FormBody | RawBody;

/** Rows, or named arguments. */
export interface JsonBody {
  kind: 'json';
  /** One object, or a list of objects if `isArray`. The body of a call may be any other value. */
  json: Buffer;
  isArray: boolean;
  /** The number of objects. */
  rowCount: number;
  /** The distinct keys to read, in the order of the first object or of the parameter `columns`. */
  columns: readonly string[];
}

/** Named arguments of a function as texts. */
interface FormBody {
  kind: 'form';
  fields: readonly FormField[];
}

/** The single unnamed argument of a function. */
interface RawBody {
  kind: 'raw';
  mediaType: 'text/plain' | 'text/xml' | 'application/octet-stream';
  bytes: Buffer;
}

/** The input of {@link parseBody}. */
interface BodyRequest {
  action: Action;
  /** The header Content-Type; undefined means JSON. */
  contentType: string | undefined;
  bytes: Buffer;
  /** The parameter `columns`. */
  columns: readonly string[] | undefined;
}

/** Larger bodies are parsed in slices. */
const LARGE_BYTES = 256 * 1024;

/** The queue for parsing a large body. */
export interface QueuedReading {
  /** Limits concurrent parsing: each large body adds a slice to every iteration of the event loop. */
  queue: FairQueue;
  /** Keys of the client, from `clientKeys`. */
  keys: readonly string[];
  signal: Pick<CancelSignal, 'aborted' | 'reason'>;
}

/**
 * Parses a body like {@link parseBody}. A large body is parsed in slices and in a queue that is fair to all clients.
 * @param queued called for a large body only
 * @throws the errors of {@link parseBody}, `QueueFullError`, and the reason of the signal if it aborts
 */
export function readBody(
  request: BodyRequest,
  queued: () => QueuedReading,
): RequestBody | undefined | Promise<RequestBody | undefined> {
  const work = parseBody(request);
  if (request.bytes.length <= LARGE_BYTES) return runAtOnce(work);
  const { queue, keys, signal } = queued();
  return queue.run(keys, () => runInSlices(work, signal));
}

/** Creates the queue for {@link readBody}. */
export function createBodyQueue(): FairQueue {
  return createFairQueue({ max: 2, maxPerClient: 1, maxWaiting: 1000, maxWaitingPerClient: 100 });
}

/**
 * Parses the body of an insert, an update, a PUT or a call by POST. Other actions ignore their body.
 * @throws PGRST102 if the body does not match its media type, has an unsupported media type, or is too large
 */
export function* parseBody({
  action,
  contentType,
  bytes,
  columns,
}: BodyRequest): Sliced<RequestBody | undefined> {
  if (!acceptsBody(action)) return undefined;
  if (bytes.length > MAX_BODY_BYTES) throw tooLarge();
  const type = parseMediaType(contentType ?? 'application/json');
  const named = action.kind === 'put' ? undefined : columns;
  return yield* action.kind === 'call' ? parseArguments(type, bytes, named) : parseRows(type, bytes, named);
}

const EMPTY_LIST = Buffer.from('[]');
const EMPTY_OBJECT = Buffer.from('{}');

function* parseRows(type: MediaType, bytes: Buffer, columns: BodyRequest['columns']): Sliced<JsonBody> {
  switch (type.kind) {
    case 'json': {
      const body = yield* parseJson(bytes, columns);
      // A value that is neither an object nor a list has no rows.
      return body ?? { kind: 'json', json: EMPTY_LIST, isArray: true, rowCount: 0, columns: columns ?? [] };
    }
    case 'csv':
      return yield* parseCsv(bytes, columns);
    case 'form': {
      const fields = requireForm(bytes);
      const names = [...new Set(fields.map(([name]) => name))];
      const json = Buffer.from(formToJson(fields));
      return { kind: 'json', json, isArray: false, rowCount: 1, columns: columns ?? names };
    }
    default:
      throw unsupportedType(type);
  }
}

function* parseArguments(
  type: MediaType,
  bytes: Buffer,
  columns: BodyRequest['columns'],
): Sliced<RequestBody> {
  switch (type.kind) {
    case 'json': {
      const json = bytes.length === 0 ? EMPTY_OBJECT : bytes;
      // A scalar can be the single unnamed argument of a function.
      return (
        (yield* parseJson(json, columns)) ?? {
          kind: 'json',
          json,
          isArray: false,
          rowCount: 0,
          columns: columns ?? [],
        }
      );
    }
    case 'csv':
      return yield* parseCsv(bytes, columns);
    case 'form':
      return { kind: 'form', fields: requireForm(bytes) };
    case 'text':
      return { kind: 'raw', mediaType: 'text/plain', bytes };
    case 'xml':
      return { kind: 'raw', mediaType: 'text/xml', bytes };
    case 'octet-stream':
      return { kind: 'raw', mediaType: 'application/octet-stream', bytes };
    default:
      throw unsupportedType(type);
  }
}

/** Returns undefined for a scalar. Objects must have the same keys unless the request has the parameter `columns`. */
function* parseJson(json: Buffer, columns: BodyRequest['columns']): Sliced<JsonBody | undefined> {
  const rows = yield* scanned(json);
  if (rows.kind === 'scalar') return undefined;
  if (rows.kind === 'object') {
    return { kind: 'json', json, isArray: false, rowCount: 1, columns: columns ?? rows.keys };
  }
  if (columns === undefined && !rows.hasSameKeys) throw unreadable('All object keys must match');
  return { kind: 'json', json, isArray: true, rowCount: rows.length, columns: columns ?? rows.keys };
}

function* scanned(json: Buffer): Sliced<JsonRows> {
  try {
    return yield* scanJsonRows(json);
  } catch (error) {
    if (error instanceof JsonScanError) throw unreadable('Empty or invalid json', error);
    throw tooManyRows(error);
  }
}

function* parseCsv(bytes: Buffer, named: BodyRequest['columns']): Sliced<JsonBody> {
  requireUtf8(bytes);
  try {
    const { columns, rowCount, json } = yield* csvToJson(bytes);
    return { kind: 'json', json, isArray: true, rowCount, columns: named ?? columns };
  } catch (error) {
    if (error instanceof CsvError) throw unreadable(error.message, error);
    throw tooManyRows(error);
  }
}

/** Converts TooManyRowsError to PGRST102 and returns any other error unchanged. */
function tooManyRows(error: unknown): unknown {
  if (!(error instanceof TooManyRowsError)) return error;
  return failure('PGRST102', { status: 413, message: error.message, cause: error });
}

function requireForm(bytes: Buffer): FormField[] {
  if (bytes.length > MAX_FORM_BYTES) throw tooLarge(MAX_FORM_BYTES);
  requireUtf8(bytes);
  const text = bytes.toString();
  if (hasTooManyFields(text)) throw unreadable('The form has too many fields');
  const fields = parseForm(text);
  if (fields === undefined) throw unreadable('The form is not valid percent-encoded UTF-8');
  return fields;
}

function requireUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw unreadable('The body is not valid UTF-8');
}

function unsupportedType(type: MediaType) {
  return unreadable(`Content-Type not acceptable: ${mediaTypeName(type)}`);
}

function unreadable(message: string, cause?: Error) {
  return failure('PGRST102', { message, cause });
}

/** Creates the error for a body with too many bytes. */
export function tooLarge(max = MAX_BODY_BYTES) {
  const message = `The body has more than ${max} bytes`;
  return failure('PGRST102', { status: 413, message });
}
