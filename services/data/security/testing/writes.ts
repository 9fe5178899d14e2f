/** Random writes: as requests, and as the SQL that does the same. */
import fc from 'fast-check';
import { PEOPLE } from './club.ts';
import { conditions } from './reads.ts';

/** A write, in both languages. */
export interface Write {
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'GET';
  /** Path and query. */
  target: string;
  prefer: string;
  body: unknown;
  /** Undefined where nothing must be written. */
  sql: string | undefined;
  /** The answer has the rows that were written. */
  hasRepresentation: boolean;
  /** It also has rows that belong to them. */
  hasEmbeds: boolean;
}

type Row = Record<string, string | number | null>;

interface Written {
  relation: string;
  key: readonly string[];
  embeds: readonly string[];
}

const WRITTEN: readonly Written[] = [
  { relation: 'teams', key: ['id'], embeds: ['docs(mark)', 'newest_doc(mark)', 'docs_above(mark)'] },
  { relation: 'labels', key: ['id'], embeds: ['docs(mark)', 'doc_labels(mark,docs(mark))'] },
  {
    relation: 'docs',
    key: ['id'],
    embeds: ['teams(mark)', '...teams(up:mark)', 'labels(mark)', 'doc_labels(mark)'],
  },
  { relation: 'docs_seen', key: ['id'], embeds: ['teams(mark)'] },
  { relation: 'doc_labels', key: ['doc_id', 'label_id'], embeds: ['docs(mark,teams(mark))', 'labels(mark)'] },
];

/** Inserts, merges, updates, deletes and PUTs of all relations, and calls of a function that writes. */
export function writes(): fc.Arbitrary<Write> {
  const write = fc.constantFrom(...WRITTEN).chain((written) =>
    fc
      .record({
        kind: fc.constantFrom(
          'insert' as const,
          'insert' as const,
          'update' as const,
          'update' as const,
          'delete' as const,
          'put' as const,
        ),
        rows: fc.uniqueArray(rowsOf(written), {
          minLength: 1,
          maxLength: 2,
          selector: (row) => written.key.map((column) => row[column]).join(),
        }),
        set: changesOf(written),
        where: conditions(),
        resolution: fc.constantFrom(
          undefined,
          'merge-duplicates' as const,
          'merge-duplicates' as const,
          'ignore-duplicates' as const,
        ),
        returned: fc.constantFrom(
          'minimal' as const,
          'headers-only' as const,
          'representation' as const,
          'representation' as const,
        ),
        embed: fc.constantFrom(undefined, ...written.embeds),
        count: fc.boolean(),
      })
      .map((spec) => writeOf(written, spec)),
  );
  return fc.oneof({ weight: 8, arbitrary: write }, calls());
}

interface WriteSpec {
  kind: 'insert' | 'update' | 'delete' | 'put';
  rows: readonly Row[];
  set: Row;
  where: { query: string; sql: string };
  resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined;
  returned: 'minimal' | 'headers-only' | 'representation';
  embed: string | undefined;
  count: boolean;
}

