/** Request bodies: streamed content with its declared properties, and small XML documents. */
import { PassThrough, type Readable, type Transform } from 'node:stream';
import { failure } from '../../errors.ts';
import { markRequestChunks } from '../../store/release-chunk.ts';
import { CheckedContent } from '../chunked/checked-content.ts';
import { declaredChecksums } from '../chunked/checksum.ts';
import { ChunkSigner } from '../chunked/chunk-signer.ts';
import { ChunkedContent, declaredTrailers } from '../chunked/chunked-content.ts';
import { s3Failure } from '../errors.ts';
import type { Headers } from '../signature/sent-signature.ts';
import { readXml, type XmlElement } from '../xml/read.ts';
import type { Authenticated } from './authenticate.ts';

/** Enough for ten thousand parts with a checksum each, or a thousand long keys. */
const MAX_XML_BYTES = 4 * 1024 * 1024;

/** Unread content. If it is never opened, Node.js drops it after the response. */
export interface Body {
  /** Declared bytes; undefined if not declared. */
  length: number | undefined;
  /**
   * Starts reading. The stream fails at its end if signatures, checksums or the length are wrong, and earlier if the
   * client disconnects. Throws InvalidRequest.
   */
  open(): Readable;
}

/** Creates the body of a request. Throws InvalidRequest if its length is not a number. */
export function bodyOf(
  raw: Readable,
  headers: Headers,
  { signature, secret }: Pick<Authenticated, 'signature' | 'secret'>,
): Body {
  const { payloadHash } = signature;
  if (!payloadHash.startsWith('STREAMING-')) {
    return {
      length: lengthOf(headers, 'content-length'),
      open() {
        const checksums = declaredChecksums(headers, payloadHash);
        return connect(raw, checksums.length === 0 ? new PassThrough() : new CheckedContent(checksums));
      },
    };
  }
  const length = lengthOf(headers, 'x-amz-decoded-content-length');
  return {
    length,
    open: () =>
      connect(
        raw,
        new ChunkedContent({
          signer: payloadHash.includes('HMAC') ? new ChunkSigner(secret, signature) : undefined,
          hasTrailers: payloadHash.endsWith('-TRAILER'),
          trailers: declaredTrailers(headers['x-amz-trailer']?.[0]),
          length,
        }),
      ),
  };
}

/** Parses an XML body; undefined if it is empty. Throws MalformedXML, EntityTooLarge, and the errors of the content. */
export async function readXmlBody(body: Body): Promise<XmlElement | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body.open() as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_XML_BYTES) {
      throw failure('EntityTooLarge', { message: `The XML is larger than ${MAX_XML_BYTES} bytes` });
    }
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return text.trim() === '' ? undefined : readXml(text);
}

function connect(raw: Readable, content: Transform): Readable {
  const abort = () =>
    content.destroy(s3Failure('IncompleteBody', { message: 'The client has disconnected' }));
  // The consumer handles errors; this listener only prevents an uncaught one.
  content.once('error', () => undefined);
  raw.once('error', abort);
  raw.once('close', () => {
    if (!raw.readableEnded) abort();
  });
  return markRequestChunks(raw.pipe(content));
}

function lengthOf(headers: Headers, name: string): number | undefined {
  const text = headers[name]?.[0];
  if (text === undefined) return undefined;
  const length = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(length)) {
    throw failure('InvalidRequest', { message: `Header ${name} must be a number of bytes` });
  }
  return length;
}
