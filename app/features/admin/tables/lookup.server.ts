/** Finds rows that a foreign key can reference. */
import { likeText } from '../shared/like-text.ts';
import { quoteIdentifier, quoteQualified } from '../shared/sql-identifier.ts';
import { addParameter, type Statement } from './filters-sql.ts';
import { readRows } from './run-statement.server.ts';
import type { TableAdmin } from './table-admin.server.ts';
import type { TableColumn, TableInfo } from './table-model.ts';

/** A row to choose: the referenced value, and some of its texts. */
interface Choice {
  value: string;
  label: string;
}

const MAX_CHOICES = 20;
const MAX_LABELS = 3;
const MAX_LABEL_CHARACTERS = 80;

/**
 * Returns rows of the referenced table whose referenced column begins with the text, or one of whose first texts contains it; without a
 * text the first rows. Rejects with `SqlRefusal`, for example if the search takes too long.
 */
export async function findChoices(
  { meta }: TableAdmin,
  table: TableInfo,
  { column, search }: { column: string; search: string },
): Promise<Choice[]> {
  const { rows } = await readRows(meta, lookupStatement(table, column, search));
  return rows.map(([value, ...labels]) => ({
    value: value ?? '',
    label: labels.filter((label) => label !== null && label !== '').join(' · '),
  }));
}

function lookupStatement(table: TableInfo, column: string, search: string): Statement {
  const values: (string | null)[] = [];
  const name = `t.${quoteIdentifier(column)}`;
  const labels = labelColumns(table, column).map(
    (each) => `left(t.${quoteIdentifier(each.name)}::text, ${MAX_LABEL_CHARACTERS})`,
  );
  const lines = [
    `select ${[`${name}::text`, ...labels].join(', ')} from ${quoteQualified(table.schema, table.name)} as t`,
    `where ${name} is not null`,
  ];
  if (search !== '') {
    const pattern = likeText(search);
    const start = addParameter(values, `${pattern}%`, 'text');
    const contained = addParameter(values, `%${pattern}%`, 'text');
    const conditions = [
      `${name}::text ilike ${start}`,
      ...labelColumns(table, column).map(
        (each) => `t.${quoteIdentifier(each.name)}::text ilike ${contained}`,
      ),
    ];
    lines.push(`and (${conditions.join(' or ')})`);
  }
  return { text: [...lines, `order by ${name}`, `limit ${MAX_CHOICES}`].join('\n'), values };
}

function labelColumns({ columns }: TableInfo, column: string): TableColumn[] {
  const isLabel = ({ name, kind }: TableColumn) => name !== column && (kind === 'text' || kind === 'enum');
  return columns.filter(isLabel).slice(0, MAX_LABELS);
}
