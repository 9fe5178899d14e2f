/** Renders images: caches recent results, and joins concurrent requests for the same image. */
import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { ContentName, ObjectStore } from '../store/object-store.ts';
import type { RequestedType } from './format.ts';
import type { Rendered } from './render-job.ts';
import { imageError, RenderPool, type RenderPoolOptions } from './render-pool.ts';
import { type Transform, transformText } from './transform.ts';

/** Largest source: sources are held in memory as a whole. */
const MAX_SOURCE_BYTES = 25 * 1024 * 1024;
const CACHE_BYTES = 32 * 1024 * 1024;
const CACHED_IMAGE_BYTES = 4 * 1024 * 1024;

/** The source of an image. Content of one version never changes. */
interface ImageSource extends ContentName {
  /** Bytes; undefined if unknown. */
  size: number | undefined;
}

/** Renders and caches images of one instance. */
export class Images {
  readonly #store: Pick<ObjectStore, 'read'>;
  readonly #pool: RenderPool;
  readonly #rendered = new LRUCache<string, Rendered>({
    maxSize: CACHE_BYTES,
    maxEntrySize: CACHED_IMAGE_BYTES,
    sizeCalculation: ({ data }) => Math.max(1, data.length),
  });
  readonly #rendering = new Map<string, Promise<Rendered>>();

  constructor(store: Pick<ObjectStore, 'read'>, options: Partial<RenderPoolOptions> = {}) {
    this.#store = store;
    this.#pool = new RenderPool(options);
  }

  /** Renders an image. Throws InvalidRequest, SlowDown, TooManyRequests, and NoSuchKey if the content is missing. */
  async render(
    source: ImageSource,
    transform: Transform,
    type: RequestedType,
    client: readonly string[] = [],
  ): Promise<Rendered> {
    const key = `${source.version} ${type} ${transform.format ?? ''} ${transformText(transform)}`;
    const known = this.#rendered.get(key) ?? this.#rendering.get(key);
    if (known !== undefined) return known;
    const rendering = this.#pool
      .render({ client, transform, type, loadSource: () => this.#load(source) })
      .finally(() => this.#rendering.delete(key));
    this.#rendering.set(key, rendering);
    const rendered = await rendering;
    this.#rendered.set(key, rendered);
    return rendered;
  }

  close(): void {
    this.#pool.close();
  }

  async #load(source: ImageSource): Promise<Buffer> {
    requireSize(source.size ?? 0);
    const content: Readable = await this.#store.read(source);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of content) {
      size += (chunk as Buffer).length;
      requireSize(size);
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks, size);
  }
}

function requireSize(bytes: number): void {
  if (bytes > MAX_SOURCE_BYTES) throw imageError('The source image file is too large to process');
}
