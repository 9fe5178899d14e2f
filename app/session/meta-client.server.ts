/** Client of the service that runs SQL as the owner of the database, and keeps the audit log. For the admin area only. */

import { createQueryClient, type QueryClient } from './meta-queries.server.ts';

/** How to run SQL. See docs/reference/meta.md. */
interface RunOptions {
  /** Values of `$1`, `$2` …; then the SQL is one statement. */
  parameters?: readonly (string | null)[];
  /** Default: `postgres`. */
  role?: string;
  claims?: Record<string, unknown>;
  isReadOnly?: boolean;
  /** Default: `each`. */
  commit?: 'each' | 'all' | 'rollback';
  timeoutMs?: number;
  maxRows?: number;
  /** Names the run for {@link MetaClient.cancel}. */
  id?: string;
  signal?: AbortSignal;
}

/** A column of a result. */
interface ResultColumn {
  name: string;
  /** As `format_type` writes it. */
  type: string;
  type_oid: number;
  /** OID of the table, and number of the column in it; null for an expression. */
  table: number | null;
  column: number | null;
}

/** The result of one statement. Values are PostgreSQL's texts. */
export interface StatementResult {
  command: string;
  row_count: number | null;
  columns: readonly ResultColumn[] | null;
  rows: readonly (readonly (string | null)[])[];
  is_truncated: boolean;
  duration_ms: number;
}

/** An error of PostgreSQL. `offset` is that in the SQL. */
export interface SqlProblem {
  code: string;
  message: string;
  detail?: string;
  hint?: string;
  where?: string;
  offset: number | null;
  statement: number;
  schema?: string;
  table?: string;
  column?: string;
  constraint?: string;
}

/** The result of SQL. `error` is null if all statements succeeded. */
export interface RunResult {
  results: readonly StatementResult[];
  notices: readonly { severity: string; message: string }[];
  error: SqlProblem | null;
  is_committed: boolean;
  duration_ms: number;
}

/** A change to record. See docs/reference/meta.md. */
export interface AuditEntry {
  actor_id: string;
  actor_email: string | null;
  actor_address: string | null;
  request_id: string | null;
  /** Noun and verb: `user.ban`. */
  action: string;
  target: string;
  summary: string;
  before?: unknown;
  after?: unknown;
  undo_sql?: string | null;
}

/** The outcome of a recorded change. */
interface AuditOutcome {
  outcome?: 'done' | 'failed';
  error?: string | null;
  after?: unknown;
  undo_sql?: string | null;
  undone_by?: string;
}

/** A recorded change. Times are in RFC 3339. */
export interface AuditRecord extends AuditEntry {
  id: string;
  created_at: string;
  outcome: 'started' | 'done' | 'failed';
  error: string | null;
  finished_at: string | null;
  undone_by: string | null;
}

/** What the admin area may do. */
export interface MetaStatus {
  /** Whether schemas, policies and settings may be changed. */
  schema_changes: boolean;
  schema_changes_refusal: 'setting' | 'public_url' | 'read_only_folder' | null;
  /** Whether such changes have migration files. */
  writes_migrations: boolean;
}

/** A migration to run. */
interface NewMigration {
  name: string;
  sql: string;
  /** Names the migration for {@link MetaClient.cancel}. */
  id?: string;
  timeoutMs?: number;
  /** The migration runs only if the first value of this query is `value`. */
  guard?: { sql: string; parameters: readonly (string | null)[]; value: string };
}

/** A migration that ran. Version and path are null if no project is open. */
interface RanMigration {
  version: string | null;
  /** Relative to the folder of the project. */
  path: string | null;
  notices: readonly { severity: string; message: string }[];
}

/** A list of the service. See docs/reference/meta.md. */
type ListingKind =
  | 'schemas'
  | 'tables'
  | 'columns'
  | 'policies'
  | 'functions'
  | 'triggers'
  | 'types'
  | 'indexes'
  | 'extensions'
  | 'publications'
  | 'roles';

/** A problem of one object that the advisors found. See docs/check-a-database.md. */
export interface AdvisorFinding {
  /** Name of the lint. */
  name: string;
  title: string;
  level: 'INFO' | 'WARN' | 'ERROR';
  categories: readonly string[];
  description: string;
  detail: string;
  remediation: string;
  /** The object, with `schema`, `name` and `type` for most lints. */
  metadata: Readonly<Record<string, unknown>>;
  /** The same for the same problem at each time. */
  cache_key: string;
}

