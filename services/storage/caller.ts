/** Who a request comes from: what policies are asked about. */

/** A caller. Its claims have been verified. */
export interface Caller {
  role: string;
  /** Claim `sub`: the owner of what the caller writes; undefined where there is none. */
  subject: string | undefined;
  /** JSON text of all claims. */
  claims: string;
  token: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What goes into columns `owner` and `owner_id`. */
export function ownerOf({ subject }: Caller): { owner: string | null; ownerId: string | null } {
  const ownerId = subject ?? null;
  return { owner: ownerId !== null && UUID.test(ownerId) ? ownerId : null, ownerId };
}
