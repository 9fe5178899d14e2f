/** The SQL page on the server: its loader, and the form for pages without scripts. */
import { randomUUID } from 'node:crypto';
import { isPublicUrl } from '@greenroom/config/public-url';
import { data } from 'react-router';
import { MetaError } from '../../../session/meta-client.server.ts';
import { visitContext } from '../../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { type Admin, asAdmin } from '../shared/as-admin.server.ts';
import type { RunEnding } from './run/run-answer.ts';
import { parseRunForm } from './run/run-form.ts';
import { startRun } from './run/runs.server.ts';
import type { FormRun, SqlView } from './sql-view.ts';

/** Time that a page without scripts waits for its results. Later ones are in the history. */
const FORM_WAIT_MS = 30_000;

/** Loads the page. */
export function loadSql(args: VisitorArgs) {
  return asAdmin(args, async (admin) => data(await viewOf(args, admin, null)));
}

/** Runs the SQL of the form. */
export function runSqlForm(args: VisitorArgs) {
  return asAdmin(args, async (admin) => {
    const form = await args.request.formData();
    const sql = String(form.get('sql') ?? '');
    const parsed = parseRunForm(form);
    if (typeof parsed === 'string')
      return data(await viewOf(args, admin, { sql, ending: null, problem: parsed }), { status: 400 });
    const { actor, meta } = admin;
    if (meta === undefined) return data(await viewOf(args, admin, null));
    const answer = await startRun({ actor, meta }, parsed, FORM_WAIT_MS).catch(refusalOf);
    const ending: RunEnding =
      answer.state === 'finished' ? answer.ending : { kind: 'refused', code: answer.state, message: '' };
    return data(await viewOf(args, admin, { sql, ending, problem: null }));
  });
}

async function viewOf(
  { context }: VisitorArgs,
  { actor, meta }: Admin,
  ran: FormRun | null,
): Promise<SqlView> {
  if (meta === undefined) return { kind: 'hosted' };
  const { schema_changes_refusal: refusal, writes_migrations: hasProject } = await meta.status();
  return {
    kind: 'sql',
    userId: actor.actor_id,
    isReadOnly: isPublicUrl(context.get(visitContext).origin),
    refusal,
    canWriteMigrations: hasProject && refusal === null,
    runId: randomUUID(),
    ran,
  };
}

function refusalOf(error: unknown) {
  if (!(error instanceof MetaError)) throw error;
  const { code, message } = error;
  return { state: 'finished', ending: { kind: 'refused', code, message } } as const;
}
