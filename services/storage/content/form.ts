/** Reading `multipart/form-data` (RFC 7578) as a stream: a few fields, and one file after them. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
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

/** What a form may have, where that is not as usual. */
export interface FormLimits {
  fields?: number;
  /** Bytes of each; the rest is cut off. */
  fieldSize?: number;
}

/** A form, up to its file. */
export interface Form {
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
    const fields = new Map<string, string>();
    let file: BusboyFileStream | undefined;
    const fail = (error: Error) => {
      body.unpipe(parser);
      file?.destroy(error);
      reject(error);
    };
    parser.on('field', (name, value) => {
      if (file === undefined && name !== undefined) fields.set(name, value);
    });
    parser.on('fieldsLimit', () => {
      if (file === undefined)
        fail(failure('InvalidRequest', { message: `A form has at most ${most.fields} fields` }));
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
    body.pipe(parser);
  });
}

function createParser(headers: IncomingHttpHeaders, limits: typeof LIMITS): BusboyInstance {
  const contentType = headers['content-type'] ?? '';
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits,
      fileHwm: FILE_BUFFER_BYTES,
    });
  } catch (cause) {
    throw brokenForm(cause);
  }
}

function brokenForm(cause: unknown): Error {
  return failure('NoContentProvided', { message: 'The form cannot be read', cause });
}