/** The service refused a request, or did not respond. */
export class MetaError extends Error {
  override readonly name = 'MetaError';
  /** HTTP status; 503 without a response. */
  readonly status: number;
  readonly code: string;
  /** Further fields of the response, e.g. `detail` and `hint` of PostgreSQL. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, fields: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** All methods reject with {@link MetaError}. */
export interface MetaClient {
  run(sql: string, options?: RunOptions): Promise<RunResult>;
  /** Returns the rows of one statement as objects. Rejects with {@link MetaError} for an error of PostgreSQL, too. */
  rows<Row>(sql: string, parameters?: readonly (string | null)[]): Promise<Row[]>;
  /** Returns whether a run with this id was cancelled. */
  cancel(id: string): Promise<boolean>;
  /** Streams the rows of a query as CSV. */
  export(
    sql: string,
    options?: Pick<RunOptions, 'parameters' | 'role' | 'claims' | 'id' | 'signal'>,
  ): Promise<ReadableStream<Uint8Array>>;
  status(): Promise<MetaStatus>;
  /** Changes the schema, with a migration file if a project is open. */
  migrate(migration: NewMigration): Promise<RanMigration>;
  /** Returns a page of objects with fields of postgres-meta. @param filter parameters of the URL */
  list<Row>(kind: ListingKind, filter?: Record<string, string>): Promise<Row[]>;
  /** Returns the findings of all advisors. */
  advisors(): Promise<AdvisorFinding[]>;
  /** Returns the id of the entry. */
  addAudit(entry: AuditEntry): Promise<string>;
  completeAudit(id: string, outcome: AuditOutcome): Promise<void>;
  listAudit(filter?: Record<string, string>): Promise<AuditRecord[]>;
  /** Saved queries, and the history of the SQL page. */
  queries: QueryClient;
}

interface Connection {
  /** URL of the service. */
  url: string;
  key: string;
  fetch: typeof fetch;
}

/** Creates a client. */
export function createMetaClient({ url, key, fetch }: Connection): MetaClient {
  async function call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    const headers = { apikey: key, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const init = {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    };
    const response = await fetch(url + path, init).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw new MetaError(503, 'unreachable', 'The database is not available.');
    });
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  return {
    queries: createQueryClient(call),
    async run(sql, { parameters, isReadOnly, timeoutMs, maxRows, signal, ...rest } = {}) {
      const body = {
        ...rest,
        sql,
        ...(parameters && { parameters }),
        ...(isReadOnly && { read_only: true }),
        ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
        ...(maxRows !== undefined && { max_rows: maxRows }),
      };
      return (await (await call('POST', '/run', body, signal)).json()) as RunResult;
    },
    async rows<Row>(sql: string, parameters: readonly (string | null)[] = []) {
      return (await (await call('POST', '/query', { query: sql, parameters })).json()) as Row[];
    },
    async cancel(id) {
      return call('POST', '/cancel', { id }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof MetaError && error.status === 404) return false;
          throw error;
        },
      );
    },
    async export(sql, { signal, ...options } = {}) {
      const { body } = await call('POST', '/export', { sql, ...options }, signal);
      if (body === null) throw new MetaError(503, 'unreachable', 'The response is empty.');
      return body;
    },
    async status() {
      return (await (await call('GET', '/status')).json()) as MetaStatus;
    },
    async migrate({ timeoutMs, ...migration }) {
      const body = { ...migration, ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }) };
      return (await (await call('POST', '/migrations', body)).json()) as RanMigration;
    },
    async list<Row>(kind: ListingKind, filter: Record<string, string> = {}) {
      return (await (await call('GET', `/${kind}?${new URLSearchParams(filter)}`)).json()) as Row[];
    },
    async advisors() {
      return (await (await call('GET', '/advisors')).json()) as AdvisorFinding[];
    },
    async addAudit(entry) {
      return ((await (await call('POST', '/audit', entry)).json()) as { id: string }).id;
    },
    async completeAudit(id, outcome) {
      await call('PATCH', `/audit/${id}`, outcome);
    },
    async listAudit(filter = {}) {
      const query = new URLSearchParams(filter);
      return (await (await call('GET', `/audit?${query}`)).json()) as AuditRecord[];
    },
  };
}

async function errorOf(response: Response): Promise<MetaError> {
  const body = (await response.json().catch(() => ({}))) as { code?: string; message?: string };
  const { code = 'unknown', message = `Status ${response.status}`, ...fields } = body;
  return new MetaError(response.status, code, message, fields);
}
