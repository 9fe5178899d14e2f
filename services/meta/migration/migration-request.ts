/** The body of `POST /pg/migrations`. */
import { z } from 'zod';
import { parseBody, sqlParameters, sqlText } from '../run/run-request.ts';

const MAX_SQL_CHARACTERS = 1_000_000;
/** A file name has at most 255 bytes, with the version in front. */
const MAX_NAME_CHARACTERS = 100;
const NAME = /^\w[\w .-]*$/;
const MAX_TIMEOUT_MS = 3_600_000;
const DEFAULT_TIMEOUT_MS = 60_000;

const migrationRequest = z.strictObject({
  /** Part of the name of the file. */
  name: z
    .string()
    .max(MAX_NAME_CHARACTERS)
    .regex(NAME, 'use letters, digits, spaces and _, and begin with a letter or a digit'),
  sql: sqlText(MAX_SQL_CHARACTERS),
  /** The migration runs only if the first value of this query is `value`. */
  guard: z
    .strictObject({ sql: sqlText(MAX_SQL_CHARACTERS), parameters: sqlParameters, value: z.string() })
    .optional(),
  /** Names the migration for `POST /pg/cancel`. */
  id: z.uuid().optional(),
  /** Time limit of each statement. */
  timeout_ms: z.int().min(1).max(MAX_TIMEOUT_MS).default(DEFAULT_TIMEOUT_MS),
});

/** A migration to run. */
export type MigrationRequest = z.output<typeof migrationRequest>;

/** Validates a body. Throws an error of the catalogue. */
export function parseMigrationRequest(body: unknown): MigrationRequest {
  return parseBody(migrationRequest, body);
}
