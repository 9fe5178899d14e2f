/** The log on the server: its lines, its changes, and the stream of new lines. */
import { data } from 'react-router';
import { type MaybePromise, resolveWithin } from '../../../lib/maybe-promise.ts';
import { type AuditRecord, MetaError } from '../../../session/meta-client.server.ts';
import { type OperatorClient, OperatorError } from '../../../session/operator-client.server.ts';
import type { VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { type Admin, asAdmin, asAdminResource, resourceJson } from '../shared/as-admin.server.ts';
import { whileAdmin } from '../shared/while-admin.server.ts';
import type { LogPage } from './log-lines.ts';
import {
  type ChangeSelection,
  lineQuery,
  readChangeSelection,
  readLineSelection,
  selectsChanges,
} from './selection.ts';

type Args = VisitorArgs & { url: URL };

/** The reason why a list could not be loaded. */
export interface ListProblem {
  problem: string;
}

/** Changes of administrators, newest first. */
export interface ChangePage {
  changes: AuditRecord[];
  /** Id before which there are older ones; null at the end. */
  next: string | null;
}

/** Data of the page. */
type LogsView =
  | { kind: 'lines'; page: MaybePromise<LogPage | ListProblem> }
  | { kind: 'changes'; page: MaybePromise<ChangePage | ListProblem> }
  /** The backend is hosted elsewhere. */
  | { kind: 'hosted' };

const LINES_PER_PAGE = 200;
const CHANGES_PER_PAGE = 50;

/** Loads lines or changes. */
export function loadLogs(args: Args) {
  const search = args.url.searchParams;
  return asAdmin(args, async ({ operator, meta }) => {
    if (operator === undefined) return view({ kind: 'hosted' });
    if (!selectsChanges(search)) {
      const { value: page } = await resolveWithin(orProblem(searchLines(operator, search)));
      return view({ kind: 'lines', page });
    }
    if (meta === undefined) return view({ kind: 'hosted' });
    const { value: page } = await resolveWithin(orProblem(listChanges(meta, readChangeSelection(search))));
    return view({ kind: 'changes', page });
  });
}

/** Responds with a page of lines as JSON. */
export function readLines(args: Args): Promise<Response> {
  return withOperator(args, async (operator) =>
    resourceJson(await searchLines(operator, args.url.searchParams)),
  );
}

/** Streams new lines while the visitor is an administrator. */
export function followLines(args: Args): Promise<Response> {
  const { before: _, from: __, to: ___, ...query } = lineQuery(readLineSelection(args.url.searchParams), 0);
  return withOperator(args, async (operator) => {
    const controller = new AbortController();
    const lines = await operator.stream('/logs/tail', { query, signal: controller.signal });
    return new Response(
      whileAdmin(args, lines, () => controller.abort()),
      {
        headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
      },
    );
  });
}

/** Responds with the client of the instance; a request that the instance refuses has its status, code and message. */
function withOperator(
  args: Args,
  respond: (operator: OperatorClient) => Promise<Response>,
): Promise<Response> {
  return asAdminResource(args, async ({ operator }) => {
    if (operator === undefined)
      return resourceJson({ code: 'hosted', message: 'The backend is hosted elsewhere.' }, 404);
    return respond(operator).catch((error: unknown) => {
      if (!(error instanceof OperatorError)) throw error;
      const { status, code, message } = error;
      return resourceJson({ code, message }, status);
    });
  });
}

function searchLines(operator: OperatorClient, search: URLSearchParams): Promise<LogPage> {
  const query = lineQuery(readLineSelection(search), Date.now());
  return operator.get<LogPage>('/logs', { ...query, limit: String(LINES_PER_PAGE) });
}

async function listChanges(
  meta: NonNullable<Admin['meta']>,
  selection: ChangeSelection,
): Promise<ChangePage> {
  const filter = Object.entries(selection).filter(([, value]) => value !== '');
  // One more than is shown, to find out whether there are older ones.
  const limit = String(CHANGES_PER_PAGE + 1);
  const found = await meta.listAudit({ ...Object.fromEntries(filter), limit });
  const changes = found.slice(0, CHANGES_PER_PAGE);
  return { changes, next: found.length > CHANGES_PER_PAGE ? (changes.at(-1)?.id ?? null) : null };
}

async function orProblem<T>(result: Promise<T>): Promise<T | ListProblem> {
  return result.catch((error: unknown) => {
    if (error instanceof OperatorError || error instanceof MetaError) return { problem: error.message };
    throw error;
  });
}

function view(value: LogsView) {
  return data(value);
}
