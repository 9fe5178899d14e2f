/** The fields of a form of a schema change. */

/** A field of a form. Its label is `texts.fields[name]`. */
export type FormField =
  | { kind: 'text' | 'type' | 'area' | 'code'; name: FieldName; value?: string }
  | { kind: 'check'; name: FieldName; isChecked?: boolean }
  | { kind: 'select'; name: FieldName; options: readonly string[]; value?: string }
  | { kind: 'choices'; name: FieldName; options: readonly string[]; chosen?: readonly string[] }
  | { kind: 'columns' };

/** The name of a field with a label. */
export type FieldName =
  | 'name'
  | 'schema'
  | 'comment'
  | 'row_security'
  | 'force_row_security'
  | 'type'
  | 'default'
  | 'not_null'
  | 'unique'
  | 'identity'
  | 'generated'
  | 'using'
  | 'columns'
  | 'kind'
  | 'nulls_not_distinct'
  | 'target'
  | 'target_schema'
  | 'target_columns'
  | 'on_update'
  | 'on_delete'
  | 'deferrable'
  | 'expression'
  | 'not_valid'
  | 'method'
  | 'where'
  | 'concurrently'
  | 'values'
  | 'value'
  | 'before'
  | 'from'
  | 'to'
  | 'timing'
  | 'events'
  | 'level'
  | 'when'
  | 'routine'
  | 'arguments'
  | 'returns'
  | 'language'
  | 'behavior'
  | 'security_definer'
  | 'body'
  | 'operations'
  | 'tables'
  | 'cascade';

/** Returns the values of a new form, as the browser would send them. */
export function initialValues(fields: readonly FormField[]): Record<string, string[]> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      if (field.kind === 'columns') return [];
      if (field.kind === 'check') return field.isChecked ? [[field.name, ['on']]] : [];
      if (field.kind === 'choices') return [[field.name, [...(field.chosen ?? [])]]];
      return [[field.name, [field.value ?? '']]];
    }),
  );
}
