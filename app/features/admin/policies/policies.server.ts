/** The policies on the server: the data of each part of the page, and its forms. */

import { PLATFORM_SCHEMAS } from '@greenroom/project/platform-schemas';
import { data } from 'react-router';
import { resolveWithin } from '../../../lib/maybe-promise.ts';
import { type MetaClient, MetaError } from '../../../session/meta-client.server.ts';
import { refused } from '../../../session/page-errors.ts';
import { languageContext } from '../../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { policiesTexts } from '../../../texts/admin-policies.ts';
import { policyWordsTexts } from '../../../texts/admin-policies-words.ts';
import { asAdmin } from '../shared/as-admin.server.ts';
import { loadColumns, loadRoles, loadTable, loadTables } from './access/catalog.server.ts';
import { type MatrixList, matrixRowOf } from './access/matrix.ts';
import type { TableDetail } from './access/table-detail.ts';
import { wordsOf } from './access/words.ts';
import { type FindingList, loadFindings, loadFix } from './advisors/advisors.server.ts';
import { runFix } from './advisors/run-fix.server.ts';
import { dropPolicy, savePolicy, switchRls } from './edit/changes.server.ts';
import { readSelection, type Selection } from './selection.ts';
import { loadTryData, runTrial } from './try/try-form.server.ts';
import type { PoliciesResult, PoliciesView } from './view.ts';

/** The matrix is the content of the page; it takes longer only on a busy machine. */
const MATRIX_MS = 1000;

type Args = VisitorArgs & { url: URL };

/** Loads the selected part of the page. */
export function loadPolicies(args: Args) {
  return asAdmin(args, async ({ meta }) => {
    if (meta === undefined) return view({ kind: 'no-database' });
    const selection = readSelection(args.url.searchParams);
    try {
      if (selection.view === 'advisors') return view(await loadAdvisors(args, meta, selection));
      if (selection.table !== '') return await loadDetail(args, meta, selection);
      const { value: list } = await resolveWithin(loadMatrix(args, meta), MATRIX_MS);
      return view({ kind: 'matrix', list });
    } catch (error) {
      if (error instanceof MetaError) return view({ kind: 'unavailable' }, 503);
      throw error;
    }
  });
}

/** Runs a form of the page. */
export function changePolicies(args: Args) {
  return asAdmin(args, async (admin) => {
    const { meta } = admin;
    if (meta === undefined) throw refused({ status: 400, code: 'unclearForm' });
    const form = await args.request.formData();
    const selection = readSelection(args.url.searchParams);
    const work = { admin: { ...admin, meta }, selection, form };
    const changes: Record<string, () => Promise<Response | PoliciesResult>> = {
      'save-policy': () => savePolicy(work),
      'drop-policy': () => dropPolicy(work),
      rls: () => switchRls(work),
      fix: () => runFix(work),
      try: () => runTrial(work),
    };
    const change = changes[String(form.get('intent'))];
    if (change === undefined) throw refused({ status: 400, code: 'unclearForm' });
    const result = await change();
    if (result instanceof Response) return result;
    return data(result, { status: statusOf(result) });
  });
}

function statusOf({ kind }: PoliciesResult): number {
  if (kind === 'tried') return 200;
  return kind === 'conflict' || kind === 'fix-gone' ? 409 : 400;
}

/** Never rejects. */
async function loadMatrix({ context }: Args, meta: MetaClient): Promise<MatrixList> {
  try {
    const [roles, tables] = await Promise.all([loadRoles(meta), loadTables(meta)]);
    const rows = tables.map((table) => matrixRowOf(table, roles));
    return { kind: 'matrix', roles, rows, platformSchemas: [...PLATFORM_SCHEMAS] };
  } catch {
    return { kind: 'problem', text: policiesTexts[context.get(languageContext)].tryAgain };
  }
}

async function loadDetail(args: Args, meta: MetaClient, selection: Selection) {
  const name = { schema: selection.schema, name: selection.table };
  const [roles, table, columns, status, trying] = await Promise.all([
    loadRoles(meta),
    loadTable(meta, name),
    loadColumns(meta, name),
    meta.status(),
    selection.tab === 'try' ? loadTryData(meta, selection) : undefined,
  ]);
  if (table === undefined) return view({ kind: 'gone' }, 404);
  const texts = policyWordsTexts[args.context.get(languageContext)];
  const words = roles.map((_, role) => wordsOf(table, roles, role, texts));
  const detail: TableDetail = { table, columns, roles, words };
  return view({ kind: 'table', detail, refusal: status.schema_changes_refusal, trying });
}

async function loadAdvisors(args: Args, meta: MetaClient, { fix: key }: Selection): Promise<PoliciesView> {
  const [list, fix, status] = await Promise.all([
    resolveWithin(listFindings(args, meta)),
    key === '' ? undefined : loadFix(meta, key).then((found) => found ?? ('gone' as const)),
    meta.status(),
  ]);
  return { kind: 'advisors', list: list.value, fix, refusal: status.schema_changes_refusal };
}

/** Never rejects. */
async function listFindings({ context }: Args, meta: MetaClient): Promise<FindingList> {
  try {
    return { kind: 'findings', findings: await loadFindings(meta) };
  } catch {
    return { kind: 'problem', text: policiesTexts[context.get(languageContext)].tryAgain };
  }
}

function view(value: PoliciesView, status = 200) {
  return data(value, { status });
}
