/** The last lines that functions have printed on this node, and further ones as they come. */
import type { LogLevel } from './bootstrap/messages.ts';

/** A line of a function. */
export interface FunctionLine {
  /** ISO 8601, in UTC. */
  time: string;
  level: LogLevel;
  function: string;
  /** Id of the request that printed it; null outside of requests. */
  request: string | null;
  message: string;
}

/** Receives lines. */
interface Follower {
  onLine(line: FunctionLine): void;
  /** Called when no more lines will come. */
  onEnd(): void;
}

const MAX_LINES = 1000;
const MAX_CHARACTERS = 2_000_000;

export class LogFeed {
  readonly #lines: FunctionLine[] = [];
  readonly #followers = new Set<Follower>();
  #characters = 0;
  #isClosed = false;

  /** The lines that are kept, oldest first. */
  get lines(): readonly FunctionLine[] {
    return this.#lines;
  }

  get followers(): number {
    return this.#followers.size;
  }

  add(line: FunctionLine): void {
    this.#lines.push(line);
    this.#characters += line.message.length;
    while (this.#lines.length > MAX_LINES || this.#characters > MAX_CHARACTERS)
      this.#characters -= this.#lines.shift()?.message.length ?? 0;
    for (const follower of this.#followers) follower.onLine(line);
  }

  /** Calls a follower for further lines, until the returned function is called. */
  follow(follower: Follower): () => void {
    if (this.#isClosed) {
      follower.onEnd();
      return () => undefined;
    }
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  /** Ends all followers, because the server stops. */
  close(): void {
    this.#isClosed = true;
    for (const follower of this.#followers) follower.onEnd();
    this.#followers.clear();
  }
}
