/** The space that a write requests from the quotas. */

/** Space that an upload requests. */
export interface SpaceRequest {
  bucket: string;
  key: string;
  /** Null: no user quota applies. */
  ownerId: string | null;
  /** Whether the bytes of the overwritten object count as free. */
  isUpsert: boolean;
  /** Most bytes that the upload may have. */
  maxBytes: number;
  /** Exact bytes, if known. */
  size?: number | undefined;
  /** Quotas that the upload counts towards; default all. */
  scopes?: readonly QuotaScope[];
}

export type QuotaScope = 'total' | 'bucket' | 'user';
