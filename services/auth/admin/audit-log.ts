/** GET /admin/audit: the audit log in pages, newest entries first. */
import type { Statement } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { requireAdmin } from '../session/caller.ts';
import { offsetOf, type Page, pageHeaders, readPage } from './pagination.ts';

/** Search scope → fields of an entry's payload. */
const COLUMNS: Record<string, string[]> = {
  author: ['actor_username', 'actor_name'],
  action: ['action'],
  type: ['log_type'],
};

const MAX_QUERY_LENGTH = 255;

/** A search of the audit log. Without columns, it matches all entries. */
interface Search {
  columns: string[];
  text: string;
}

export async function auditLog(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(context, request);
  const page = readPage(request.query);
  const search = readSearch(request.query.get('query') ?? '');
  const [counted, entries] = await context.database.batch([count(search), select(search, page)]);
  const total = Number(counted?.[0]?.total ?? 0);
  return { status: 200, headers: pageHeaders(request.target, page, total), body: entries };
}

/** Parses `author:<text>`, `action:<text>` or `type:<text>`. */
function readSearch(query: string): Search {
  if (query === '') return { columns: [], text: '' };
  const [scope = '', ...rest] = query.split(':');
  const columns = Object.hasOwn(COLUMNS, scope) ? COLUMNS[scope] : undefined;
  const text = rest.join(':');
  const isSearchable = text !== '' && !text.includes('\0') && query.length <= MAX_QUERY_LENGTH;
  if (columns === undefined || !isSearchable) {
    throw failure('validation_failed', {
      message: `Invalid query scope: ${query.slice(0, MAX_QUERY_LENGTH)}`,
    });
  }
  return { columns, text };
}

const CONDITION = `cardinality($1::text[]) = 0
  or exists (select from unnest($1::text[]) c where e.payload ->> c ilike $2)`;

function count({ columns, text }: Search): Statement {
  return {
    name: 'auth_admin_count_audit',
    text: `select count(*) as total from auth.audit_log_entries e where ${CONDITION}`,
    values: [columns, pattern(text)],
  };
}

function select({ columns, text }: Search, page: Page): Statement {
  return {
    name: 'auth_admin_select_audit',
    text: `select e.id, e.payload, e.created_at, e.ip_address from auth.audit_log_entries e where ${CONDITION}
      order by e.created_at desc, e.id limit $3 offset $4`,
    values: [columns, pattern(text), page.perPage, offsetOf(page)],
  };
}

function pattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
