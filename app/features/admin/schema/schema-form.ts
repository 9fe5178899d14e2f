/** A form of a schema change, and helpers of its fields. */
import type { StructureContext } from './definition.ts';
import type { DefinedKind, DependedKind } from './definition-query.ts';
import type { FieldName, FormField } from './form-field.ts';
import type { Planner } from './sql/plan.ts';

/** A form of a schema change. */
export interface SchemaForm {
  plan: Planner;
  fields(context: StructureContext): readonly FormField[];
  /** The object whose definition the form is based on. Undefined for a new object, which fails if it exists. */
  basis?: DefinedKind;
  /** The form drops an object: the page shows the objects that depend on it. */
  drops?: DependedKind;
  /** The object cannot be restored, so its name must be typed. */
  asksForName?: true;
}

/** A line of text. */
export function text(name: FieldName, value?: string | null): FormField {
  return { kind: 'text', name, value: value ?? '' };
}

/** A checkbox. */
export function check(name: FieldName, isChecked = false): FormField {
  return { kind: 'check', name, isChecked };
}

/** One of several options; the first one, unless another one is given. */
export function select(name: FieldName, options: readonly string[], value?: string | null): FormField {
  return { kind: 'select', name, options, value: value ?? options[0] ?? '' };
}

/** The fields of a form that drops an object. */
export function cascade(): FormField[] {
  return [check('cascade')];
}
