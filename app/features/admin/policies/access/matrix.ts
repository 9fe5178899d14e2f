/** The matrix of roles, tables and statements: its rows, and their filter. */
import { type AccessState, accessOf, stateOf } from './access.ts';
import { type RoleInfo, type TableInfo, type TableKind, VERBS } from './model.ts';

/** A cell. */
interface MatrixCell {
  state: AccessState;
  /** Whether the role has the right on some columns only. */
  isPartial: boolean;
}

/** A row as it is sent to the browser. */
export interface MatrixRow {
  schema: string;
  name: string;
  kind: TableKind;
  hasRls: boolean;
  policyCount: number;
  /** One letter for each role and statement; see {@link cellsOf}. */
  cells: string;
}

/** All tables with the access of all roles, or the reason why they are missing. */
export type MatrixList =
  | {
      kind: 'matrix';
      roles: readonly RoleInfo[];
      rows: readonly MatrixRow[];
      platformSchemas: readonly string[];
    }
  | { kind: 'problem'; text: string };

/** Filter of the matrix. */
interface MatrixFilter {
  /** Part of the name, with or without schema. */
  q: string;
  /** Schema; '' means those that are not of the platform, `*` all. */
  in: string;
  show: 'all' | 'open' | 'no-rls' | 'no-policy';
}

const LETTERS: Readonly<Record<AccessState, string>> = {
  all: 'a',
  policy: 'p',
  invoker: 'v',
  'no-grant': 'g',
  'no-policy': 'n',
};
const STATES = new Map(Object.entries(LETTERS).map(([state, letter]) => [letter, state as AccessState]));

/** Returns the row of a table. */
export function matrixRowOf(table: TableInfo, roles: readonly RoleInfo[]): MatrixRow {
  const letters = roles.flatMap((_, role) =>
    VERBS.map((verb) => {
      const access = accessOf(table, roles, role, verb);
      const letter = LETTERS[stateOf(access)];
      return 'isPartial' in access && access.isPartial ? letter.toUpperCase() : letter;
    }),
  );
  const { schema, name, kind, hasRls, policies } = table;
  return { schema, name, kind, hasRls, policyCount: policies.length, cells: letters.join('') };
}

/** Returns the cells of a row for a role, in the order of {@link VERBS}. @param role index of the role */
export function cellsOf({ cells }: Pick<MatrixRow, 'cells'>, role: number): MatrixCell[] {
  return [...cells.slice(role * VERBS.length, (role + 1) * VERBS.length)].map((letter) => ({
    state: STATES.get(letter.toLowerCase()) ?? 'no-grant',
    isPartial: letter !== letter.toLowerCase(),
  }));
}

/** Returns the rows that a filter selects. @param platformSchemas schemas that do not belong to the project */
export function filterRows(
  rows: readonly MatrixRow[],
  filter: MatrixFilter,
  platformSchemas: readonly string[],
): MatrixRow[] {
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const name = `${row.schema}.${row.name}`.toLowerCase();
    const isInSchema =
      filter.in === '*' ||
      (filter.in === '' ? !platformSchemas.includes(row.schema) : row.schema === filter.in);
    return isInSchema && words.every((word) => name.includes(word)) && isShown(row, filter.show);
  });
}

/** The first role is `anon`. */
function isShown(row: MatrixRow, show: MatrixFilter['show']): boolean {
  const isTable = row.kind === 'table' || row.kind === 'partitioned table';
  const shown: Record<MatrixFilter['show'], () => boolean> = {
    all: () => true,
    open: () => cellsOf(row, 0).some(({ state }) => state === 'all' || state === 'policy'),
    'no-rls': () => isTable && !row.hasRls,
    'no-policy': () => isTable && row.hasRls && row.policyCount === 0,
  };
  return shown[show]();
}
