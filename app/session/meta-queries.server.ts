/** Client of the saved queries and the history of the SQL page. */

/** A saved query. `version` increases with each change. */
export interface SavedQuery {
  id: string;
  name: string;
  sql: string;
  owner_id: string;
  is_shared: boolean;
  version: number;
  updated_at: string;
  updated_by: string | null;
}

/** Values of a query to save. */
interface SavedValues {
  actor_id: string;
  actor_email: string | null;
  name: string;
  sql: string;
  is_shared: boolean;
}

/** A run to record. */
interface NewRun {
  id: string;
  actor_id: string;
  sql: string;
  role: string;
  claims: Record<string, unknown> | null;
  read_only: boolean;
}

/** The end of a recorded run. */
interface RunEnd {
  outcome: 'done' | 'failed';
  duration_ms: number | null;
  row_count: number | null;
  error: string | null;
  /** JSON. */
  result: string | null;
}

/** A run of the history. */
export interface RecordedRun extends Omit<NewRun, 'actor_id'> {
  /** Position in the history. */
  number: string;
  started_at: string;
  finished_at: string | null;
  outcome: 'started' | 'done' | 'failed';
  duration_ms: number | null;
  row_count: string | null;
  error: string | null;
}

/** All methods reject with `MetaError`. */
export interface QueryClient {
  /** Returns the queries of an administrator, and all shared ones. */
  list(actor: string): Promise<SavedQuery[]>;
  add(values: SavedValues): Promise<SavedQuery>;
  /** Rejects with the code `query_changed` and the field `current` if the query has another version. */
  change(id: string, values: SavedValues & { version: number }): Promise<SavedQuery>;
  remove(id: string, query: { actor: string; version: number }): Promise<void>;
  addRun(run: NewRun): Promise<void>;
  completeRun(id: string, end: RunEnd): Promise<void>;
  /** Newest first. */
  listRuns(filter: Record<string, string>): Promise<(RecordedRun & { has_result: boolean })[]>;
  findRun(id: string, actor: string): Promise<RecordedRun & { result: string | null }>;
  clearRuns(actor: string): Promise<void>;
}

type Call = (method: string, path: string, body?: unknown) => Promise<Response>;

/** Creates a client; `call` rejects with `MetaError` for each refused request. */
export function createQueryClient(call: Call): QueryClient {
  const json = async <T>(response: Promise<Response>) => (await (await response).json()) as T;
  return {
    list: (actor) => json(call('GET', `/queries?${new URLSearchParams({ actor })}`)),
    add: (values) => json(call('POST', '/queries', values)),
    change: (id, values) => json(call('PATCH', `/queries/${id}`, values)),
    async remove(id, { actor, version }) {
      await call('DELETE', `/queries/${id}?${new URLSearchParams({ actor, version: String(version) })}`);
    },
    async addRun(run) {
      await call('POST', '/history', run);
    },
    async completeRun(id, end) {
      await call('PATCH', `/history/${id}`, end);
    },
    listRuns: (filter) => json(call('GET', `/history?${new URLSearchParams(filter)}`)),
    findRun: (id, actor) => json(call('GET', `/history/${id}?${new URLSearchParams({ actor })}`)),
    async clearRuns(actor) {
      await call('DELETE', `/history?${new URLSearchParams({ actor })}`);
    },
  };
}
