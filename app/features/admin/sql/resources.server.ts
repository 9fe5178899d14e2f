/** The routes below `/admin/sql` that the scripts of the page call. They answer in JSON, the export in CSV. */
import { splitStatements } from '@greenroom/project/sql/split';
import { MetaError } from '../../../session/meta-client.server.ts';
import type { SavedQuery } from '../../../session/meta-queries.server.ts';
import type { VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { asAdminResource, audited, resourceJson } from '../shared/as-admin.server.ts';
import { loadSchema } from './editor/schema.server.ts';
import { parseRunForm } from './run/run-form.ts';
import { findRun, findRunning, isRunningHere, startRun } from './run/runs.server.ts';
import type { SqlAdmin } from './run/sql-admin.server.ts';

type Args = VisitorArgs & { url: URL };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MAX_NAME_CHARACTERS = 200;
const HISTORY_PAGE = 50;

/** Starts a run. */
export function runSql(args: Args): Promise<Response> {
  return respond(args, async (admin) => {
    const form = parseRunForm(await args.request.formData());
    if (typeof form === 'string') throw new MetaError(400, form, 'The form is not valid.');
    return startRun(admin, form);
  });
}

/** Returns the state of a run. */
export function showRun(args: Args): Promise<Response> {
  return respond(args, (admin) => findRun(admin, uuidOf(args.url.searchParams.get('id'))));
}

/** Returns a page of the history, and which of its runs are running. */
export function listRuns(args: Args): Promise<Response> {
  const { searchParams } = args.url;
  return respond(args, async ({ actor, meta }) => {
    const before = searchParams.get('before') ?? '';
    const search = searchParams.get('search') ?? '';
    const [runs, active] = await Promise.all([
      meta.queries.listRuns({
        actor: actor.actor_id,
        limit: String(HISTORY_PAGE),
        ...(before !== '' && { before }),
        ...(search !== '' && { search }),
      }),
      findRunning(meta),
    ]);
    const ids = new Set(active.map(({ id }) => id));
    const isRunning = (id: string) => ids.has(id) || isRunningHere(id);
    return {
      runs: runs.map((run) => ({ ...run, is_running: run.outcome === 'started' && isRunning(run.id) })),
      isLast: runs.length < HISTORY_PAGE,
    };
  });
}

/** Cancels a run, or removes the history. */
export function changeRuns(args: Args): Promise<Response> {
  return respond(args, async (admin) => {
    const { actor, meta } = admin;
    const form = await args.request.formData();
    const intent = form.get('intent');
    if (intent === 'clear') {
      await meta.queries.clearRuns(actor.actor_id);
      return {};
    }
    if (intent !== 'cancel') throw unclear();
    const id = uuidOf(form.get('id'));
    // Refuses runs of other administrators.
    await meta.queries.findRun(id, actor.actor_id);
    return { isCancelled: await meta.cancel(id) };
  });
}

/** Returns the saved queries. */
export function listQueries(args: Args): Promise<Response> {
  return respond(args, async ({ actor, meta }) => ({ queries: await meta.queries.list(actor.actor_id) }));
}

/** Saves, changes or deletes a query. A conflict has the status 409 and the current query. */
export function changeQueries(args: Args): Promise<Response> {
  return respond(args, async (admin) => {
    const form = await args.request.formData();
    const intent = form.get('intent');
    if (intent === 'add') return addQuery(admin, form);
    if (intent === 'change') return changeQuery(admin, form);
    if (intent === 'delete') return deleteQuery(admin, form);
    throw unclear();
  });
}

/** Returns names for completion. */
export function showSchema(args: Args): Promise<Response> {
  return respond(args, ({ meta }) => loadSchema(meta));
}

/** Streams all rows of a statement of the history as CSV. It runs again, read-only, with the role of its run. */
export async function exportRun(args: Args): Promise<Response> {
  return respond(args, async ({ actor, meta }) => {
    const id = uuidOf(args.url.searchParams.get('run'));
    const index = Number(args.url.searchParams.get('statement') ?? '0');
    const { sql, role, claims } = await meta.queries.findRun(id, actor.actor_id);
    const statement = splitStatements(sql).filter(({ text, codeOffset }) => codeOffset < text.length)[index];
    if (statement === undefined) throw unclear();
    const rows = await meta.export(statement.text, {
      signal: args.request.signal,
      ...(role !== 'postgres' && { role }),
      ...(claims && { claims }),
    });
    return new Response(rows, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="rows.csv"',
        'cache-control': 'private, no-store',
      },
    });
  });
}

