/**
 * What the query string of a request says, before anything is known about the schema. Pure data: no name in here was
 * looked up, and no value was converted.
 */
import type { IsValue, QuantifiableOperator, SearchOperator, SimpleOperator } from '../operators.ts';

/** One step into a JSON value. An operand of digits only, with or without a minus, is an index. */
export interface JsonStep {
  arrow: '->' | '->>';
  operand: { kind: 'key'; key: string } | { kind: 'index'; index: number };
}

/** A column, or a computed field, and a way into its JSON value. */
export interface Field {
  name: string;
  path: readonly JsonStep[];
}

/** Aggregate functions that may be asked for. */
export type AggregateName = 'sum' | 'avg' | 'count' | 'min' | 'max';

/** One entry of `select`. */
export type SelectItem = SelectAll | SelectField | SelectCount | SelectEmbed;

/** `*` */
export interface SelectAll {
  kind: 'all';
}

/** A field. `cast` comes before the aggregate. */
export interface SelectField {
  kind: 'field';
  field: Field;
  alias: string | undefined;
  /** A type's name in the charset that may go into SQL as it is. */
  cast: string | undefined;
  aggregate: { name: AggregateName; cast: string | undefined } | undefined;
}

/** `count()`: of rows, not of a field. */
interface SelectCount {
  kind: 'count';
  alias: string | undefined;
  cast: string | undefined;
}

/** Related rows, as a value of their own or, spread, as fields of this row. */
export interface SelectEmbed {
  kind: 'embed';
  /** Name of a relation, a foreign key, a column or a computed relationship. */
  target: string;
  alias: string | undefined;
  hint: string | undefined;
  join: 'inner' | 'left' | undefined;
  isSpread: boolean;
  select: readonly SelectItem[];
}

/** An operator and its value. Values are as they were sent, percent-decoded. */
export type Operation =
  | {
      kind: 'quantifiable';
      operator: QuantifiableOperator;
      quantifier: 'any' | 'all' | undefined;
      value: string;
    }
  | { kind: 'simple'; operator: SimpleOperator; value: string }
  | { kind: 'in'; values: readonly string[] }
  | { kind: 'is'; value: IsValue }
  | { kind: 'search'; operator: SearchOperator; config: string | undefined; value: string };

/** A condition on one field. */
export interface Filter {
  field: Field;
  isNegated: boolean;
  operation: Operation;
}

/** `and(…)`, `or(…)`, or one condition in them. */
export type Logic =
  | { kind: 'filter'; filter: Filter }
  | { kind: 'and' | 'or'; isNegated: boolean; operands: readonly Logic[] };

/** One key of `order`. With `relation`, a field of an embedded to-one relation. */
export interface OrderTerm {
  field: Field;
  relation: string | undefined;
  direction: 'asc' | 'desc' | undefined;
  nulls: 'first' | 'last' | undefined;
}

/** Something about the rows at the end of a path of embeds; the empty path is the relation itself. */
export interface At<T> {
  path: readonly string[];
  value: T;
}

/** A whole query string. Lists are in the order of the URL; duplicates were decided by the grammar's rules. */
export interface Query {
  select: readonly SelectItem[];
  /** Whether `select` was there: handlers of media types for one relation serve the default only. */
  hasSelect: boolean;
  columns: readonly string[] | undefined;
  onConflict: readonly string[] | undefined;
  filters: readonly At<Filter>[];
  logic: readonly At<Logic>[];
  order: readonly At<readonly OrderTerm[]>[];
  limits: readonly At<number>[];
  offsets: readonly At<number>[];
  /** Parameters whose value is no condition: the arguments of a function that is called by GET. */
  parameters: readonly (readonly [name: string, value: string])[];
}
