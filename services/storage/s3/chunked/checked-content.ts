import { Transform, type TransformCallback } from 'node:stream';
import type { ExpectedChecksum } from './checksum.ts';

/** Passes content through, and fails at its end with InvalidChecksum if a checksum does not match. */
export class CheckedContent extends Transform {
  readonly #checksums: readonly ExpectedChecksum[];

  constructor(checksums: readonly ExpectedChecksum[]) {
    super();
    this.#checksums = checksums;
  }

  override _transform(data: Buffer, _encoding: string, done: TransformCallback): void {
    for (const { checksum } of this.#checksums) checksum.update(data);
    done(null, data);
  }

  override _flush(done: TransformCallback): void {
    try {
      for (const { checksum, expected } of this.#checksums) checksum.require(expected);
      done();
    } catch (error) {
      done(error as Error);
    }
  }
}
