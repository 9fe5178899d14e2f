/**
 * The plan of a read as a tree: one node for the root relation and one for each embed. It contains names and the slots of
 * values, but no values.
 */
import type { IsValue, QuantifiableOperator, SearchOperator, SimpleOperator } from '../operators.ts';
import type { AggregateName, JsonStep } from '../query/ast.ts';
import type { Column, QualifiedName, Relation, Relationship } from '../schema-cache/schema-cache.ts';

/** The rows of one relation and their embeds. */
export interface ReadNode {
  /** Undefined if the schema cache does not know the relation, as for most results of functions. */
  relation: Relation | undefined;
  from: NodeSource;
  /** For written rows or rows of a call: the type that a row must be cast to before it is passed to a function. */
  rowType: QualifiedName | undefined;
  /** Alias of the rows in SQL, unique in the tree. */
  alias: string;
  columns: Output[];
  /** Whether the node has aggregates and is therefore grouped by all other columns. */
  isGrouped: boolean;
  /** Conditions that are combined by AND. */
  conditions: Condition[];
  order: Order[];
  /** Slot of the limit. */
  limit: number | undefined;
  /** Slot of the offset. */
  offset: number | undefined;
  /** Maximum number of rows, independent of the limit. */
  maxRows: number | undefined;
  /** Whether an optimization fence makes PostgreSQL plan the node as a separate subquery instead of a join. */
  isFenced: boolean;
  embeds: Embed[];
}

/** The source of the rows of a node. */
export type NodeSource =
  | { kind: 'relation'; name: QualifiedName }
  /** A common table expression with written rows or the rows of a call. */
  | { kind: 'cte'; name: string }
  | { kind: 'related'; relationship: Relationship; parent: string; junction: string };

/** A node that is embedded in another node. */
export interface Embed {
  node: ReadNode;
  /** The name in the response: the alias or, without one, the target. */
  name: string;
  /** The target as the client wrote it. Paths may refer to it even if there is an alias. */
  target: string;
  /** Alias of the result in SQL. */
  alias: string;
  isToOne: boolean;
  isSpread: boolean;
  isInner: boolean;
  /** Whether the embed and its own embeds have no columns, so that it is only a condition. */
  isEmpty: boolean;
  /** For a spread embed: the SQL names of its columns, except aggregates, by the names that clients use. */
  lifted: ReadonlyMap<string, string>;
  /** Additional columns by which the parent orders its rows. */
  sortKeys: Expression[];
  /** Whether the embed is also a condition on the parent's rows, see ./semi-joins.ts. */
  hasSemiJoin: boolean;
  /** Whether a path refers to the embed by its target although it has an alias. */
  isReferencedByTarget: boolean;
}

/** A column and a path into its JSON value. */
export interface PlannedField {
  name: string;
  /** Undefined for a computed field or an unknown name, which PostgreSQL reports. */
  column: Column | undefined;
  /** For a computed field: the type that the row is cast to before the call. */
  rowType: QualifiedName | undefined;
  path: readonly PlannedStep[];
}

/** One step of a JSON path. */
export interface PlannedStep {
  arrow: JsonStep['arrow'];
  kind: JsonStep['operand']['kind'];
  slot: number;
}

/** The expression of a column. */
export type Expression =
  | { kind: 'field'; field: PlannedField; format: QualifiedName | undefined; cast: string | undefined }
  /** The row itself, for `count(*)`. */
  | { kind: 'row' }
  /** A column that is taken from a spread embed. */
  | { kind: 'lifted'; embed: Embed; column: string; isJson: boolean }
  /** The JSON value of an embed. */
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

export type Condition =
  | {
      kind: 'filter';
      field: PlannedField;
      isNegated: boolean;
      comparison: Comparison;
      /** The function that parses a text to the type of the column. */
      parse: QualifiedName | undefined;
    }
  /** Whether an embed has rows. */
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

/** One sort key of a node: a field, a column of a spread embed, or a sort key of an embed. */
export interface Order {
  by:
    | { kind: 'field'; field: PlannedField }
    | { kind: 'lifted'; embed: Embed; column: string }
    | { kind: 'sort key'; embed: Embed; index: number };
  direction: 'asc' | 'desc' | undefined;
  nulls: 'first' | 'last' | undefined;
}
