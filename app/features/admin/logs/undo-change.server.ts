/** Undoes a recorded change with its SQL. */
import { redirect } from 'react-router';
import { type MetaClient, MetaError } from '../../../session/meta-client.server.ts';
import { refused } from '../../../session/page-errors.ts';
import type { VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { type Admin, asAdmin, audited } from '../shared/as-admin.server.ts';
import { migrationNameOf } from '../shared/change-schema.server.ts';
import { changesPath, readChangeSelection } from './selection.ts';

/** The reason why a change was not undone. */
export interface NotUndone {
  kind: 'not-undone';
  reason: 'gone' | 'not-possible' | 'schema' | 'failed';
  /** Message of PostgreSQL. */
  detail?: string;
}

const ENTRY_ID = /^\d{1,18}$/;
/** Changes of rows and users; all others are changes of the schema, policies or settings. */
const ROW_ACTION = /^(?:row|user)\./;

/** Undoes the change that the form names, and records that. */
export function undoChange(args: VisitorArgs & { url: URL }) {
  return asAdmin(args, async (admin) => {
    const form = await args.request.formData();
    const id = String(form.get('id'));
    if (form.get('intent') !== 'undo' || !ENTRY_ID.test(id))
      throw refused({ status: 400, code: 'unclearForm' });
    const problem = await undo(admin, id);
    return problem ?? redirect(changesPath(readChangeSelection(args.url.searchParams)));
  });
}

async function undo(admin: Admin, id: string): Promise<NotUndone | undefined> {
  const { meta } = admin;
  if (meta === undefined) return { kind: 'not-undone', reason: 'not-possible' };
  const [entry] = await meta.listAudit({ before: String(BigInt(id) + 1n), limit: '1' });
  if (entry?.id !== id) return { kind: 'not-undone', reason: 'gone' };
  const { undo_sql: sql, outcome, undone_by: undoneBy } = entry;
  if (!sql || outcome !== 'done' || undoneBy !== null) return { kind: 'not-undone', reason: 'not-possible' };
  const isOfRows = ROW_ACTION.test(entry.action);
  if (!isOfRows && !(await meta.status()).schema_changes) return { kind: 'not-undone', reason: 'schema' };
  const undoing = {
    action: 'change.undo',
    target: entry.target,
    summary: `Undid: ${entry.summary}`,
    before: entry.after,
    after: entry.before,
  };
  try {
    await audited(admin, undoing, async (undoId) => {
      if (isOfRows) await runAll(meta, sql);
      else await meta.migrate({ name: migrationNameOf(undoing.summary), sql });
      if (undoId !== undefined) await meta.completeAudit(id, { undone_by: undoId });
      return undefined;
    });
    return undefined;
  } catch (error) {
    if (error instanceof MetaError) return { kind: 'not-undone', reason: 'failed', detail: error.message };
    throw error;
  }
}

async function runAll(meta: MetaClient, sql: string): Promise<void> {
  const { error } = await meta.run(sql, { commit: 'all' });
  if (error !== null) throw new MetaError(400, error.code, error.message);
}
