/** The state of the instance on the server. */
import { type MaybePromise, resolveWithin } from '../../../lib/maybe-promise.ts';
import type { AuditRecord, MetaClient } from '../../../session/meta-client.server.ts';
import type { OperatorClient } from '../../../session/operator-client.server.ts';
import { siteContext } from '../../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../../shell/request/visitor.server.ts';
import type { LogLine, LogPage } from '../logs/log-lines.ts';
import { asAdmin } from '../shared/as-admin.server.ts';
import type { History } from './charts.ts';
import { readSlowStatements, type SlowStatements } from './slow-statements.server.ts';

/** The state of the instance. Parts are undefined if the backend has none, or did not respond. */
export interface Overview {
  kind: 'overview';
  health: Health | undefined;
  range: History['range'];
  history: MaybePromise<History | undefined>;
  /** Newest first. */
  errors: MaybePromise<readonly LogLine[] | undefined>;
  statements: MaybePromise<SlowStatements | undefined>;
  /** Newest first. */
  changes: MaybePromise<readonly AuditRecord[] | undefined>;
}

/** The response of `/health`. */
interface Health {
  status: 'ok' | 'unavailable';
  version: string;
  parts: Readonly<Record<string, 'ok' | 'unavailable'>>;
  /** The continuous backup; undefined without one. */
  backup?: { state: 'starting' | 'ok' | 'behind' | 'failing'; lagSeconds?: number; newestBackup?: string };
}

const RECENT = 6;

/** Loads the state. The range of its charts is in the URL. */
export function loadOverview(args: VisitorArgs & { url: URL }) {
  const range = rangeOf(args.url.searchParams.get('range'));
  return asAdmin(args, async ({ operator, meta }): Promise<Overview> => {
    const [health, history, errors, statements, changes] = await Promise.all([
      readHealth(args),
      soon(operator?.get<History>('/history', { range })),
      soon(operator && readErrors(operator)),
      soon(meta && readSlowStatements(meta)),
      soon(meta && readChanges(meta)),
    ]);
    return {
      kind: 'overview',
      health,
      range,
      history: history.value,
      errors: errors.value,
      statements: statements.value,
      changes: changes.value,
    };
  });
}

function rangeOf(text: string | null): History['range'] {
  return (['hour', 'day', 'week'] as const).find((range) => range === text) ?? 'hour';
}

/** A part that fails is missing; the others are shown. */
function soon<T>(part: Promise<T> | undefined): Promise<{ value: MaybePromise<T | undefined> }> {
  return resolveWithin<T | undefined>((part ?? Promise.resolve(undefined)).catch(() => undefined));
}

/** Failed requests, and messages of the level error. */
async function readErrors(operator: OperatorClient): Promise<LogLine[]> {
  const limit = String(RECENT);
  const [requests, messages] = await Promise.all([
    operator.get<LogPage>('/logs', { status: '5xx', limit }),
    operator.get<LogPage>('/logs', { level: 'error', limit }),
  ]);
  // The line of a request comes last: it has the status.
  const all = [...messages.lines, ...requests.lines];
  const lines = new Map(all.map((line) => [line.fields.reqId ?? line.id, line]));
  return [...lines.values()].sort((a, b) => (b.time ?? '').localeCompare(a.time ?? '')).slice(0, RECENT);
}

function readChanges(meta: MetaClient): Promise<AuditRecord[]> {
  return meta.listAudit({ limit: String(RECENT) });
}

/** A backend that is hosted elsewhere reports nothing. */
async function readHealth({ context }: VisitorArgs): Promise<Health | undefined> {
  const response = await context
    .get(siteContext)
    .backend.callHealth()
    .catch(() => undefined);
  const body = (await response?.json().catch(() => undefined)) as Partial<Health> | undefined;
  return body?.parts && body.version && body.status ? (body as Health) : undefined;
}
