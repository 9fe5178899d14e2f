/** The body of `POST /pg/run`: SQL, and how to run it. */
import { z } from 'zod';
import { failure } from '../errors.ts';

const MAX_SQL_CHARACTERS = 10_000_000;
const MAX_PARAMETERS = 65_535;
const MAX_ROWS = 10_000;
const DEFAULT_ROWS = 1000;
const MAX_TIMEOUT_MS = 3_600_000;
const DEFAULT_TIMEOUT_MS = 30_000;

/** Text that PostgreSQL can store. */
export const sqlText = (maxCharacters: number) =>
  z
    .string()
    .max(maxCharacters)
    .regex(/^[^\0]*$/, 'must not contain a zero byte');

/** Values of `$1`, `$2` …, as PostgreSQL's texts. */
export const sqlParameters = z
  .array(z.union([sqlText(Number.POSITIVE_INFINITY), z.null()]))
  .max(MAX_PARAMETERS)
  .default([]);

const runRequest = z.strictObject({
  /** One or more statements. With parameters: one. */
  sql: sqlText(MAX_SQL_CHARACTERS),
  parameters: sqlParameters,
  /** Role of the statements. Default: `postgres`. */
  role: sqlText(63).min(1).optional(),
  /** Claims of a token, as the statements of a request see them. */
  claims: z.record(z.string(), z.unknown()).optional(),
  /** Fails statements that write. Protects from mistakes only: SQL may change the setting. */
  read_only: z.boolean().default(false),
  /** `each` commits each statement, `all` all or none of them, `rollback` none. */
  commit: z.enum(['each', 'all', 'rollback']).default('each'),
  timeout_ms: z.int().min(1).max(MAX_TIMEOUT_MS).default(DEFAULT_TIMEOUT_MS),
  /** Maximum number of rows of each result. */
  max_rows: z.int().min(0).max(MAX_ROWS).default(DEFAULT_ROWS),
  /** Names the run for `POST /pg/cancel`. */
  id: z.uuid().optional(),
});

/** SQL, and how to run it. */
export type RunRequest = z.output<typeof runRequest>;

/** Validates a body. Throws an error of the catalogue. */
export function parseRunRequest(body: unknown): RunRequest {
  return parseBody(runRequest, body);
}

/** Validates a body. Throws an error of the catalogue that names the first wrong field. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(body);
  if (error === undefined) return data;
  const { path = [], message = '' } = error.issues[0] ?? {};
  const field = path.length > 0 ? `${path.join('.')}: ` : '';
  throw failure('invalid_request', { message: `The body of the request is not valid. ${field}${message}` });
}
