/** What is known about a request before anything is looked up for it. */
import { clientKeys, type FairQueue } from '@greenroom/limits';
import type { RawPool } from '@greenroom/postgres';
import type { Caller } from '../auth/caller.ts';
import type { Query } from '../query/ast.ts';
import type { BodyTurns } from '../request/body.ts';
import type { DataRequest } from '../request/data-request.ts';
import type { MediaType } from '../request/media-type.ts';
import type { Preferences } from '../request/preferences.ts';
import type { Profile } from '../request/profile.ts';
import type { RowRange } from '../request/range.ts';
import type { Timing } from '../respond/timing.ts';
import type { Snapshot } from '../snapshot.ts';

/** A request that has been read. */
export interface ActionContext {
  snapshot: Snapshot;
  pool: RawPool;
  /** For large bodies. */
  bodyQueue: FairQueue;
  request: DataRequest;
  caller: Caller;
  profile: Profile;
  query: Query;
  /** All parameters of the URL, decoded. */
  given: readonly (readonly [key: string, value: string])[];
  /** Of the rows themselves. */
  range: RowRange;
  preferences: Preferences;
  /** The most wanted first. */
  accepted: readonly MediaType[];
  /** Undefined where nobody is told how long things take. */
  timing: Timing | undefined;
  /** The SQL that it came to, without values; undefined where nobody wants to know. */
  statements: string[] | undefined;
}

/** How a large body of the request is read. */
export function bodyTurns({ bodyQueue, request, caller: { account } }: ActionContext): BodyTurns {
  const { clientAddress: address, signal } = request;
  return { queue: bodyQueue, keys: address === '' ? [] : clientKeys({ account, address }), signal };
}
