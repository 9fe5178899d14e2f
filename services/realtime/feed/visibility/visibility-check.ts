/**
 * Checks which changes a role and claims may see. Rights are loaded with each check. Those of the last check only
 * decide which rows the statement includes, so that a check usually takes one round trip.
 */
import type { Identity } from '../feed.ts';
import type { Relation, RowChange } from '../replication/pgoutput.ts';
import type { LoadRights, Rights, TableRights } from './rights.ts';
import { type ChangesToCheck, rowsToCheck } from './rows-to-check.ts';
import type { FindVisibleRows } from './shared-checks.ts';
import type { KeyColumn } from './visible-rows.ts';

/** How often rights may change during a check before it fails. */
const MAX_ATTEMPTS = 4;

/** Options of {@link createVisibilityCheck}. */
interface VisibilityCheckOptions {
  identity: Identity;
  findVisibleRows: FindVisibleRows;
  loadRights: LoadRights;
  columnsOf: (relation: Relation) => ReadonlyMap<string, KeyColumn>;
}

/** The result of a check. */
interface CheckedVisibility {
  rights: Rights;
  /** Whether policies allow the role to see the row. True for deleted rows, for which no policy can be evaluated. */
  isVisible: (change: RowChange) => boolean;
}

/** Checks changes. Rejects with a `VisibilityTimeout` if policies take too long, and with errors of the connection. */
export type CheckVisibility = (changes: readonly RowChange[]) => Promise<CheckedVisibility>;

/** Creates the check for one role and claims. */
export function createVisibilityCheck(options: VisibilityCheckOptions): CheckVisibility {
  const { identity, findVisibleRows, loadRights, columnsOf } = options;
  const lastRights = new Map<number, TableRights>();

  async function load(checked: readonly ChangesToCheck[], oids: readonly number[]) {
    if (checked.length === 0) return { rights: await loadRights(identity.role, oids), visible: [] };
    const tables = checked.map(({ rows }) => rows);
    return findVisibleRows({ identity, tables, oids });
  }

  return async (changes) => {
    const relations = [...new Set(changes.map(({ relation }) => relation))];
    const oids = [...new Set(relations.map(({ oid }) => oid))];
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const checked = relations.flatMap((relation) => {
        const known = lastRights.get(relation.oid);
        if (!known?.hasRls) return [];
        return rowsToCheck(relation, known.primaryKey, changes, columnsOf(relation)) ?? [];
      });
      const { rights, visible } = await load(checked, oids);
      const areCovered = oids.every((oid) => isCovered(lastRights.get(oid), rights.get(oid)));
      remember(lastRights, oids, rights);
      if (!areCovered) continue;
      const seen = new Set(
        checked.flatMap(({ changes: rows }, table) => rows.filter((_, row) => visible[table]?.has(row))),
      );
      return {
        rights,
        isVisible: (change) =>
          change.type === 'DELETE' || rights.get(change.relation.oid)?.hasRls === false || seen.has(change),
      };
    }
    throw new Error(`the rights of the role changed during each of ${MAX_ATTEMPTS} attempts`);
  };
}

function remember(known: Map<number, TableRights>, oids: readonly number[], rights: Rights): void {
  for (const oid of oids) {
    const table = rights.get(oid);
    if (table) known.set(oid, table);
    else known.delete(oid);
  }
}

/** Whether a check with the rights `before` is valid for `after`: it included the rows, with the same primary key. */
function isCovered(before: TableRights | undefined, after: TableRights | undefined): boolean {
  if (!after?.hasRls) return true;
  return before?.hasRls === true && before.primaryKey.join('\0') === after.primaryKey.join('\0');
}
