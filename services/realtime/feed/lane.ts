/**
 * One pair of role and claims: what was matched for it, in commit order, each batch looked at with its eyes once,
 * whatever the number of its channels, and delivered at once. Lanes do not wait for each other.
 */
import type { FeedDatabase } from './database.ts';
import type { Identity } from './feed.ts';
import type { ConvertedChange } from './payload/convert.ts';
import { changePayload, isReadable, reasonToWithhold, withheldPayload } from './payload/payload.ts';
import { type Relation, type RowChange, TOO_LARGE } from './replication/pgoutput.ts';
import type { CatalogColumn } from './subscriptions/catalog.ts';
import type { Subscription, SubscriptionEntry } from './subscriptions/subscription.ts';
import type { LoadRights, Rights, TableRights } from './visibility/rights.ts';
import { findVisibleRows, type RowsToCheck, VisibilityTimeout } from './visibility/visible-rows.ts';

/** A change, and the entries of this lane that it matches. */
export interface LaneItem {
  converted: ConvertedChange;
  entries: readonly SubscriptionEntry[];
}

/** What came together. */
interface LaneBatch {
  items: readonly LaneItem[];
  /** Called once, whatever became of it. */
  done: () => void;
}

/** Options of {@link createLane}. */
interface LaneOptions {
  identity: Identity;
  database: FeedDatabase;
  loadRights: LoadRights;
  columnsOf: (relation: Relation) => ReadonlyMap<string, CatalogColumn>;
  /** Runs what has been slow before, few at a time. */
  slowly: (work: () => Promise<void>) => Promise<void>;
  /** JSON texts that are made for several lanes. */
  payloads: PayloadCache;
  /** Changes that could not be looked at, and are not told. */
  onDropped: (identity: Identity, changes: number, reason: Error) => void;
  /** What takes longer than a statement may is tried again for so long: somebody may hold a lock on the table. */
  retryMs: number;
}

/** The JSON of changes, shared by lanes with the same rights. */
interface PayloadCache {
  get(converted: ConvertedChange, key: string, make: () => string): string;
}

/** Keeps them as long as the changes themselves. */
export function createPayloadCache(): PayloadCache {
  const byChange = new WeakMap<ConvertedChange, Map<string, string>>();
  return {
    get(converted, key, make) {
      const known = byChange.get(converted) ?? new Map<string, string>();
      byChange.set(converted, known);
      const payload = known.get(key) ?? make();
      known.set(key, payload);
      return payload;
    },
  };
}

/** A lane. */
export interface Lane {
  add(batch: LaneBatch): void;
  /** Gives up what waits, and what is being looked at if that does not come to an end now. */
  dropWaiting(reason: Error): void;
  /** When the oldest batch that is not done was added, as `performance.now()`; undefined where there is none. */
  waitingSince(): number | undefined;
}

/** How often rights may change while we look, before a batch is given up. */
const MAX_LOOKS = 4;
/** So many changes are looked at together. */
const MAX_ITEMS = 500;
export function createLane(options: LaneOptions): Lane {
  const { identity, database, loadRights, columnsOf } = options;
  let waiting: (LaneBatch & { since: number })[] = [];
  let current: (LaneBatch & { since: number }) | undefined;
  /** What the last look has shown: which tables have policies. Only to ask for the right things at once. */
  const lastRights = new Map<number, TableRights>();
  let isSlow = false;
  /** Everybody waits because of what we have: nothing is tried again. */
  let isHoldingUp = false;

  /** What has come in while we looked is looked at together. */
  function takeWaiting(): (LaneBatch & { since: number }) | undefined {
    const [first, ...more] = waiting;
    if (first === undefined) return undefined;
    const together = [first];
    let count = first.items.length;
    for (const batch of more) {
      count += batch.items.length;
      if (count > MAX_ITEMS) break;
      together.push(batch);
    }
    waiting = waiting.slice(together.length);
    return {
      items: together.flatMap(({ items }) => items),
      since: first.since,
      done: () => {
        for (const batch of together) batch.done();
      },
    };
  }

  async function run(): Promise<void> {
    for (current = takeWaiting(); current; current = takeWaiting()) {
      const batch = current;
      isHoldingUp = false;
      try {
        await deliverPatiently(batch);
      } catch (error) {
        options.onDropped(identity, batch.items.length, error as Error);
      } finally {
        batch.done();
      }
    }
  }

  async function deliverPatiently(batch: LaneBatch & { since: number }): Promise<void> {
    for (;;) {
      try {
        // Whoever is slow must not have all connections.
        await (isSlow ? options.slowly(() => deliver(batch)) : deliver(batch));
        isSlow = false;
        return;
      } catch (error) {
        isSlow = error instanceof VisibilityTimeout;
        if (!isSlow || isHoldingUp || performance.now() - batch.since > options.retryMs) throw error;
      }
    }
  }

  async function deliver({ items }: LaneBatch): Promise<void> {
    const open = items.filter(({ entries }) => entries.some(isOpen));
    if (open.length === 0) return;
    const look = await lookAt(open);
    for (const item of open) {
      const { change } = item.converted;
      const rights = look.rights.get(change.relation.oid);
      // Under another name by now: the rows that were asked for may have been those of another table.
      if (rights && isNamed(change.relation, rights)) tell(item, rights, look.isVisible(change));
    }
  }

  /** Looks until what was asked fits the rights that the answer came with. */
  async function lookAt(items: readonly LaneItem[]) {
    const changes = items.map(({ converted }) => converted.change);
    const relations = [...new Set(changes.map(({ relation }) => relation))];
    const oids = [...new Set(relations.map(({ oid }) => oid))];
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      const asked = relations.flatMap((relation) => {
        const rights = lastRights.get(relation.oid);
        return rights?.hasRls ? (rowsToCheck(relation, rights, changes, columnsOf(relation)) ?? []) : [];
      });
      const { rights, visible } =
        asked.length === 0
          ? { rights: await loadRights(identity.role, oids), visible: [] }
          : await findVisibleRows(
              database,
              identity,
              asked.map(({ rows }) => rows),
              oids,
            );
      const isEnough = oids.every((oid) => isAnswered(lastRights.get(oid), rights.get(oid)));
      remember(oids, rights);
      if (!isEnough) continue;
      const seen = new Set(
        asked.flatMap(({ changes: rows }, table) => rows.filter((_, row) => visible[table]?.has(row))),
      );
      return {
        rights,
        isVisible: (change: RowChange) =>
          change.type === 'DELETE' || rights.get(change.relation.oid)?.hasRls === false || seen.has(change),
      };
    }
    throw new Error('rights have changed again and again');
  }

  function remember(oids: readonly number[], rights: Rights): void {
    for (const oid of oids) {
      const table = rights.get(oid);
      if (table) lastRights.set(oid, table);
      else lastRights.delete(oid);
    }
  }

  function tell({ converted, entries }: LaneItem, rights: TableRights, isVisible: boolean): void {
    const { change } = converted;
    const columns = columnsOf(change.relation);
    const withheld = reasonToWithhold(change, rights);
    const askable = askableColumns(change, rights, columns, withheld !== undefined);
    // A condition that holds reveals the value that it asks.
    const allowed = entries.filter(({ params }) => params.conditions.every(({ column }) => askable(column)));
    if (withheld !== undefined) {
      deliverTo(allowed, () => withheldPayload(change, withheld));
      return;
    }
    if (!isVisible) return;
    deliverTo(allowed, (select) =>
      options.payloads.get(converted, `${JSON.stringify(select)} ${rights.signature}`, () =>
        changePayload(converted, rights, select, columns),
      ),
    );
  }

  return {
    add(batch) {
      waiting.push({ ...batch, since: performance.now() });
      if (current === undefined) void run();
    },
    dropWaiting(reason) {
      isHoldingUp = true;
      const dropped = waiting;
      waiting = [];
      for (const batch of dropped) batch.done();
      const changes = dropped.reduce((sum, { items }) => sum + items.length, 0);
      if (changes > 0) options.onDropped(identity, changes, reason);
    },
    waitingSince: () => (current ?? waiting[0])?.since,
  };
}

