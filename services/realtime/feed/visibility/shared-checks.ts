/**
 * Checks rows for many identities with few flushes. Checks of the same turn of the event loop that are known to be quick
 * share a flush and load the rights of each role once. Any other check runs alone, so slow and failing policies of one
 * identity do not delay the others for long.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedDatabase } from '../database.ts';
import type { Identity } from '../feed.ts';
import { type Rights, readRights, rightsStatements } from './rights.ts';
import { RESET_SETTINGS, RESTORE_SESSION } from './settings.ts';
import {
  findVisibleRows,
  type RowCheck,
  readVisible,
  rowStatements,
  type Visibility,
} from './visible-rows.ts';

/** Maximum number of checks in a flush. Their results arrive together, and others may run on other processors. */
const MAX_SHARED = 6;
const QUICK_MS = 100;
const TIMEOUT_MS = 100;

/** Options of {@link createSharedChecks}. */
interface SharedCheckOptions {
  /** A check that took longer alone, including the wait for a connection, runs alone again. In milliseconds. */
  quickMs?: number;
  /** After this time, the checks of a flush run again, each alone: one of them has become slow. In milliseconds. */
  timeoutMs?: number;
}

/** Checks rows as `findVisibleRows` of ./visible-rows.ts does. */
export type FindVisibleRows = (check: RowCheck) => Promise<Visibility>;

interface WaitingCheck {
  check: RowCheck;
  resolve: (visibility: Visibility | Promise<Visibility>) => void;
}

/** Creates the checks of all identities of a feed. */
export function createSharedChecks(
  database: FeedDatabase,
  { quickMs = QUICK_MS, timeoutMs = TIMEOUT_MS }: SharedCheckOptions = {},
): FindVisibleRows {
  const quick = createQuickTables();
  let waiting: WaitingCheck[] = [];

  async function findAlone(check: RowCheck): Promise<Visibility> {
    quick.forget(check);
    const startedAt = performance.now();
    const visibility = await findVisibleRows(database, check);
    if (!visibility.hasFailed && performance.now() - startedAt <= quickMs) quick.add(check);
    return visibility;
  }

  async function run(group: readonly WaitingCheck[]): Promise<void> {
    const checks = group.map(({ check }) => check);
    const found = checks.length > 1 ? await findTogether(database, checks, timeoutMs) : undefined;
    for (const [index, { check, resolve }] of group.entries()) resolve(found?.[index] ?? findAlone(check));
  }

  function runWaiting(): void {
    const checks = waiting;
    waiting = [];
    for (let start = 0; start < checks.length; start += MAX_SHARED) {
      void run(checks.slice(start, start + MAX_SHARED));
    }
  }

  return (check) => {
    if (!quick.has(check)) return findAlone(check);
    if (waiting.length === 0) setImmediate(runWaiting);
    return new Promise((resolve) => waiting.push({ check, resolve }));
  };
}

/** Runs checks in one flush. Resolves with undefined if one of them fails, or if they take too long. */
async function findTogether(
  database: FeedDatabase,
  checks: readonly RowCheck[],
  timeoutMs: number,
): Promise<Visibility[] | undefined> {
  const timer = new AbortController();
  const late = Promise.withResolvers<undefined>();
  const startTimer = () =>
    void sleep(timeoutMs, undefined, { signal: timer.signal }).then(late.resolve, () => undefined);
  const found = findInOneFlush(database, checks, startTimer).catch(() => undefined);
  const result = await Promise.race([found, late.promise]);
  timer.abort();
  return result;
}

/**
 * Runs checks in one transaction, whose locks keep the definitions of the tables unchanged until the rights have been read.
 * Settings are reset between identities.
 */
async function findInOneFlush(
  database: FeedDatabase,
  checks: readonly RowCheck[],
  onSend: () => void,
): Promise<Visibility[]> {
  const oidsByRole = new Map<string, Set<number>>();
  for (const { identity, oids } of checks) {
    const known = oidsByRole.get(identity.role) ?? new Set();
    oidsByRole.set(identity.role, known.union(new Set(oids)));
  }
  const rows = checks.map((check) => [...rowStatements(check), RESET_SETTINGS]);
  // The rights come last: they must not be older than the rows.
  const rights = [...oidsByRole].map(([role, oids]) => rightsStatements(role, [...oids]));
  const lists = [...rows, ...rights, RESTORE_SESSION];
  const results = divide(await database.batchWhenFree(lists.flat(), onSend), lists);
  const rightsByRole = new Map<string, Rights>(
    [...oidsByRole.keys()].map((role, index) => [
      role,
      readRights(results[checks.length + index]?.at(-1) ?? []),
    ]),
  );
  return checks.map((check, index) => ({
    visible: readVisible(check, results[index] ?? []),
    rights: rightsByRole.get(check.identity.role) ?? new Map(),
    hasFailed: false,
  }));
}

/** Divides the results of lists of statements that were sent together. */
function divide<T>(results: readonly T[], lists: readonly { length: number }[]): T[][] {
  let end = 0;
  return lists.map(({ length }) => {
    end += length;
    return results.slice(end - length, end);
  });
}

/** The tables whose rows were last checked quickly, for each identity. */
interface QuickTables {
  has(check: RowCheck): boolean;
  add(check: RowCheck): void;
  forget(check: RowCheck): void;
}

function createQuickTables(): QuickTables {
  const tables = new WeakMap<Identity, Set<number>>();
  return {
    has: ({ identity, oids }) => {
      const known = tables.get(identity);
      return known !== undefined && oids.every((oid) => known.has(oid));
    },
    add({ identity, oids }) {
      tables.set(identity, (tables.get(identity) ?? new Set()).union(new Set(oids)));
    },
    forget({ identity, oids }) {
      for (const oid of oids) tables.get(identity)?.delete(oid);
    },
  };
}
