/**
 * Checks a subscription against the catalog, with the role and claims of the client: the tables must be published, the
 * columns selectable, and the values valid. Refusals have the texts of the hosted service.
 */
import { type FeedDatabase, isTransient, sqlStateOf } from '../database.ts';
import { type ChangeEntry, FeedRefusal, type Identity } from '../feed.ts';
import { createSemaphore } from '../semaphore.ts';
import type { LoadRights, TableRights } from '../visibility/rights.ts';
import { assumeIdentity } from '../visibility/settings.ts';
import { type CatalogTable, findPublishedTables, PUBLICATION } from './catalog.ts';
import { ConditionError, compileCondition } from './condition.ts';
import { exceptionInParams, exceptionText, noSuchTable } from './messages.ts';
import { parseSubscription, type SubscriptionParams } from './parse.ts';

const MAX_ENTRIES = 100;
const MAX_CONDITIONS = 100;
/** Limit for all entries of a channel together, because each condition is checked by a separate statement. */
const MAX_CONDITIONS_OF_CHANNEL = 500;
/** Number of entries that are checked concurrently. */
const CONCURRENT_CHECKS = 2;
const RAISED = 'P0001';

interface CheckedEntry {
  id: number;
  params: SubscriptionParams;
}

/** Checks all entries of a channel. Rejects with the {@link FeedRefusal} of the first invalid entry. */
export async function checkEntries(
  database: FeedDatabase,
  loadRights: LoadRights,
  entries: readonly ChangeEntry[],
  identity: Identity,
): Promise<CheckedEntry[]> {
  if (entries.length > MAX_ENTRIES) {
    throw new FeedRefusal(`Too many subscriptions in one channel. Maximum ${MAX_ENTRIES}`, true);
  }
  const checked = entries.map(({ id, params }) => ({ id, params: requireParsed(params) }));
  const conditions = checked.reduce((sum, { params }) => sum + params.conditions.length, 0);
  if (conditions > MAX_CONDITIONS_OF_CHANNEL) {
    throw new FeedRefusal(`Too many conditions in one channel. Maximum ${MAX_CONDITIONS_OF_CHANNEL}`, true);
  }
  const roleCheck = checkRole(database, identity);
  // It is awaited only after a table was found.
  roleCheck.catch(() => undefined);
  const limitChecks = createSemaphore(CONCURRENT_CHECKS);
  const results = await Promise.allSettled(
    checked.map(({ params }) =>
      limitChecks(() => checkParams(database, loadRights, params, identity, roleCheck)),
    ),
  );
  // Reports the first invalid entry in their order, not the first that failed in time.
  for (const [index, { params }] of checked.entries()) {
    const result = results[index];
    if (result?.status === 'rejected') throw refusalOf(result.reason, params);
  }
  return checked;
}

function requireParsed(params: ChangeEntry['params']): SubscriptionParams {
  const parsed = parseSubscription(params);
  if ('error' in parsed) throw new FeedRefusal(parsed.error, true);
  if (parsed.value.conditions.length > MAX_CONDITIONS) {
    throw new FeedRefusal(`Error parsing \`filter\` params: more than ${MAX_CONDITIONS} conditions`, true);
  }
  return parsed.value;
}

async function checkParams(
  database: FeedDatabase,
  loadRights: LoadRights,
  params: SubscriptionParams,
  identity: Identity,
  roleCheck: Promise<void>,
): Promise<void> {
  const tables = await findPublishedTables(database, PUBLICATION, params.schema, params.table);
  if (tables.length === 0) throw new FeedRefusal(noSuchTable(params), true);
  await roleCheck;
  const rights = await loadRights(
    identity.role,
    tables.map(({ oid }) => oid),
  );
  for (const table of tables) await checkTable(database, table, rights.get(table.oid), params);
}

/** Rejects if the authenticator cannot assume the role. */
async function checkRole(database: FeedDatabase, identity: Identity): Promise<void> {
  await database.batch([assumeIdentity(identity)]);
}

async function checkTable(
  database: FeedDatabase,
  { columns }: CatalogTable,
  rights: TableRights | undefined,
  { conditions, select = [] }: SubscriptionParams,
): Promise<void> {
  for (const condition of conditions) {
    const column = columns.find(({ name }) => name === condition.column);
    if (column === undefined || !rights?.selectable.has(column.name)) {
      throw new ConditionError(RAISED, `invalid column for filter ${condition.column}`);
    }
    await compileCondition(database, column, condition);
  }
  for (const name of select) {
    if (!rights?.selectable.has(name)) throw new ConditionError(RAISED, `invalid column for select ${name}`);
  }
}

function refusalOf(error: unknown, params: SubscriptionParams): FeedRefusal {
  if (error instanceof FeedRefusal) return error;
  const { message } = error as Error;
  const code = error instanceof ConditionError ? error.sqlState : sqlStateOf(error);
  const text = code === undefined ? message : exceptionText(code, message);
  const isFinal = error instanceof ConditionError || !isTransient(error);
  return new FeedRefusal(exceptionInParams(params, text), isFinal, { cause: error });
}
