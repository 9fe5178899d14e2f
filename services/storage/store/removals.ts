/**
 * Removes replaced content in the background, so that a writer need not wait for it: removing a large file takes a disk
 * as long as writing it.
 */
import { type RemovalContext, type RowContent, removeContentOfDeleted } from './remove-content.ts';

/** Most concurrent removals; beyond that, a writer waits for one of them. */
const MAX_RUNNING = 32;

/** Background removals of one instance. */
export class Removals {
  readonly #running = new Set<Promise<void>>();

  /**
   * Starts to remove content that its row no longer names, or leaves that to its copies. Resolves when the removal has started.
   */
  async begin(context: RemovalContext, replaced: RowContent): Promise<void> {
    while (this.#running.size >= MAX_RUNNING) await Promise.race(this.#running);
    const running = removeContentOfDeleted(context, [replaced]).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when all started removals have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}
