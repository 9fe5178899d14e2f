/** The forms of schema changes. Their names are the actions of the audit log. */
import type { SchemaForm } from './schema-form.ts';
import { SCHEMA_FORMS } from './schema-forms.ts';
import { TABLE_FORMS } from './table-forms.ts';

const FORMS = { ...SCHEMA_FORMS, ...TABLE_FORMS };

/** The name of a form. */
export type FormName = keyof typeof FORMS;

/** Returns a form. */
export function formOf(name: FormName): SchemaForm {
  return FORMS[name];
}

/** Returns whether a form has this name. */
export function isFormName(name: string): name is FormName {
  return Object.hasOwn(FORMS, name);
}

/** Returns whether a form changes the table that the page shows. */
export function isTableForm(name: FormName): boolean {
  return Object.hasOwn(TABLE_FORMS, name);
}
