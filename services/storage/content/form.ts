/** Reading `multipart/form-data` (RFC 7578) as a stream: a few fields, and one file after them. */
import type { IncomingHttpHeaders } from 'node:http';
import { type Readable, Writable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { failure } from '../errors.ts';

const MEBIBYTE = 1024 * 1024;
const LIMITS = {
  fields: 10,
  /** One byte more than user metadata may have, so that more is seen. */
  fieldSize: MEBIBYTE + 1,
  files: 1,
  headerPairs: 100,
  headerSize: 16 * 1024,
};
/** So much of a file is kept while it is waited for. */
const FILE_BUFFER_BYTES = 256 * 1024;

/** Parts besides fields and file that a form may have, such as parts without a name, which are ignored. */
const OTHER_PARTS = 4;

/** What a form may have, where that is not as usual. */
interface FormLimits {
  fields?: number;
  /** Bytes of each; the rest is cut off. */
  fieldSize?: number;
}

/** A form, up to its file. */
interface Form {
  /** Texts by name; only those that come before the file. */
  fields: ReadonlyMap<string, string>;
  /** Not yet read. It ends with an error where the form breaks off. */
  file: Readable;
  /** Of the file, without parameters. */
  mimeType: string;
}

/**
 * Reads a form up to its file. The rest of the form comes as the file is read. Throws NoContentProvided where there is no
 * file or the body is no form, InvalidRequest where there are too many fields.
 */
export function readForm(
  headers: IncomingHttpHeaders,
  body: Readable,
  limits: FormLimits = {},
): Promise<Form> {
  const most = { ...LIMITS, ...limits };
  return new Promise((resolve, reject) => {
    const parser = createParser(headers, most);
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
        fail(failure('InvalidRequest', { message: `A form has at most ${most.fields} fields` }));
    };
    parser.on('fieldsLimit', refuseFields);
    parser.on('partsLimit', () => {
      refuseFields();
      // The file is complete when another part begins.
      feed.stop();
    });
    parser.on('file', (_name, stream, _filename, _encoding, mimeType) => {
      file = stream;
      // Who reads it hears of its errors too; this is for those that come before.
      stream.on('error', () => {});
      resolve({ fields, file: stream, mimeType });
    });
    parser.on('error', (cause) => fail(brokenForm(cause)));
    parser.on('finish', () => reject(failure('NoContentProvided')));
    body.once('error', fail);
    // A client that goes away ends its body, but does not complete it.
    body.once('close', () => {
      if (!body.readableEnded) fail(new Error('the body broke off'));
    });
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
    throw brokenForm(cause);
  }
}

function brokenForm(cause: unknown): Error {
  return failure('NoContentProvided', { message: 'The form cannot be read', cause });
}

/** Begins each part but the first, and may be a part of a text or file. */
const DELIMITER = '\r\n--';
/** Bytes that are parsed behind a delimiter before limits are looked at: up to 80 parts. */
const SLICE_BYTES = 4096;

/**
 * Passes the body on to the parser, which parses a whole chunk at once and cannot be stopped in the middle of it: a chunk
 * can have a thousand parts. Chunks with delimiters are passed on in slices, and the rest is dropped after {@link stop}.
 */
class Feed extends Writable {
  readonly #parser: BusboyInstance;
  #isStopped = false;

  constructor(parser: BusboyInstance) {
    super();
    this.#parser = parser;
  }

  /** Drops everything that has not been parsed. */
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
