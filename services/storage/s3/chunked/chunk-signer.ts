/** Signatures of chunks: each is over its data and the signature before it, so that none can be left out or moved. */
import { createHash, type Hash } from 'node:crypto';
import { failure } from '../../errors.ts';
import type { SentSignature } from '../signature/sent-signature.ts';
import { isSame, scopeOf, signingKey, signText } from '../signature/verify.ts';

const EMPTY_HASH = createHash('sha256').digest('hex');

/** Follows the chunks of one body. Throws SignatureDoesNotMatch. */
export class ChunkSigner {
  readonly #key: Buffer;
  readonly #date: string;
  readonly #scope: string;
  #previous: string;
  #sent = '';
  #hash: Hash = createHash('sha256');

  /** `signature` is that of the request itself, with which the chain begins. */
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

  /** Of all trailers, in the order in which they came, but the signature itself. */
  requireTrailers(trailers: ReadonlyMap<string, string>, signature: string): void {
    const text = [...trailers].map(([name, value]) => `${name}:${value}\n`).join('');
    this.#require('AWS4-HMAC-SHA256-TRAILER', [createHash('sha256').update(text).digest('hex')], signature);
  }

  #require(kind: string, hashes: readonly string[], sent: string): void {
    const text = [kind, this.#date, this.#scope, this.#previous, ...hashes].join('\n');
    const expected = signText(this.#key, text);
    if (!isSame(expected, sent)) throw failure('SignatureDoesNotMatch');
    this.#previous = expected;
  }
}
