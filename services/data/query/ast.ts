/**
 * The abstract syntax tree of a query string. The parser does not know the schema: names are not resolved, and values
 * are not converted.
 */
import type { IsValue, QuantifiableOperator, SearchOperator, SimpleOperator } from '../operators.ts';

/** One step of a JSON path. An operand that consists of digits, with or without a minus, is an index. */
export interface JsonStep {
  arrow: '->' | '->>';
  operand: { kind: 'key'; key: string } | { kind: 'index'; index: number };
}

/** A column or a computed field, and a path into its JSON value. */
export interface Field {
  name: string;
  path: readonly JsonStep[];
}

/** The supported aggregate functions. */
export type AggregateName = 'sum' | 'avg' | 'count' | 'min' | 'max';

/** One entry of `select`. */
export type SelectItem = SelectAll | SelectField | SelectCount | SelectEmbed;

/** `*` */
export interface SelectAll {
  kind: 'all';
}

/** A field. `cast` applies before the aggregate. */
export interface SelectField {
  kind: 'field';
  field: Field;
  alias: string | undefined;
  /** The name of a type, with only the characters that are safe to insert into SQL unquoted. */
  cast: string | undefined;
  aggregate: { name: AggregateName; cast: string | undefined } | undefined;
}

/** `count()` counts rows, not the values of a field. */
interface SelectCount {
  kind: 'count';
  alias: string | undefined;
  cast: string | undefined;
}

/** Related rows, as a separate value or, if spread, as fields of this row. */
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

/** An operator and its value. Values are percent-decoded and otherwise unchanged. */
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

/** `and(…)`, `or(…)`, or a condition in one of them. */
export type Logic =
  | { kind: 'filter'; filter: Filter }
  | { kind: 'and' | 'or'; isNegated: boolean; operands: readonly Logic[] };

/** One key of `order`. If `relation` is set, the field belongs to that embedded to-one relation. */
export interface OrderTerm {
  field: Field;
  relation: string | undefined;
  direction: 'asc' | 'desc' | undefined;
  nulls: 'first' | 'last' | undefined;
}

/** A value that applies to the rows at a path of embeds. The empty path is the relation itself. */
export interface At<T> {
  path: readonly string[];
  value: T;
}

/** A whole query string. Lists are in the order of the URL; the parser has resolved duplicates. */
export interface Query {
  select: readonly SelectItem[];
  /** Whether the query has `select`. Media type handlers of one relation support only the default. */
  hasSelect: boolean;
  columns: readonly string[] | undefined;
  onConflict: readonly string[] | undefined;
  filters: readonly At<Filter>[];
  logic: readonly At<Logic>[];
  order: readonly At<readonly OrderTerm[]>[];
  limits: readonly At<number>[];
  offsets: readonly At<number>[];
  /** Parameters whose value is not a condition: the arguments of a function that is called by GET. */
  parameters: readonly (readonly [name: string, value: string])[];
}