async function addQuery(admin: SqlAdmin, form: FormData) {
  const values = valuesOf(admin, form);
  const { name, sql, is_shared: isShared } = values;
  const entry = { action: 'query.save', target: name, summary: `Saved the query “${name}”` };
  const { query } = await audited(admin, { ...entry, after: { sql, is_shared: isShared } }, async () =>
    savedBy(await admin.meta.queries.add(values)),
  );
  return { query };
}

async function changeQuery(admin: SqlAdmin, form: FormData) {
  const id = uuidOf(form.get('query'));
  const values = { ...valuesOf(admin, form), version: versionOf(form) };
  const { name } = values;
  const before = await queryOf(admin, id);
  const entry = { action: 'query.change', target: name, summary: `Changed the query “${name}”` };
  const { query } = await audited(admin, { ...entry, before }, async () =>
    savedBy(await admin.meta.queries.change(id, values)),
  );
  return { query };
}

/** The outcome that the audit log records. */
function savedBy(query: SavedQuery) {
  const { name, sql, is_shared } = query;
  return { query, after: { name, sql, is_shared } };
}

async function deleteQuery(admin: SqlAdmin, form: FormData) {
  const id = uuidOf(form.get('query'));
  const before = await queryOf(admin, id);
  const entry = {
    action: 'query.delete',
    target: before?.name ?? id,
    summary: `Deleted the query “${before?.name ?? id}”`,
  };
  await audited(admin, { ...entry, before }, async () => {
    await admin.meta.queries.remove(id, { actor: admin.actor.actor_id, version: versionOf(form) });
    return undefined;
  });
  return {};
}

async function queryOf({ actor, meta }: SqlAdmin, id: string) {
  const found = (await meta.queries.list(actor.actor_id)).find((query) => query.id === id);
  return found && { name: found.name, sql: found.sql, is_shared: found.is_shared };
}

function valuesOf({ actor }: SqlAdmin, form: FormData) {
  const name = String(form.get('name') ?? '').trim();
  if (name === '' || name.length > MAX_NAME_CHARACTERS)
    throw new MetaError(400, 'name', 'The name is not valid.');
  return {
    actor_id: actor.actor_id,
    actor_email: actor.actor_email,
    name,
    sql: String(form.get('sql') ?? ''),
    is_shared: form.get('shared') === 'on',
  };
}

function versionOf(form: FormData): number {
  const version = Number(form.get('version'));
  if (!Number.isSafeInteger(version) || version < 1) throw unclear();
  return version;
}

function uuidOf(value: FormDataEntryValue | null): string {
  if (typeof value !== 'string' || !UUID.test(value)) throw unclear();
  return value;
}

function unclear(): MetaError {
  return new MetaError(400, 'form', 'The form is not valid.');
}

/** Responds with JSON; a request that the backend refuses has its status and fields. */
function respond(args: VisitorArgs, work: (admin: SqlAdmin) => Promise<unknown>): Promise<Response> {
  return asAdminResource(args, async ({ actor, meta }) => {
    if (meta === undefined)
      return resourceJson({ code: 'hosted', message: 'The backend is hosted elsewhere.' }, 404);
    try {
      const value = await work({ actor, meta });
      return value instanceof Response ? value : resourceJson(value);
    } catch (error) {
      if (!(error instanceof MetaError)) throw error;
      const { status, code, message, fields } = error;
      return resourceJson({ ...fields, code, message }, status);
    }
  });
}
