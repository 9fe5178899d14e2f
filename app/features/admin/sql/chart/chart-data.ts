/** The data of a chart over the rows of a result. */

/** The fields of a result that charts need. */
export interface ChartSource {
  columns: readonly { name: string; type: string }[];
  rows: readonly (readonly (string | null)[])[];
}

/** How a column can be used. */
type ColumnKind = 'number' | 'time' | 'text';

/** The columns of a chart, by their indices. */
export interface ChartColumns {
  x: number;
  y: number;
}

/** Values of a chart. `labels` are those of the x axis if its values are positions of rows. */
export interface ChartData {
  /** Numbers, seconds since 1970, or positions of rows. */
  x: readonly number[];
  y: readonly (number | null)[];
  kind: ColumnKind;
  labels: readonly string[];
}

const NUMBERS = /^(?:smallint|integer|bigint|numeric|real|double precision|money|oid)\b/;
const TIMES = /^(?:date|timestamp)\b/;

/** Returns how a column can be used. */
export function kindOf(type: string): ColumnKind {
  if (NUMBERS.test(type)) return 'number';
  return TIMES.test(type) ? 'time' : 'text';
}

/** Returns the indices of the columns that can be the y axis. */
export function numericColumns({ columns }: Pick<ChartSource, 'columns'>): number[] {
  return columns.flatMap(({ type }, index) => (kindOf(type) === 'number' ? [index] : []));
}

/** Suggests columns: a time, else a text, else another number as x axis. Undefined without a number. */
export function suggestColumns(source: Pick<ChartSource, 'columns'>): ChartColumns | undefined {
  const numbers = numericColumns(source);
  const last = numbers.at(-1);
  if (last === undefined) return undefined;
  const { columns } = source;
  const find = (kind: ColumnKind) => columns.findIndex(({ type }) => kindOf(type) === kind);
  const x = [find('time'), find('text'), numbers[0] ?? -1].find((index) => index >= 0) ?? last;
  const y = numbers.find((index) => index !== x && index > x) ?? numbers.find((index) => index !== x) ?? last;
  return { x, y };
}

/** Returns the data of a chart. Rows without a value for the x axis are left out; a time or number is sorted by it. */
export function chartData({ columns, rows }: ChartSource, { x, y }: ChartColumns): ChartData {
  const kind = kindOf(columns[x]?.type ?? '');
  const points = rows.flatMap((row, index) => {
    const text = row[x] ?? null;
    const at = kind === 'text' ? index : positionOf(text, kind);
    return at === undefined ? [] : [{ at, value: numberOf(row[y] ?? null), label: text ?? '' }];
  });
  if (kind !== 'text') points.sort((a, b) => a.at - b.at);
  return {
    x: points.map(({ at }, index) => (kind === 'text' ? index : at)),
    y: points.map(({ value }) => value),
    kind,
    labels: kind === 'text' ? points.map(({ label }) => label) : [],
  };
}

function positionOf(text: string | null, kind: ColumnKind): number | undefined {
  if (text === null) return undefined;
  if (kind === 'number') return numberOf(text) ?? undefined;
  const ms = Date.parse(isoOf(text));
  return Number.isNaN(ms) ? undefined : ms / 1000;
}

/** PostgreSQL writes `2026-01-02 03:04:05.678+00`. A time without a zone is shown as if it were in UTC. */
function isoOf(text: string): string {
  const [, date = '', time, zone] = /^(\d{4,}-\d\d-\d\d)(?: ([\d:.]+)([+-][\d:]+)?)?$/.exec(text) ?? [];
  if (time === undefined) return date;
  const [hours = '', minutes = '00'] = (zone ?? '+00').split(':');
  return `${date}T${time}${hours}:${minutes}`;
}

function numberOf(text: string | null): number | null {
  if (text === null) return null;
  const value = Number(text.replace(/[$,]/g, ''));
  return Number.isFinite(value) ? value : null;
}
