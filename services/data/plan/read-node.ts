/**
 * What is to be read, as a tree: one node for a relation and each embed. It knows names, and slots of values, but no values.
 */
import type { IsValue, QuantifiableOperator, SearchOperator, SimpleOperator } from '../operators.ts';
import type { AggregateName, JsonStep } from '../query/ast.ts';
import type { Column, QualifiedName, Relation, Relationship } from '../schema-cache/schema-cache.ts';

/** Rows of one relation, with what is embedded in them. */
export interface ReadNode {
  /** Of the relation; undefined where nothing is known of it, as with most results of functions. */
  relation: Relation | undefined;
  from: NodeSource;
  /** Of rows that were written or returned: what they have to be again for a function to take one. */
  rowType: QualifiedName | undefined;
  /** What its rows are called in SQL. No two nodes of a tree have the same. */
  alias: string;
  columns: Output[];
  /** Whether there are aggregates, so that all other columns are what rows are grouped by. */
  isGrouped: boolean;
  /** All of them must hold. */
  conditions: Condition[];
  order: Order[];
  /** Slots. */
  limit: number | undefined;
  offset: number | undefined;
  /** No more rows than this, whatever the limit is. */
  maxRows: number | undefined;
  /** Whether PostgreSQL plans it as a subquery of its own, and not as a join of the parent's query. */
  isFenced: boolean;
  embeds: Embed[];
}

/** Where the rows of a node come from. */
export type NodeSource =
  | { kind: 'relation'; name: QualifiedName }
  /** Rows that a statement of the same query has written, or a function has returned. */
  | { kind: 'cte'; name: string }
  | { kind: 'related'; relationship: Relationship; parent: string; junction: string };

/** A node in another one. */
export interface Embed {
  node: ReadNode;
  /** What it is called by a client, as an alias or as it was written. */
  name: string;
  /** The other name, if it has an alias: paths and conditions may use it too. */
  target: string;
  /** What its result is called in SQL. */
  alias: string;
  isToOne: boolean;
  isSpread: boolean;
  isInner: boolean;
  /** Neither it nor what is in it has columns, so it is nothing but a condition. */
  isEmpty: boolean;
  /** Of a spread one: what its columns that are no aggregates are called in SQL, by the names that clients know. */
  lifted: ReadonlyMap<string, string>;
  /** By what else the parent orders its rows. */
  sortKeys: Expression[];
  /** Whether a path called it by its target although it has an alias. */
  isCalledByTarget: boolean;
}

/** A column and a way into its value. */
export interface PlannedField {
  name: string;
  /** Undefined for what is no column as far as it is known: a computed field, or a mistake. PostgreSQL will tell. */
  column: Column | undefined;
  /** What a row is cast to first, of a computed field. */
  rowType: QualifiedName | undefined;
  path: readonly PlannedStep[];
}

/** A step into a JSON value. */
export interface PlannedStep {
  arrow: JsonStep['arrow'];
  kind: JsonStep['operand']['kind'];
  slot: number;
}

/** What a column is made of. */
export type Expression =
  | { kind: 'field'; field: PlannedField; format: QualifiedName | undefined; cast: string | undefined }
  /** True for each row: what is counted where rows themselves are. */
  | { kind: 'row' }
  /** A column of a spread embed. */
  | { kind: 'lifted'; embed: Embed; column: string; isJson: boolean }
  /** The value of an embed. */
  | { kind: 'embed'; embed: Embed };

/** An aggregate function, and the type that its result is cast to. */
export interface Aggregate {
  name: AggregateName;
  cast: string | undefined;
}

/** An entry of a select list. */
export type Output =
  | { kind: 'all' }
  | { kind: 'column'; name: string; expression: Expression; aggregate: Aggregate | undefined };

/** A condition on rows. */
export type Condition =
  | {
      kind: 'filter';
      field: PlannedField;
      isNegated: boolean;
      comparison: Comparison;
      /** Makes a value of the column's type out of a text. */
      parse: QualifiedName | undefined;
    }
  /** There are rows of an embed, or there are none. */
  | { kind: 'exists'; isNegated: boolean; embed: Embed }
  | { kind: 'and' | 'or'; isNegated: boolean; operands: readonly Condition[] };

/** An operation whose values are slots. */
export type Comparison =
  | {
      kind: 'quantifiable';
      operator: QuantifiableOperator;
      quantifier: 'any' | 'all' | undefined;
      slot: number;
    }
  | { kind: 'simple'; operator: SimpleOperator; slot: number }
  | { kind: 'in'; slot: number }
  | { kind: 'is'; value: IsValue }
  | { kind: 'search'; operator: SearchOperator; config: number | undefined; slot: number };

/** What rows are ordered by: a field, or, of an embed, a column that is spread or one of its sort keys. */
export interface Order {
  by:
    | { kind: 'field'; field: PlannedField }
    | { kind: 'lifted'; embed: Embed; column: string }
    | { kind: 'sort key'; embed: Embed; index: number };
  direction: 'asc' | 'desc' | undefined;
  nulls: 'first' | 'last' | undefined;
}
