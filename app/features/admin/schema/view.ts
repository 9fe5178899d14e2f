/** The data of the structure page. */
import type { RefusedView } from '../shared/as-admin.server.ts';
import type { FunctionDefinition, SchemaObjects, TableDefinition } from './definition.ts';
import type { Differences } from './differences.ts';
import type { FormName } from './forms.ts';
import type { FormValues } from './sql/values.ts';

/** Whether schemas can be changed. */
export interface ChangeAccess {
  isAllowed: boolean;
  refusal: 'setting' | 'public_url' | 'read_only_folder' | null;
  writesMigrations: boolean;
}

/** Why a submitted form did not run. */
export type FormProblem =
  /** Required fields are empty. */
  | { kind: 'missing'; fields: readonly string[] }
  /** The form changes nothing. */
  | { kind: 'no-change' }
  /** The form showed other SQL, e.g. because it works without scripts. */
  | { kind: 'check-sql' }
  /** The typed name is another one. */
  | { kind: 'name' }
  /** Another administrator has changed the definition. */
  | { kind: 'conflict'; differences: Differences }
  /** PostgreSQL or the service refused the statements. */
  | { kind: 'refused'; message: string; detail: string; hint: string; offset: number | null };

/** An open form. */
export interface OpenForm {
  form: FormName;
  object: string;
  routine: FunctionDefinition | undefined;
  /** Hash of the definition that the form is based on; '' for a new object. */
  hash: string;
  /** Lines of that definition. */
  basis: string;
  dependents: readonly string[];
  /** Submitted values; undefined for a new form. */
  values: FormValues | undefined;
  /** Submitted name of the migration. */
  migrationName: string;
  problem: FormProblem | undefined;
}

/** The data of the page. */
export type StructureView =
  | RefusedView
  /** The backend is hosted elsewhere. */
  | { kind: 'hosted' }
  | { kind: 'unavailable' }
  | {
      kind: 'structure';
      schema: string;
      /** Name of the selected table; '' without one. */
      tableName: string;
      objects: SchemaObjects;
      /** Undefined if no table is selected, or it does not exist. */
      table: TableDefinition | undefined;
      access: ChangeAccess;
      open: OpenForm | undefined;
    };
