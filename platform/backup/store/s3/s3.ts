/** Stores an archive in a bucket of an S3 store, each value as an object `<prefix>/<name>`. */
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { ArchiveError, isArchiveError } from '../../errors.ts';
import { type ArchiveStore, MAX_VALUE_BYTES, type StoredValue } from '../archive-store.ts';
import { isName, requireName, requirePrefix } from '../names.ts';
import { createRetry, RETRY_PAUSES_MS, type Retry } from '../retry.ts';
import { createS3Client, type S3Place } from './s3-client.ts';
import { nameOf, s3Error, statusOf } from './s3-error.ts';

/** Most keys in one DeleteObjects request. */
const MAX_REMOVALS_PER_REQUEST = 1000;
/** Up to this number, values are removed by single requests, because not every store supports DeleteObjects. */
const MAX_SINGLE_REMOVALS = 8;

/** Options that only tests change. */
interface S3StoreOptions {
  pausesMs?: readonly number[];
  silenceMs?: number;
}

/** Opens the archive in a bucket without sending a request. */
export function openS3Store(place: S3Place, options: S3StoreOptions = {}): ArchiveStore {
  const closing = new AbortController();
  const bucket = new Bucket(
    place,
    createS3Client(place, options.silenceMs),
    createRetry(options.pausesMs ?? RETRY_PAUSES_MS, closing.signal),
  );
  return {
    kind: 's3',
    location: bucket.location,
    put: async (name, bytes) => bucket.put(requireName(name), bytes),
    putLater: async (name, bytes) => bucket.put(requireName(name), bytes),
    flush: async () => {},
    putIfAbsent: async (name, bytes) => bucket.putIfAbsent(requireName(name), bytes),
    get: async (name) => bucket.get(requireName(name)),
    list: (prefix) => bucket.list(requirePrefix(prefix)),
    remove: async (names) => bucket.remove(names.map(requireName)),
    // A store shows only complete objects.
    removeAbandoned: async () => {},
    commit: async () => {},
    async close() {
      closing.abort();
      bucket.close();
    },
  };
}

class Bucket {
  readonly location: string;
  readonly #client: S3Client;
  readonly #retry: Retry;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor(place: S3Place, client: S3Client, retry: Retry) {
    const prefix = place.prefix === '' ? '' : `${place.prefix}/`;
    this.location = `bucket ${place.bucket}${prefix === '' ? '' : ` (${prefix})`} of ${place.endpoint ?? 'AWS'}`;
    this.#client = client;
    this.#retry = retry;
    this.#bucket = place.bucket;
    this.#prefix = prefix;
  }

  close(): void {
    this.#client.destroy();
  }

  put(name: string, bytes: Uint8Array): Promise<void> {
    return this.#request(name, () => this.#put(name, bytes));
  }

  get(name: string): Promise<Buffer> {
    return this.#request(name, async () => {
      const { Body, ContentLength } = await this.#client.send(new GetObjectCommand(this.#at(name)));
      if (ContentLength !== undefined && ContentLength > MAX_VALUE_BYTES)
        throw new ArchiveError(
          'damaged',
          `${name} in ${this.location} has ${ContentLength} bytes; at most ${MAX_VALUE_BYTES} are valid`,
        );
      const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
      if (ContentLength === undefined || bytes.length === ContentLength) return bytes;
      throw new ArchiveError('unavailable', `${name} in ${this.location}: the response ended early`);
    });
  }

  /**
   * Uses a conditional request. A store that ignores the condition replaces the value, so it is read again: of two
   * writers at the same time, the later one wins. A value that equals `bytes` was written by an earlier try.
   */
  async putIfAbsent(name: string, bytes: Uint8Array): Promise<boolean> {
    const before = await this.#find(name);
    if (before !== undefined) return before.equals(bytes);
    await this.#request(name, async () => {
      try {
        await this.#put(name, bytes, { IfNoneMatch: '*' });
      } catch (error) {
        if (statusOf(error) === 412) return;
        if (statusOf(error) !== 501) throw error;
        await this.#put(name, bytes);
      }
    });
    return (await this.get(name)).equals(bytes);
  }

  async *list(prefix: string): AsyncGenerator<StoredValue[]> {
    let token: string | undefined;
    do {
      const ContinuationToken = token;
      const page = await this.#request(`the list of ${prefix || 'all values'}`, () =>
        this.#client.send(
          new ListObjectsV2Command({
            Bucket: this.#bucket,
            Prefix: this.#prefix + prefix,
            ContinuationToken,
          }),
        ),
      );
      const values = (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified = new Date(0) }) => ({
        name: Key.slice(this.#prefix.length),
        size: Size,
        modified: LastModified,
      }));
      const valid = values.filter(({ name }) => isName(name));
      if (valid.length > 0) yield valid;
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  async remove(names: readonly string[]): Promise<void> {
    for (let start = 0; start < names.length; start += MAX_REMOVALS_PER_REQUEST)
      await this.#removeBatch(names.slice(start, start + MAX_REMOVALS_PER_REQUEST));
  }

  async #removeBatch(names: readonly string[]): Promise<void> {
    if (names.length <= MAX_SINGLE_REMOVALS || !(await this.#removeAtOnce(names)))
      for (const name of names) await this.#removeOne(name);
  }

  async #removeOne(name: string): Promise<void> {
    try {
      await this.#request(name, () => this.#client.send(new DeleteObjectCommand(this.#at(name))));
    } catch (error) {
      if (!isArchiveError(error, 'missing')) throw error;
    }
  }

  /** Returns false if the store does not support the request. */
  #removeAtOnce(names: readonly string[]): Promise<boolean> {
    const Objects = names.map((name) => ({ Key: this.#prefix + name }));
    return this.#request(`${names.length} values`, async () => {
      try {
        const command = new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } });
        const { Errors = [] } = await this.#client.send(command);
        const [refused] = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
        if (refused === undefined) return true;
        throw Object.assign(new Error(refused.Message), {
          name: refused.Code,
          $metadata: { httpStatusCode: 200 },
        });
      } catch (error) {
        if (nameOf(error) === 'NotImplemented' || statusOf(error) === 501) return false;
        throw error;
      }
    });
  }

  async #find(name: string): Promise<Buffer | undefined> {
    try {
      return await this.get(name);
    } catch (error) {
      if (isArchiveError(error, 'missing')) return undefined;
      throw error;
    }
  }

  async #put(name: string, bytes: Uint8Array, condition: { IfNoneMatch?: string } = {}): Promise<void> {
    await this.#client.send(
      new PutObjectCommand({
        ...this.#at(name),
        ...condition,
        Body: bytes,
        ContentLength: bytes.length,
        ContentType: 'application/octet-stream',
      }),
    );
  }

  #at(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + name };
  }

  #request<Result>(value: string, send: () => Promise<Result>): Promise<Result> {
    return this.#retry(async () => {
      try {
        return await send();
      } catch (error) {
        throw s3Error(error, value, this.location);
      }
    });
  }
}
