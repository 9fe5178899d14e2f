/**
 * Content of this process that waits to be copied into the archive, and the removals that wait for the copies:
 *
 *     written ───► waiting ───────────────► settled: forgotten
 *                     │ removable                ▲
 *                     └──────► held ─────────────┘ and removed
 *
 * The backup agent takes what waits, copies it and settles it. Only content of this process is known here, so at first, and
 * after too much has waited, the agent also scans all rows. Until it has caught up, every removal is held, also that of
 * content that was written before. A list in a file has the held content, which the next process continues with.
 */
import { isContentVersion } from '@greenroom/backup';
import type { ContentCopies, NamedContent } from '@greenroom/service';
import type { HeldList } from './held-list.ts';
import { type HeldRemoval, HeldRemovals } from './held-removals.ts';

/** Most content that waits. Beyond that, the archive is probably away, and all of it is forgotten. */
const MAX_WAITING = 100_000;

/** Content that waits to be copied. */
interface PendingEntry extends NamedContent {
  /** Whether its row was deleted or replaced. Its content is removed when the entry is settled. */
  isDeleted: boolean;
  /** Milliseconds since the content was written, or since its row was deleted if it was written earlier. */
  waitingMs: number;
}

/** Result of {@link PendingContent.take}. */
interface PendingTake {
  /** All content that waits, oldest first. Its rows may not be committed yet, and may never be. */
  entries: PendingEntry[];
  /** Whether all content that is not in `entries` has been copied. If not, the agent scans all rows after the take. */
  isComplete: boolean;
  /** Passed to {@link PendingContent.caughtUp}. */
  epoch: number;
}

interface Waiting {
  content: NamedContent;
  sinceMs: number;
  held: HeldRemoval | undefined;
}

/** Options of {@link PendingContent}. */
interface PendingContentOptions {
  /** Default: none, so that held content is unknown to the next process. */
  heldList?: HeldList | undefined;
  /** Default: {@link MAX_WAITING}. */
  maxWaiting?: number;
  /** Returns milliseconds that only increase. */
  now?: () => number;
}

/** Content of one instance. */
export class PendingContent implements ContentCopies {
  readonly #waiting = new Map<string, Waiting>();
  readonly #removals = new HeldRemovals();
  readonly #heldList: HeldList | undefined;
  readonly #resumed = Promise.withResolvers<HeldRemoval['remove']>();
  readonly #maxWaiting: number;
  readonly #now: () => number;
  #held = 0;
  #isComplete = false;
  #epoch = 1;

  constructor({ heldList, maxWaiting = MAX_WAITING, now }: PendingContentOptions = {}) {
    this.#heldList = heldList;
    this.#maxWaiting = maxWaiting;
    this.#now = now ?? (() => performance.now());
    const remove: HeldRemoval['remove'] = async (names) => (await this.#resumed.promise)(names);
    for (const content of heldList?.entries ?? []) this.#holdOne(content, { remove, name: content });
  }

  resume(remove: (names: NamedContent[]) => Promise<void>): void {
    // Names of the list are whole contents.
    this.#resumed.resolve(remove as HeldRemoval['remove']);
  }

  holds(version: string): boolean {
    return this.#waiting.get(version)?.held !== undefined;
  }

  written({ bucket, key, version }: NamedContent): void {
    this.#add({ bucket, key, version }, undefined);
    this.#limit();
  }

  discarded(versions: readonly string[]): void {
    for (const version of versions) this.#forget(version);
  }

  removable<Name extends NamedContent>(
    names: readonly Name[],
    remove: (names: Name[]) => Promise<void>,
  ): readonly Name[] {
    const isHeld = (name: Name) => this.#waiting.has(name.version) || this.#mayBeUncopied(name);
    const now = names.filter((name) => !isHeld(name));
    if (now.length === names.length) return names;
    // Each function receives only names that it was passed with.
    const held = { remove: remove as HeldRemoval['remove'] };
    this.#hold(
      names.filter(isHeld).map(({ bucket, key, version }) => ({ bucket, key, version })),
      (name) => ({ ...held, name }),
    );
    this.#limit();
    return now;
  }

  /** Returns the content that waits. It waits until it is settled, also if its row is deleted meanwhile. */
  take(): PendingTake {
    const now = this.#now();
    const entries = Array.from(this.#waiting.values(), ({ content, sinceMs, held }) => ({
      ...content,
      isDeleted: held !== undefined,
      waitingMs: now - sinceMs,
    }));
    return { entries, isComplete: this.#isComplete, epoch: this.#epoch };
  }

  /** Forgets content that was copied or needs no copy, and runs held removals. */
  settled(versions: readonly string[]): void {
    const held = versions.flatMap((version) => this.#forget(version)?.held ?? []);
    this.#heldList?.remove(held.map(({ name }) => name.version));
    this.#removals.start(held);
  }

  /**
   * All content that existed at the take of this epoch was copied. Has no effect if content was forgotten since that take:
   * then the agent scans all rows again.
   */
  caughtUp(epoch: number): void {
    if (epoch === this.#epoch) this.#isComplete = true;
  }

  /** Number of contents that wait, and how many of them have no row any more. */
  get counts(): { waiting: number; held: number } {
    return { waiting: this.#waiting.size, held: this.#held };
  }

  /**
   * Starts no more removals: content that is held keeps its file, and the next process copies and removes it. Resolves when running
   * removals have ended. The store must be open until then.
   */
  async close(): Promise<void> {
    // Without storage, removals of an earlier process would wait for it forever.
    this.#resumed.resolve(async () => undefined);
    await this.#removals.close();
    this.#heldList?.close();
  }

  /** Rows that were inserted by SQL may name versions that have no content. */
  #mayBeUncopied({ version }: NamedContent): boolean {
    return !this.#isComplete && isContentVersion(version);
  }

  #hold(contents: readonly NamedContent[], removalOf: (content: NamedContent) => HeldRemoval): void {
    this.#heldList?.add(contents);
    for (const content of contents) this.#holdOne(content, removalOf(content));
  }

  #holdOne(content: NamedContent, held: HeldRemoval): void {
    const waiting = this.#waiting.get(content.version);
    if (waiting?.held === undefined) this.#held += 1;
    if (waiting === undefined) this.#add(content, held);
    else waiting.held = held;
  }

  #add(content: NamedContent, held: HeldRemoval | undefined): void {
    // Content whose row was rolled back may be written again.
    if (this.#waiting.has(content.version)) return;
    this.#waiting.set(content.version, { content, sinceMs: this.#now(), held });
  }

  #forget(version: string): Waiting | undefined {
    const waiting = this.#waiting.get(version);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(version);
    if (waiting.held !== undefined) this.#held -= 1;
    return waiting;
  }

  /** Forgets everything if too much waits, so that neither memory nor the disk fill up. */
  #limit(): void {
    if (this.#waiting.size <= this.#maxWaiting) return;
    const held = Array.from(this.#waiting.values()).flatMap((waiting) => waiting.held ?? []);
    this.#waiting.clear();
    this.#heldList?.clear();
    this.#held = 0;
    this.#isComplete = false;
    this.#epoch += 1;
    this.#removals.start(held);
  }
}
