/** Copies of content for tests: the reported names, and the removals that wait. */
import type { ContentCopies, NamedContent } from '@greenroom/service';

/** Records reported content, and holds the removal of content until it is settled. */
export class RecordedCopies implements ContentCopies {
  /** Keys of content, by version. */
  readonly waiting = new Map<string, string>();
  /** `written <key>` and `discarded <key>`, since the last call of {@link settle}. */
  events: string[] = [];
  #removals: (() => Promise<void>)[] = [];

  written({ key, version }: NamedContent): void {
    this.waiting.set(version, key);
    this.events.push(`written ${key}`);
  }

  discarded(versions: readonly string[]): void {
    for (const version of versions) {
      const key = this.waiting.get(version);
      if (this.waiting.delete(version)) this.events.push(`discarded ${key}`);
    }
  }

  removable<Name extends NamedContent>(
    names: readonly Name[],
    remove: (names: Name[]) => Promise<void>,
  ): Name[] {
    const held = names.filter(({ version }) => this.waiting.has(version));
    if (held.length > 0) this.#removals.push(() => remove(held));
    return names.filter(({ version }) => !this.waiting.has(version));
  }

  resume(): void {}

  holds(version: string): boolean {
    return this.waiting.has(version);
  }

  /** Regards all content as copied. Resolves when the held removals have ended. */
  async settle(): Promise<void> {
    const removals = this.#removals;
    this.#removals = [];
    this.waiting.clear();
    this.events = [];
    for (const remove of removals) await remove();
  }
}