/**
 * Which columns of a change a filter may ask. Where no policy is asked about the row, because it is deleted or cannot be
 * found by its key, those are the columns that the subscriber learns in any case: the primary key of a deleted row.
 */
function askableColumns(
  { type }: RowChange,
  rights: TableRights,
  columns: ReadonlyMap<string, CatalogColumn>,
  isWithheld: boolean,
): (column: string) => boolean {
  const isUnchecked = rights.hasRls && !rights.bypassesRls && (type === 'DELETE' || isWithheld);
  const known = isWithheld ? [] : rights.primaryKey;
  return (column) => isReadable(column, rights, columns) && (!isUnchecked || known.includes(column));
}

function isNamed({ schema, table }: Relation, rights: TableRights): boolean {
  return rights.schema === schema && rights.table === table;
}

function isOpen({ subscription }: SubscriptionEntry): boolean {
  return !subscription.isClosed;
}

/** Whether policies were asked about the rows that they hold for, found by the right key. */
function isAnswered(before: TableRights | undefined, after: TableRights | undefined): boolean {
  if (!after?.hasRls) return true;
  return before?.hasRls === true && before.primaryKey.join('\0') === after.primaryKey.join('\0');
}

/** One frame for each channel and choice of columns, with all its ids. */
function deliverTo(
  entries: readonly SubscriptionEntry[],
  payloadFor: (select: readonly string[] | undefined) => string,
): void {
  const frames = new Map<Subscription, Map<string, { ids: number[]; data: string }>>();
  for (const { subscription, id, params } of entries) {
    if (subscription.isClosed) continue;
    const data = payloadFor(params.select);
    const byData = frames.get(subscription) ?? new Map();
    frames.set(subscription, byData);
    const frame = byData.get(data) ?? { ids: [], data };
    byData.set(data, frame);
    frame.ids.push(id);
  }
  for (const [subscription, byData] of frames) {
    for (const frame of byData.values()) subscription.deliver(frame);
  }
}

/** Undefined where rows cannot be found by their primary key: nobody sees them. */
function rowsToCheck(
  relation: Relation,
  { primaryKey }: TableRights,
  all: readonly RowChange[],
  columns: ReadonlyMap<string, CatalogColumn>,
): { rows: RowsToCheck; changes: RowChange[] } | undefined {
  const key = primaryKey.flatMap((name) => columns.get(name) ?? []);
  const places = primaryKey.map((name) => relation.columns.findIndex((column) => column.name === name));
  if (key.length === 0 || key.length !== primaryKey.length || places.includes(-1)) return undefined;
  const found = all.flatMap((change) => {
    if (change.relation !== relation || change.type === 'DELETE') return [];
    const values = places.flatMap((place) => keyValue(change, place));
    return values.length === key.length ? { change, values } : [];
  });
  if (found.length === 0) return undefined;
  return {
    rows: {
      oid: relation.oid,
      schema: relation.schema,
      table: relation.table,
      key,
      rows: found.map(({ values }) => values),
    },
    changes: found.map(({ change }) => change),
  };
}

function keyValue({ record }: RowChange, place: number): string | [] {
  const value = record?.[place];
  return value === null || value === undefined || value === TOO_LARGE ? [] : value;
}
