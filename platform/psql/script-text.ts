/** The text of a script that is read piece by piece, because a backup may be larger than the memory. */

/** Number of characters that are loaded at least. */
const MIN_LOAD = 64 * 1024;

/** The unread text of a script, as far as it is loaded. */
export class ScriptText {
  readonly #chunks: AsyncIterator<string>;
  readonly #minLoad: number;
  #text = '';
  #line = 1;
  #isComplete = false;
  #isStart = true;

  constructor(chunks: AsyncIterable<string>, minLoad = MIN_LOAD) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#minLoad = minLoad;
  }

  /** The loaded text. */
  get text(): string {
    return this.#text;
  }

  /** Number of the line where the loaded text begins, from 1. */
  get line(): number {
    return this.#line;
  }

  /** Whether the loaded text ends where the script ends. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /**
   * Loads at least as much text as is loaded already, so that a caller who scans the text again after each call needs linear
   * time.
   */
  async load(): Promise<void> {
    const parts = [this.#text];
    let missing = Math.max(this.#minLoad, this.#text.length);
    while (missing > 0 && !this.#isComplete) {
      const { done, value } = await this.#chunks.next();
      if (done) this.#isComplete = true;
      else {
        parts.push(this.#withoutMark(value));
        missing -= value.length;
      }
    }
    this.#text = parts.join('');
  }

  /** Removes text from the beginning. */
  drop(length: number): void {
    this.#line += countLines(this.#text, length);
    this.#text = this.#text.slice(length);
  }

  /** Removes text that contains no line break, and keeps the text in front of it. */
  cut(start: number, end: number): void {
    this.#text = this.#text.slice(0, start) + this.#text.slice(end);
  }

  /** Ends the reading, e.g. of a file. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Removes the mark of byte order at the beginning of the script. */
  #withoutMark(chunk: string): string {
    if (!this.#isStart) return chunk;
    this.#isStart = false;
    return chunk.replace(/^\uFEFF/, '');
  }
}

/** Returns the number of line breaks in the first characters of a text. */
export function countLines(text: string, length: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < length; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
