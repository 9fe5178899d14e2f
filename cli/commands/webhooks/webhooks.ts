/** Lists database webhooks that have not succeeded, and sends failed ones again. */
import { type Database, openDatabase } from '@greenroom/postgres';
import { withInspectedDatabase } from '../../inspect/inspected-database.ts';
import { printLines } from '../../print-lines.ts';
import { type ProjectOptions, readSettings } from '../../settings.ts';
import { tableLines } from '../../table-lines.ts';

/** Number of webhooks that the list has. */
const MAX_LISTED = 1000;
const LIST_HINT = 'Run "greenroom webhooks list --failed" to list them.';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A row of `greenroom.webhook_deliveries`. */
interface Delivery {
  id: string;
  state: string;
  table_name: string;
  url: string;
  attempts: number;
  created_at: Date;
  next_attempt_at: Date | null;
  last_error: string | null;
}

/** Prints the newest webhooks. */
export async function listWebhooks(
  { isFailedOnly, format }: { isFailedOnly: boolean; format: 'pretty' | 'json' },
  project: ProjectOptions,
): Promise<number> {
  const deliveries = await withDatabase(project, (database) =>
    database.query<Delivery>({
      text: `select * from greenroom.webhook_deliveries where state = 'failed' or not $1
        order by created_at desc, id limit ${MAX_LISTED}`,
      values: [isFailedOnly],
    }),
  );
  if (format === 'json') process.stdout.write(`${JSON.stringify(deliveries, null, 2)}\n`);
  else printLines(prettyLines(deliveries));
  return 0;
}

function prettyLines(deliveries: readonly Delivery[]): string[] {
  if (deliveries.length === 0) return ['No webhooks.'];
  const header = ['ID', 'STATE', 'TABLE', 'URL', 'ATTEMPTS', 'CREATED', 'NEXT ATTEMPT', 'LAST ERROR'];
  const rows = deliveries.map((delivery) => [
    delivery.id,
    delivery.state,
    delivery.table_name,
    delivery.url,
    String(delivery.attempts),
    timeOf(delivery.created_at),
    delivery.next_attempt_at === null ? '' : timeOf(delivery.next_attempt_at),
    (delivery.last_error ?? '').replace(/\s+/g, ' '),
  ]);
  return tableLines([header, ...rows]);
}

function timeOf(date: Date): string {
  return date.toISOString().slice(0, 19);
}

/** Sends failed webhooks again. Throws before sending any if an id is not that of a failed webhook. */
export async function replayWebhooks(
  { ids, isAll }: { ids: readonly string[]; isAll: boolean },
  project: ProjectOptions,
): Promise<number> {
  if (isAll === ids.length > 0) throw new Error(`webhooks replay requires either ids or --all. ${LIST_HINT}`);
  const wrong = ids.find((id) => !UUID.test(id));
  if (wrong !== undefined) throw new Error(`"${wrong}" is no id of a webhook. ${LIST_HINT}`);
  const count = await withDatabase(project, (database) =>
    isAll ? replayAll(database) : replay(database, ids),
  );
  printLines([`Sending ${count} ${count === 1 ? 'webhook' : 'webhooks'} again.`]);
  return 0;
}

async function replayAll(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>({
    text: 'select greenroom.replay_webhooks()::int as count',
  });
  return row?.count ?? 0;
}

async function replay(database: Database, ids: readonly string[]): Promise<number> {
  const unique = [...new Set(ids.map((id) => id.toLowerCase()))];
  return database.transaction(async (tx) => {
    const rows = await tx.query<{ id: string; ok: boolean }>({
      text: 'select id, greenroom.replay_webhook(id) as ok from unnest($1::uuid[]) as id',
      values: [unique],
    });
    const missing = rows.filter(({ ok }) => !ok).map(({ id }) => id);
    if (missing.length > 0)
      throw new Error(`no failed webhook has the id ${missing.join(', ')}. ${LIST_HINT}`);
    return unique.length;
  });
}

async function withDatabase<T>(
  project: ProjectOptions,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  return withInspectedDatabase(await readSettings(project), undefined, async (url) => {
    const database = openDatabase({ url, max: 1, applicationName: 'greenroom webhooks' });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  });
}
