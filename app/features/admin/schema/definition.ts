/** Definitions of tables and other objects, as the pages show them. */

/** A column of a table. */
export interface ColumnDefinition {
  name: string;
  /** As `format_type` writes it. */
  type: string;
  /** Expression; null without one, and for a generated column. */
  default: string | null;
  is_not_null: boolean;
  identity: 'always' | 'by default' | null;
  /** Expression of a generated column. */
  generated: string | null;
  comment: string | null;
}

/** The kind of a constraint, as `pg_constraint.contype`. */
type ConstraintKind = 'p' | 'f' | 'u' | 'c' | 'x';

/** A constraint of a table. */
interface ConstraintDefinition {
  name: string;
  kind: ConstraintKind;
  definition: string;
}

/** An index of a table. */
interface IndexDefinition {
  name: string;
  definition: string;
  is_valid: boolean;
  /** Whether it belongs to a constraint, with which it is dropped. */
  is_of_constraint: boolean;
}

/** A trigger of a table. */
interface TriggerDefinition {
  name: string;
  definition: string;
  is_enabled: boolean;
}

/** A table. Everything that a change can depend on, and nothing that changes with rows. */
export interface TableDefinition {
  schema: string;
  name: string;
  comment: string | null;
  has_row_security: boolean;
  forces_row_security: boolean;
  columns: readonly ColumnDefinition[];
  constraints: readonly ConstraintDefinition[];
  indexes: readonly IndexDefinition[];
  triggers: readonly TriggerDefinition[];
  /** Names of publications that name the table. */
  publications: readonly string[];
  /** Number of policies. */
  policies: number;
}

/** An enumerated type. */
interface EnumDefinition {
  name: string;
  values: readonly string[];
}

/** A function in a list. */
interface FunctionEntry {
  name: string;
  /** Types of its arguments, as they identify it. */
  arguments: string;
  returns: string;
  language: string;
}

/** A function with its text. */
export interface FunctionDefinition extends FunctionEntry {
  schema: string;
  /** `create or replace function …`. */
  statement: string;
  body: string;
  behavior: 'immutable' | 'stable' | 'volatile';
  is_security_definer: boolean;
}

/** A publication. `tables` is null for one of all tables. */
export interface PublicationDefinition {
  name: string;
  /** Without `truncate`: parts of `insert, update, delete, truncate`. */
  operations: readonly string[];
  tables: readonly { schema: string; name: string }[] | null;
}

/** An extension that is available. */
interface ExtensionEntry {
  name: string;
  /** Null if it is not installed. */
  version: string | null;
  schema: string | null;
  comment: string | null;
}

/** A table in a list. */
interface TableEntry {
  name: string;
  comment: string | null;
  has_row_security: boolean;
}

/** The objects of a schema, and those of the database. */
export interface SchemaObjects {
  schemas: readonly string[];
  tables: readonly TableEntry[];
  enums: readonly EnumDefinition[];
  functions: readonly FunctionEntry[];
  publications: readonly PublicationDefinition[];
  extensions: readonly ExtensionEntry[];
  /** Names of types for new columns, as they are written in SQL. */
  types: readonly string[];
  /** Functions that triggers can call, as they are written in SQL. */
  trigger_functions: readonly string[];
}

/** The objects that a form changes and offers. */
export interface StructureContext {
  schema: string;
  objects: SchemaObjects;
  /** The table that the page shows. */
  table: TableDefinition | undefined;
  /** The function that the form changes. */
  routine: FunctionDefinition | undefined;
  /** Name of the object that the form changes: a column, a constraint, an index, an enumerated type … */
  object: string;
}
