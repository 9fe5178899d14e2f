/** The errors of the service. */
import { type CatalogueEntry, defineErrors } from '@greenroom/errors';

/** The catalogue: code → status and text. docs/reference/meta.md explains each code. */
export const metaErrors = {
  service_key_required: { status: 403, message: 'This request needs the secret key or the service_role key' },
  address_not_allowed: {
    status: 403,
    message: 'This address may not use /pg. Add it to GREENROOM_META_ALLOWED_ADDRESSES.',
  },
  invalid_request: { status: 400, message: 'The request is not valid' },
  schema_changes_not_allowed: {
    status: 403,
    message: 'Schemas cannot be changed here. GREENROOM_ADMIN_SCHEMA_CHANGES allows it.',
  },
  statement_not_possible: { status: 400, message: 'A statement is not possible in a migration' },
  definition_changed: { status: 409, message: 'The definition has changed' },
  project_busy: { status: 409, message: 'Another process applies migrations' },
  project_out_of_step: {
    status: 409,
    message: 'The files and the history of the project do not fit together',
  },
  sql_error: { status: 400, message: 'The statement failed' },
  statement_cancelled: { status: 409, message: 'The request was cancelled' },
  statement_not_found: { status: 404, message: 'No running statement has this id' },
  id_in_use: { status: 409, message: 'A running statement has this id' },
  result_too_large: { status: 413, message: 'The result is too large' },
  audit_entry_not_found: { status: 404, message: 'No entry of the audit log has this id' },
  query_not_found: { status: 404, message: 'No saved query has this id' },
  query_changed: { status: 409, message: 'The saved query has changed meanwhile' },
  too_many_queries: { status: 409, message: 'There are too many saved queries. Delete some of them.' },
  run_not_found: { status: 404, message: 'No run has this id' },
  too_many_requests: { status: 429, message: 'Too many statements are running' },
  database_unavailable: { status: 503, message: 'The database is not available' },
} as const satisfies Record<string, CatalogueEntry>;

/** Creates an error of the catalogue. */
export const failure = defineErrors(metaErrors);