function writeOf({ relation, key }: Written, spec: WriteSpec): Write {
  const { kind, where, returned, embed, count } = spec;
  const hasRepresentation = returned === 'representation';
  const returning = returned === 'minimal' ? 'returning 1' : 'returning t.*';
  const select = hasRepresentation && embed !== undefined ? [`select=*,${embed}`] : [];
  const preferences = [`return=${returned}`, ...(count ? ['count=exact'] : [])];
  const common = { hasRepresentation, hasEmbeds: select.length > 0 };
  const path = (...parameters: string[]) => {
    const query = [...parameters, ...select].filter((text) => text !== '').join('&');
    return query === '' ? `/${relation}` : `/${relation}?${query}`;
  };
  switch (kind) {
    case 'insert': {
      const resolution = relation === 'docs_seen' ? undefined : spec.resolution;
      const prefer = [...preferences, ...(resolution === undefined ? [] : [`resolution=${resolution}`])].join(
        ',',
      );
      const sql = `${insertOf(relation, key, spec.rows, resolution)} ${returning}`;
      return { ...common, method: 'POST', target: path(), prefer, body: spec.rows, sql };
    }
    case 'put': {
      const row = spec.rows[0] as Row;
      const target = path(...key.map((column) => `${column}=eq.${row[column]}`));
      const sql = `${insertOf(relation, key, [row], 'merge-duplicates')} ${returning}`;
      return { ...common, method: 'PUT', target, prefer: `return=${returned}`, body: row, sql };
    }
    case 'update': {
      const changes = Object.entries(spec.set).map(([column, value]) => `${column} = ${literal(value)}`);
      const sql = `update ${relation} as t set ${changes.join(', ')}${where.sql} ${returning}`;
      return {
        ...common,
        method: 'PATCH',
        target: path(where.query),
        prefer: preferences.join(','),
        body: spec.set,
        sql,
      };
    }
    case 'delete':
      return {
        ...common,
        method: 'DELETE',
        target: path(where.query),
        prefer: preferences.join(','),
        body: undefined,
        sql: `delete from ${relation} as t${where.sql} ${returning}`,
      };
  }
}

function insertOf(
  relation: string,
  key: readonly string[],
  rows: readonly Row[],
  resolution: WriteSpec['resolution'],
): string {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => `(${columns.map((column) => literal(row[column] ?? null)).join(', ')})`);
  const insert = `insert into ${relation} as t (${columns.join(', ')}) values ${values.join(', ')}`;
  if (resolution === undefined) return insert;
  const changes = columns.map((column) => `${column} = excluded.${column}`).join(', ');
  const action = resolution === 'merge-duplicates' ? `update set ${changes}` : 'nothing';
  return `${insert} on conflict (${key.join(', ')}) do ${action}`;
}

function literal(value: string | number | null): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

const own = {
  owner: fc.constantFrom(null, ...PEOPLE),
  level: fc.constantFrom(0, 1, 2),
};
const parent = fc.constantFrom(1, 2, null);
/** Numbers that no existing row has. */
const fresh = fc.integer({ min: 100, max: 999 });

/** Rows that may be there already. */
function rowsOf({ relation, key }: Written): fc.Arbitrary<Row> {
  const keyColumns = fc.record(
    Object.fromEntries(
      key.map((column) => [column, key.length > 1 ? fc.constantFrom(1, 2) : fc.constantFrom(1, 2, 3, 7, 8)]),
    ),
  );
  return fc
    .tuple(keyColumns, fc.record(columnsOf(relation)), fresh)
    .map(([ids, columns, number]): Row => ({ ...ids, ...columns, mark: `${tableOf(relation)}#${number}` }));
}

function changesOf({ relation }: Written): fc.Arbitrary<Row> {
  return fc
    .record(columnsOf(relation), { requiredKeys: [] })
    .map((changes): Row => (Object.keys(changes).length === 0 ? { level: 1 } : (changes as Row)));
}

function columnsOf(relation: string): Record<string, fc.Arbitrary<string | number | null>> {
  return relation.startsWith('docs') ? { ...own, team_id: parent } : own;
}

function tableOf(relation: string): string {
  return relation === 'docs_seen' ? 'docs' : relation;
}

/** By GET, nothing is written. */
function calls(): fc.Arbitrary<Write> {
  return fc.tuple(own.level, fc.boolean()).map(([level, isPost]) => ({
    method: isPost ? 'POST' : 'GET',
    target: isPost ? '/rpc/move_docs' : `/rpc/move_docs?to_level=${level}`,
    prefer: '',
    body: isPost ? { to_level: level } : undefined,
    sql: isPost ? `select * from move_docs(${level})` : undefined,
    hasRepresentation: isPost,
    hasEmbeds: false,
  }));
}
