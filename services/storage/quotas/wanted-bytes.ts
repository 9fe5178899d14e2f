/** What a write asks of the quotas. */

/** Bytes that an upload is about to bring. */
export interface WantedBytes {
  bucket: string;
  key: string;
  /** Null: no person has a quota for it. */
  ownerId: string | null;
  /** Whether the object that it overwrites makes room for it. */
  isUpsert: boolean;
  /** Most bytes that may come. */
  atMost: number;
  /** Bytes that will come, where that is known. */
  size?: number | undefined;
  /** Quotas that the upload adds to; all of them where not given. */
  scopes?: readonly QuotaScope[];
}

/** What has a quota. */
export type QuotaScope = 'total' | 'bucket' | 'user';
