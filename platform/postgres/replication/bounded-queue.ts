/** A queue between events and an async iteration that holds a limited number of bytes. */

/** Options of {@link BoundedQueue}. */
interface QueueOptions {
  maxBytes: number;
  /** Called when the queue holds more; the producer has to pause. */
  onFull: () => void;
  /** Called when half of them were consumed after that; the producer may continue. */
  onDrained: () => void;
}

/** Items in the order of their arrival, for one consumer. */
export class BoundedQueue<Item> {
  readonly #options: QueueOptions;
  #items: { item: Item; bytes: number }[] = [];
  #bytes = 0;
  #isFull = false;
  #end: { error: Error | undefined } | undefined;
  #wake: (() => void) | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  push(item: Item, bytes: number): void {
    this.#items.push({ item, bytes });
    this.#bytes += bytes;
    if (!this.#isFull && this.#bytes > this.#options.maxBytes) {
      this.#isFull = true;
      this.#options.onFull();
    }
    this.#wake?.();
  }

  /** Ends the iteration after the items that have arrived, with an error if one is given. Later calls do nothing. */
  end(error?: Error): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  /** Returns the items until the end; throws its error. */
  async *items(): AsyncGenerator<Item, void> {
    for (;;) {
      const next = this.#items.shift();
      if (next !== undefined) {
        this.#bytes -= next.bytes;
        if (this.#isFull && this.#bytes <= this.#options.maxBytes / 2) {
          this.#isFull = false;
          this.#options.onDrained();
        }
        yield next.item;
      } else if (this.#end !== undefined) {
        if (this.#end.error !== undefined) throw this.#end.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    }
  }
}
