/** The structure of tables on the server: the page, and the changes that its forms make. */
import { data, redirect } from 'react-router';
import { type MetaClient, MetaError } from '../../../session/meta-client.server.ts';
import { refused } from '../../../session/page-errors.ts';
import type { VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { type Admin, asAdmin, audited } from '../shared/as-admin.server.ts';
import { hashQuery } from './definition-query.ts';
import { differencesBetween } from './differences.ts';
import { formOf, isTableForm } from './forms.ts';
import { type LoadedStructure, loadSelected } from './load-structure.server.ts';
import { readStructureSelection, type StructureSelection, structurePath } from './selection.ts';
import { type SchemaPlan, sqlOf } from './sql/plan.ts';
import { type FormValues, readFormValues, textOf } from './sql/values.ts';
import type { FormProblem, OpenForm, StructureView } from './view.ts';

type Args = VisitorArgs & { url: URL };

/** Loads the page. */
export function loadStructure(args: Args) {
  const selection = readStructureSelection(args.url.searchParams);
  return asAdmin(args, async ({ meta }) => {
    if (meta === undefined) return view({ kind: 'hosted' });
    const loaded = await load(meta, selection);
    if (loaded === undefined) return view({ kind: 'unavailable' }, 503);
    const isMissing = selection.table !== '' && loaded.view.table === undefined;
    return view(loaded.view, isMissing ? 404 : 200);
  });
}

/** Runs the form of the URL, and redirects to the page. */
export function changeStructure(args: Args) {
  const selection = readStructureSelection(args.url.searchParams);
  return asAdmin(args, async (admin) => {
    const { meta } = admin;
    if (meta === undefined) return view({ kind: 'hosted' });
    const values = readFormValues(await args.request.formData());
    const loaded = await load(meta, selection);
    if (loaded === undefined) return view({ kind: 'unavailable' }, 503);
    const { open } = loaded.view;
    if (open === undefined) throw refused({ status: 400, code: 'unclearForm' });
    const plan = formOf(open.form).plan(values, loaded.context);
    const problem =
      findProblem(plan, values, open) ?? (await run(admin, { selection, values, plan, loaded, open }));
    if (problem instanceof Response) return problem;
    return view(withProblem(loaded, open, values, problem), problem.kind === 'conflict' ? 409 : 400);
  });
}

/** Returns undefined if the database is not available. */
async function load(meta: MetaClient, selection: StructureSelection): Promise<LoadedStructure | undefined> {
  return loadSelected(meta, selection).catch((error: unknown) => {
    if (error instanceof MetaError) return undefined;
    throw error;
  });
}

function findProblem(plan: SchemaPlan, values: FormValues, open: OpenForm): FormProblem | undefined {
  if (plan.missing.length > 0) return { kind: 'missing', fields: plan.missing };
  if (plan.statements.length === 0) return { kind: 'no-change' };
  if (textOf(values, 'hash') !== open.hash) return conflictWith(values, open);
  if (formOf(open.form).asksForName && textOf(values, 'confirmation') !== nameToType(open, values))
    return { kind: 'name' };
  // The administrator must have seen the statements that run.
  if (textOf(values, 'shown') !== sqlOf(plan)) return { kind: 'check-sql' };
  return undefined;
}

function conflictWith(values: FormValues, { basis }: OpenForm): FormProblem {
  const former = (values.basis?.[0] ?? '').split('\n');
  return { kind: 'conflict', differences: differencesBetween(former, basis.split('\n')) };
}

function nameToType({ form, object }: OpenForm, values: FormValues): string {
  return form === 'table.drop' ? textOf(values, 'table') : object;
}

interface Run {
  selection: StructureSelection;
  values: FormValues;
  plan: SchemaPlan;
  loaded: LoadedStructure;
  open: OpenForm;
}

/** Returns a redirect, or the reason why nothing changed. */
async function run(admin: Admin, run: Run): Promise<FormProblem | Response> {
  const { meta } = admin;
  const { selection, values, plan, loaded, open } = run;
  if (meta === undefined) throw new TypeError('Schemas are changed by the local backend only.');
  const { basis } = formOf(open.form);
  const sql = sqlOf(plan);
  const name = textOf(values, 'migration') || plan.name;
  const entry = {
    action: open.form,
    target: targetOf(selection, values),
    summary: plan.title.slice(0, 1000),
    before: definitionOf(loaded, open),
    after: { sql },
  };
  try {
    const { ran } = await audited(admin, entry, async () => ({
      ran: await meta.migrate({ name, sql, ...(basis && { guard: guardOf(selection, open.hash) }) }),
      ...(plan.undo && plan.undo.length > 0 && { undo_sql: plan.undo.join('\n') }),
    }));
    return redirect(structurePath(nextSelection(selection, values), { done: ran.path ?? '1' }));
  } catch (error) {
    if (error instanceof MetaError) return problemOf(error, values, open, meta, selection);
    throw error;
  }
}

/** Another administrator may change the definition between the check and the migration. */
function guardOf({ schema, table, change, object }: StructureSelection, hash: string) {
  const basis = change === '' ? undefined : formOf(change).basis;
  const kind = basis ?? 'table';
  return { ...hashQuery(kind, schema, kind === 'table' ? table : object), value: hash };
}

function targetOf({ schema, table, change, object }: StructureSelection, values: FormValues): string {
  const name = object || textOf(values, 'name');
  if (change === 'schema.create') return name;
  if (change.startsWith('extension') || change === 'publication.create' || change === 'publication.drop')
    return name;
  return change !== '' && isTableForm(change) ? `${schema}.${table}` : `${schema}.${name}`;
}

function definitionOf({ context }: LoadedStructure, { form, object, routine }: OpenForm): unknown {
  const { basis } = formOf(form);
  if (basis === 'table') return context.table;
  if (basis === 'function') return routine;
  if (basis === 'enum') return context.objects.enums.find(({ name }) => name === object);
  if (basis === 'publication') return context.objects.publications.find(({ name }) => name === object);
  return undefined;
}

/** Returns the selection of the page after a change. */
function nextSelection(
  { schema, table, change }: StructureSelection,
  values: FormValues,
): Partial<StructureSelection> {
  if (change === 'table.drop') return { schema };
  if (change === 'table.create') return { schema, table: textOf(values, 'name') };
  if (change === 'schema.create') return { schema: textOf(values, 'name') };
  if (change === 'table.alter')
    return { schema: textOf(values, 'schema') || schema, table: textOf(values, 'name') };
  return { schema, table };
}

async function problemOf(
  error: MetaError,
  values: FormValues,
  open: OpenForm,
  meta: MetaClient,
  selection: StructureSelection,
): Promise<FormProblem> {
  if (error.code === 'definition_changed') {
    const now = await load(meta, selection);
    return conflictWith(values, now?.view.open ?? open);
  }
  const {
    detail = '',
    hint = '',
    offset = null,
  } = error.fields as { detail?: string; hint?: string; offset?: number };
  return { kind: 'refused', message: error.message, detail, hint, offset };
}

/** The hash stays that of the submitted form, so that a conflict remains one until the form is opened again. */
function withProblem(
  { view: shown }: LoadedStructure,
  open: OpenForm,
  values: FormValues,
  problem: FormProblem,
): StructureView {
  const isConflict = problem.kind === 'conflict';
  return {
    ...shown,
    open: {
      ...open,
      ...(isConflict && { hash: textOf(values, 'hash'), basis: values.basis?.[0] ?? '' }),
      values,
      migrationName: textOf(values, 'migration'),
      problem,
    },
  };
}

function view(value: StructureView, status = 200) {
  return data(value, { status });
}
