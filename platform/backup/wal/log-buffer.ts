/** The received part of the log that the archive does not have yet, divided into pieces. Pure. */
import { isClosed, type LogRange, pieceLimit } from './pieces.ts';

/** A piece to store. */
export interface BufferedPiece extends LogRange {
  bytes: Buffer;
  /** The shorter piece that this one replaces. */
  replaces: LogRange | undefined;
}

/** Bytes of the log that follow each other. */
interface Run {
  start: bigint;
  end: bigint;
  parts: Buffer[];
  /** End of the stored piece that begins at `start` and may still grow; `start` if none is stored. */
  stored: bigint;
}

/** Collects the log. */
export class LogBuffer {
  /** The last run grows. The others are before gaps and are stored once. */
  #runs: Run[] = [];

  /** Bytes in memory. */
  get bytes(): number {
    return this.#runs.reduce((sum, { start, end }) => sum + Number(end - start), 0);
  }

  /** Whether bytes are not stored yet. */
  get hasUnstored(): boolean {
    return this.#runs.some(({ stored, end }) => stored < end);
  }

  /** Whether a piece is complete and should be stored at once. */
  get hasFullPiece(): boolean {
    const [first] = this.#runs;
    return first !== undefined && (this.#runs.length > 1 || first.end >= pieceLimit(first.start));
  }

  /** Adds a copy of the next bytes. A start that does not continue the last bytes begins a new range. */
  append(start: bigint, bytes: Buffer): void {
    let run = this.#runs.at(-1);
    if (run === undefined || run.end !== start) {
      run = { start, end: start, parts: [], stored: start };
      this.#runs.push(run);
    }
    run.parts.push(Buffer.from(bytes));
    run.end += BigInt(bytes.length);
  }

  /** Returns the next piece without removing it; undefined if everything is stored. */
  next(): BufferedPiece | undefined {
    this.#removeStoredRuns();
    const [run] = this.#runs;
    if (run === undefined) return undefined;
    const limit = pieceLimit(run.start);
    const end = run.end < limit ? run.end : limit;
    if (end === run.stored) return undefined;
    const bytes = joined(run).subarray(0, Number(end - run.start));
    const replaces = run.stored > run.start ? { start: run.start, end: run.stored } : undefined;
    return { start: run.start, end, bytes, replaces };
  }

  /** Records that a piece of `next` is stored. The bytes of a closed one are removed. */
  confirm(piece: LogRange): void {
    const [run] = this.#runs;
    if (run === undefined || run.start !== piece.start) return;
    run.stored = piece.end;
    if (!isClosed(piece)) return;
    run.parts = [joined(run).subarray(Number(piece.end - run.start))];
    run.start = piece.end;
  }

  /** Nothing is added to a run before a gap, so it is not kept for a longer piece. */
  #removeStoredRuns(): void {
    while (this.#runs.length > 1 && this.#runs[0]?.stored === this.#runs[0]?.end) this.#runs.shift();
  }
}

function joined(run: Run): Buffer {
  const bytes = Buffer.concat(run.parts);
  run.parts = [bytes];
  return bytes;
}
