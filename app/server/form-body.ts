/** Reads the body of a form, and no more of it than a form may have. */
import type { IncomingMessage } from 'node:http';

/** Largest body of a form: 64 KiB. */
export const MAX_FORM_BYTES = 64 * 1024;

/** Largest body of a form with files, for people without scripts: 7 MiB, since the whole of it is held in memory. */
export const MAX_FILE_FORM_BYTES = 7 * 1024 * 1024;

/** The whole body, or the finding that it is too large. */
export type BodyReading = { kind: 'complete'; bytes: Uint8Array<ArrayBuffer> } | { kind: 'too-large' };

/** Reads at most `limit` bytes. Rejects when the visitor leaves before the end. */
export async function readBody(request: IncomingMessage, limit: number): Promise<BodyReading> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return { kind: 'too-large' };
  const chunks: Buffer[] = [];
  let length = 0;
  // The stream must outlive an early end of this loop: its connection still carries the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > limit) {
      // A visitor who is cut off while still sending never gets to read why.
      request.resume();
      return { kind: 'too-large' };
    }
    chunks.push(chunk);
  }
  return { kind: 'complete', bytes: new Uint8Array(Buffer.concat(chunks)) };
}
