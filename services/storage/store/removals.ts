/**
 * Content that a write has replaced: who wrote need not wait until it is removed, which takes a disk as long for a large
 * file as writing it.
 */
import { type RemovalContext, type RowContent, removeContent } from './remove-content.ts';

/** Where so many are under way, the next writer waits for one of them. */
const MOST = 32;

/** Those of one instance. */
export class Removals {
  readonly #running = new Set<Promise<void>>();

  /** Begins to remove content whose row names another one now. Resolves when others may go on. */
  async begin(context: RemovalContext, replaced: RowContent): Promise<void> {
    while (this.#running.size >= MOST) await Promise.race(this.#running);
    const running = removeContent(context, [replaced]).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when all that have begun are over. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}
