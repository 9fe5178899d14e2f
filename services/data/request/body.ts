/**
 * The body of a request → rows for a table, or arguments for a function. In charge of its form only: bytes of JSON go on
 * to PostgreSQL as they came, and which columns there really are is not known here.
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
import { type Action, takesBody } from './method.ts';
import { runAtOnce, runInSlices, type Sliced } from './slices.ts';

/** More is answered 413. Rows beyond that are better sent in several requests. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Forms are read at once: percent-decoding takes several times as long as other bodies. */
export const MAX_FORM_BYTES = 1024 * 1024;

/** What a body says. */
export type RequestBody = JsonBody | FormBody | RawBody;

/** Rows, or arguments by their names. */
export interface JsonBody {
  kind: 'json';
  /** One object or, where `isArray`, a list of objects. A call may have any other value, too. */
  json: Buffer;
  isArray: boolean;
  /** How many objects there are. */
  rowCount: number;
  /** Which keys of the objects count; each once, in the order of the first object or of the parameter `columns`. */
  columns: readonly string[];
}

/** Arguments of a function as a form sends them. */
interface FormBody {
  kind: 'form';
  fields: readonly FormField[];
}

/** The one argument of a function. */
interface RawBody {
  kind: 'raw';
  mediaType: 'text/plain' | 'text/xml' | 'application/octet-stream';
  bytes: Buffer;
}

/** What is sent, and what for. */
interface BodyRequest {
  action: Action;
  /** The header Content-Type; JSON where there is none. */
  contentType: string | undefined;
  bytes: Buffer;
  /** The parameter `columns`. */
  columns: readonly string[] | undefined;
}

/** More bytes are read in slices. */
const LARGE_BYTES = 256 * 1024;

/** How a large body waits for its turn. */
export interface QueuedReading {
  /** Reads few bodies at a time, since each takes a slice of each turn of the event loop. */
  queue: FairQueue;
  /** The client, by `clientKeys`. */
  keys: readonly string[];
  signal: Pick<CancelSignal, 'aborted' | 'reason'>;
}

/**
 * Reads a body as {@link parseBody} does, a large one in slices and in turns with those of other clients.
 * @param queued called for a large body only
 * @throws what {@link parseBody} throws, `QueueFullError`, and the reason of a signal that aborts in between
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

/** Creates the queue in which large bodies are read. */
export function createBodyQueue(): FairQueue {
  return createFairQueue({ max: 2, maxPerClient: 1, maxWaiting: 1000, maxWaitingPerClient: 100 });
}

/**
 * Reads the body of an insert, an update, a PUT or a call by POST; of anything else it does not matter.
 * @throws PGRST102 where the body is not of the type that it says, of a type that cannot be used, or too large
 */
export function* parseBody({
  action,
  contentType,
  bytes,
  columns,
}: BodyRequest): Sliced<RequestBody | undefined> {
  if (!takesBody(action)) return undefined;
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
      // Neither an object nor a list: no rows.
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
      throw notUsable(type);
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
      // Any other value can still be the one unnamed argument of a function.
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
      throw notUsable(type);
  }
}

/** Undefined where the value is neither an object nor a list. With named columns, keys need not be the same. */
function* parseJson(json: Buffer, columns: BodyRequest['columns']): Sliced<JsonBody | undefined> {
  const rows = yield* scanned(json);
  if (rows.kind === 'scalar') return undefined;
  if (rows.kind === 'object') {
    return { kind: 'json', json, isArray: false, rowCount: 1, columns: columns ?? rows.keys };
  }
  if (columns === undefined && !rows.isEven) throw unreadable('All object keys must match');
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

/** Any other error stays as it is. */
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

function notUsable(type: MediaType) {
  return unreadable(`Content-Type not acceptable: ${mediaTypeName(type)}`);
}

function unreadable(message: string, cause?: Error) {
  return failure('PGRST102', { message, cause });
}

/** Why a body is refused that has too many bytes. */
export function tooLarge(max = MAX_BODY_BYTES) {
  const message = `The body has more than ${max} bytes`;
  return failure('PGRST102', { status: 413, message });
}
