/**
 * Verifies signatures of chunks: each covers the chunk's data and the previous signature, so chunks cannot be dropped
 * or reordered.
 */
import { createHash, type Hash } from 'node:crypto';
import { failure } from '../../errors.ts';
import type { SentSignature } from '../signature/sent-signature.ts';
import { scopeOf, signaturesEqual, signingKey, signText } from '../signature/verify.ts';

const EMPTY_HASH = createHash('sha256').digest('hex');

/** Verifies the chunks of one body. Throws SignatureDoesNotMatch. */
export class ChunkSigner {
  readonly #key: Buffer;
  readonly #date: string;
  readonly #scope: string;
  #previous: string;
  #sent = '';
  #hash: Hash = createHash('sha256');

  /** The chain starts with the signature of the request. */
  constructor(secret: string, { credential, date, signature }: SentSignature) {
    this.#key = signingKey(secret, credential);
    this.#date = date;
    this.#scope = scopeOf(credential);
    this.#previous = signature;
  }

  beginChunk(signature: string): void {
    this.#sent = signature.toLowerCase();
    this.#hash = createHash('sha256');
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  endChunk(): void {
    this.#require('AWS4-HMAC-SHA256-PAYLOAD', [EMPTY_HASH, this.#hash.digest('hex')], this.#sent);
  }

  /** Verifies the signature of all trailers in the order received, excluding the signature's own trailer. */
  requireTrailers(trailers: ReadonlyMap<string, string>, signature: string): void {
    const text = [...trailers].map(([name, value]) => `${name}:${value}\n`).join('');
    this.#require('AWS4-HMAC-SHA256-TRAILER', [createHash('sha256').update(text).digest('hex')], signature);
  }

  #require(kind: string, hashes: readonly string[], sent: string): void {
    const text = [kind, this.#date, this.#scope, this.#previous, ...hashes].join('\n');
    const expected = signText(this.#key, text);
    if (!signaturesEqual(expected, sent)) throw failure('SignatureDoesNotMatch');
    this.#previous = expected;
  }
}
