/** Kinds of writes, journals of them, and their promised effects. */
import type { Statement } from '@greenroom/postgres';

/** Number of effects of an acknowledged write. */
type Promised = 'at least once' | 'exactly once';

/** Ids of writes, or their effects. */
export interface Journal {
  /** The transaction was committed. */
  acknowledged: Set<string>;
  /** The transaction was rolled back. */
  rolledBack: Set<string>;
  /** A worker has finished the work of the id, in a committed transaction. */
  finished: Set<string>;
}

/** An instance and its surroundings, as clients use them. */
export interface Surroundings {
  /** URL of the API. */
  url: string;
  /** URL of the server that receives requests and webhooks. */
  endpointUrl: string;
  /** Runs statements as `postgres`, in one transaction; returns the rows of the last one. */
  query(...statements: (string | Statement)[]): Promise<Record<string, unknown>[]>;
  /** Returns the number of successful requests of each id below a path. */
  received(path: string): Map<string, number>;
}

/** A kind of writes. */
export interface Load {
  name: string;
  /** Of the effect that {@link Load.count} counts. */
  promised?: Promised;
  /** Returns SQL that creates the objects of this load, in a migration of the project. */
  migration?(endpointUrl: string): string;
  /** Source of a function of the project, by the name of the function. */
  functions?: Readonly<Record<string, string>>;
  /** Number of clients that write at once. */
  writers: number;
  /** Writes once with a new id, and notes the end in the journal. Rejects if the instance is killed meanwhile. */
  write(surroundings: Surroundings, journal: Journal): Promise<void>;
  /** Does the work of one message, and notes it as finished. Repeated by one client. */
  work?(surroundings: Surroundings, journal: Journal): Promise<void>;
  /** Returns the number of effects of each id. */
  count?(surroundings: Surroundings): Promise<Map<string, number>>;
  /** Returns the ids whose work the instance has recorded as finished. */
  finished?(surroundings: Surroundings): Promise<Set<string>>;
  /** Returns further rules that hold at any time, each with the ids that break it. */
  violations?(surroundings: Surroundings): Promise<[rule: string, ids: string[]][]>;
}

export function newJournal(): Journal {
  return { acknowledged: new Set(), rolledBack: new Set(), finished: new Set() };
}

/** Returns numbers by id of rows with the columns `id` and `count`. */
export function countsOf(rows: readonly Record<string, unknown>[]): Map<string, number> {
  return new Map(rows.map(({ id, count }) => [String(id), Number(count)]));
}
