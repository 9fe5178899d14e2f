/** Parses `multipart/form-data` (RFC 7578) as a stream: a few fields, followed by one file. */
import type { IncomingHttpHeaders } from 'node:http';
import { type Readable, Writable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { failure } from '../errors.ts';

const MEBIBYTE = 1024 * 1024;
const LIMITS = {
  fields: 10,
  /** One byte more than user metadata may have, so that oversized metadata is detected. */
  fieldSize: MEBIBYTE + 1,
  files: 1,
  headerPairs: 100,
  headerSize: 16 * 1024,
};
/** Bytes of the file that are buffered until its consumer reads them. */
const FILE_BUFFER_BYTES = 256 * 1024;

/** Parts other than fields and the file that a form may have, such as parts without a name. They are ignored. */
const OTHER_PARTS = 4;

/** Limits that differ from the defaults. */
interface FormLimits {
  fields?: number;
  /** Maximum bytes of each field; the rest is truncated. */
  fieldSize?: number;
}

/** A form that was parsed up to its file. */
interface Form {
  /** Field values by name; only fields that precede the file. */
  fields: ReadonlyMap<string, string>;
  /** Unread content of the file. The stream fails if the form is truncated. */
  file: Readable;
  /** MIME type of the file, without parameters. */
  mimeType: string;
}

/**
 * Parses a form up to its file. Reading the file parses the rest. Throws NoContentProvided if there is no file or the
 * body is not a form, InvalidRequest if there are too many fields.
 */
export function readForm(
  headers: IncomingHttpHeaders,
  body: Readable,
  limits: FormLimits = {},
): Promise<Form> {
  const allLimits = { ...LIMITS, ...limits };
  return new Promise((resolve, reject) => {
    const parser = createParser(headers, allLimits);
    const feed = new Feed(parser);
    const fields = new Map<string, string>();
    let file: BusboyFileStream | undefined;
    const fail = (error: Error) => {
      feed.stop();
      body.unpipe(feed);
      file?.destroy(error);
      reject(error);
    };
    parser.on('field', (name, value) => {
      if (file === undefined && name !== undefined) fields.set(name, value);
    });
    const refuseFields = () => {
      if (file === undefined)
        fail(
          failure('InvalidRequest', { message: `A form must not have more than ${allLimits.fields} fields` }),
        );
    };
    parser.on('fieldsLimit', refuseFields);
    parser.on('partsLimit', () => {
      refuseFields();
      // The file is complete when another part begins.
      feed.stop();
    });
    parser.on('file', (_name, stream, _filename, _encoding, mimeType) => {
      file = stream;
      // The consumer of the stream handles its errors as well; this listener handles errors before the consumer
      // attaches.
      stream.on('error', () => {});
      resolve({ fields, file: stream, mimeType });
    });
    parser.on('error', (cause) => fail(malformedForm(cause)));
    parser.on('finish', () => reject(failure('NoContentProvided')));
    body.once('error', fail);
    // If the client disconnects, the body closes without ending.
    const failIfIncomplete = () => {
      if (!body.readableEnded) fail(new Error('the client disconnected before the body was complete'));
    };
    body.once('close', failIfIncomplete);
    // The body may have closed before, while this module was loaded.
    if (body.destroyed) failIfIncomplete();
    body.pipe(feed);
  });
}

function createParser(headers: IncomingHttpHeaders, limits: typeof LIMITS): BusboyInstance {
  const contentType = headers['content-type'] ?? '';
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { ...limits, parts: limits.fields + limits.files + OTHER_PARTS },
      fileHwm: FILE_BUFFER_BYTES,
    });
  } catch (cause) {
    throw malformedForm(cause);
  }
}

function malformedForm(cause: unknown): Error {
  return failure('NoContentProvided', { message: 'The form could not be parsed', cause });
}

/** Precedes each part except the first. It may also occur inside of a field or file. */
const DELIMITER = '\r\n--';
/** Bytes that are parsed after a delimiter before limits are checked: up to 80 parts. */
const SLICE_BYTES = 4096;

/**
 * Feeds the body to the parser, which parses each chunk synchronously and cannot be stopped within it, although a chunk
 * can have a thousand parts. So chunks with delimiters are fed in slices, and {@link stop} drops the rest.
 */
class Feed extends Writable {
  readonly #parser: BusboyInstance;
  #isStopped = false;

  constructor(parser: BusboyInstance) {
    super();
    this.#parser = parser;
  }

  /** Drops all bytes that have not been parsed. */
  stop(): void {
    this.#isStopped = true;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#pass(chunk, 0, done);
  }

  override _final(done: () => void): void {
    if (!this.#isStopped) this.#parser.end();
    done();
  }

  #pass(chunk: Buffer, start: number, done: (error?: Error | null) => void): void {
    if (this.#isStopped) {
      done();
      return;
    }
    const delimiter = chunk.indexOf(DELIMITER, start);
    const end = delimiter === -1 ? chunk.length : Math.min(chunk.length, delimiter + SLICE_BYTES);
    const isLast = end === chunk.length;
    this.#parser.write(chunk.subarray(start, end), (error) => {
      if (error || isLast) done(error);
      else this.#pass(chunk, end, done);
    });
  }
}
