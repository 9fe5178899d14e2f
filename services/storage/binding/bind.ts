/**
 * Binds a store of objects to a database: both carry the id of the instance. Sweeps run only while the ids are equal,
 * so a new, missing or wrong database cannot cause content to be deleted.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from '@greenroom/log';
import type { Database, Transaction } from '@greenroom/postgres';
import type { ObjectStore } from '../store/object-store.ts';
import { type BindingState, decide } from './decide.ts';
import {
  type InstanceRow,
  lockInstance,
  MARK_BOUND,
  readInstance,
  type SampleContent,
  selectSampleContent,
  setId,
} from './rows.ts';
import { StoreMismatchError } from './store-mismatch-error.ts';

/** Number of objects whose content is looked up in the store. One hit is enough. */
const SAMPLE = 100;
/**
 * Timeout for reading the store's instance id: an unresponsive store does not delay the start of an instance that has
 * an id.
 */
const STORE_TIMEOUT_MS = 5000;
/** The latest date that JavaScript can represent (ECMA-262 §21.4.1.1), so later than any content. */
const LATEST = new Date(8_640_000_000_000_000);

/** Options of {@link bindStore}. */
interface BindOptions {
  /** Logged in as supabase_storage_admin. */
  database: Database;
  store: ObjectStore;
  /** Setting GREENROOM_ADOPT_STORE: takes over a store of another instance. */
  isAdopting: boolean;
  log: Logger;
}

/**
 * Checks that the store belongs to the database, and assigns an id to both if they have none. Takes one query and one
 * small read if they are already bound. Throws {@link StoreMismatchError} without changing anything.
 */
export async function bindStore(options: BindOptions): Promise<void> {
  const { database, store, isAdopting, log } = options;
  if (isAdopting) log.warn('GREENROOM_ADOPT_STORE is set; remove it after this start');
  const storeId = store.readInstanceId(AbortSignal.timeout(STORE_TIMEOUT_MS)).then(
    (id) => ({ id }),
    (error: unknown) => ({ error }),
  );
  const [row, read] = await Promise.all([readInstance(database), storeId]);
  if (row === undefined) {
    log.warn(
      'the database has no instance id, so content without rows is not removed; start a whole instance on this database once',
    );
    return;
  }
  if ('error' in read) {
    // Without an id no sweep runs, as in earlier versions, so a database of an earlier version may start.
    if (row.id === undefined && !row.isFromBeforeIds) throw read.error;
    log.warn({ err: read.error }, 'the instance id of the object store could not be read');
    return;
  }
  if (row.id === undefined || row.id !== read.id || row.isFromBeforeIds) await bindNow(options);
}

/** Throws {@link StoreMismatchError} if the store has content or an id: it does not belong to the new database. */
export async function requireUnboundStore(store: ObjectStore): Promise<void> {
  const storeId = await store.readInstanceId();
  if (storeId === undefined && (await isEmpty(store))) return;
  throw new StoreMismatchError({
    location: store.location,
    storeId,
    databaseId: undefined,
    isDatabaseNew: true,
  });
}

/** Whether database and store currently carry the same id. */
export async function isBound({
  database,
  store,
}: Pick<BindOptions, 'database' | 'store'>): Promise<boolean> {
  const [row, storeId] = await Promise.all([readInstance(database), store.readInstanceId()]);
  return storeId !== undefined && storeId === row?.id;
}

/**
 * Writes the id to the database before the store, so that the next start continues with the same id after an
 * interruption.
 */
async function bindNow({ database, store, isAdopting, log }: BindOptions): Promise<void> {
  const { id, storeId } = await database.transaction(async (tx) => {
    const row = await lockInstance(tx);
    const state = await readBindingState(tx, store, row);
    const id = chooseId(state, store, isAdopting, log);
    await tx.commit([setId(id)]);
    return { id, storeId: state.storeId };
  });
  if (storeId !== id) await store.writeInstanceId(id);
  await database.query(MARK_BOUND);
}

async function readBindingState(
  tx: Transaction,
  store: ObjectStore,
  row: InstanceRow,
): Promise<BindingState> {
  const storeId = await store.readInstanceId();
  return {
    databaseId: row.id,
    isFromBeforeIds: row.isFromBeforeIds,
    storeId,
    isStoreEmpty: storeId === undefined && (await isEmpty(store)),
    content: await findContent(tx, store),
  };
}

function chooseId(state: BindingState, store: ObjectStore, isAdopting: boolean, log: Logger): string {
  const { databaseId, storeId, isFromBeforeIds, content } = state;
  const decision = decide(state);
  if (decision.kind === 'use') {
    const isMissing = state.isStoreEmpty && content === 'elsewhere';
    if (isMissing)
      log.warn({ store: store.location }, 'the store is empty, but the database contains objects');
    return decision.id ?? randomUUID();
  }
  const isDatabaseNew = databaseId === undefined && !isFromBeforeIds && content === 'none';
  if (!isAdopting)
    throw new StoreMismatchError({ location: store.location, storeId, databaseId, isDatabaseNew });
  const id = databaseId ?? randomUUID();
  log.warn({ store: store.location, was: storeId, is: id }, 'adopting the store of another instance');
  return id;
}

async function findContent(tx: Transaction, store: ObjectStore): Promise<BindingState['content']> {
  const [names = []] = await tx.batch([selectSampleContent(SAMPLE)]);
  if (names.length === 0) return 'none';
  const found = await Promise.all((names as unknown as SampleContent).map((name) => store.has(name)));
  return found.includes(true) ? 'in the store' : 'elsewhere';
}

async function isEmpty(store: ObjectStore): Promise<boolean> {
  for await (const batch of store.list(LATEST)) if (batch.length > 0) return false;
  for await (const batch of store.quarantine.list()) if (batch.length > 0) return false;
  return true;
}
