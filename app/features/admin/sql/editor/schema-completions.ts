/** Completions for the names of the database. */
import type { Completion } from '@codemirror/autocomplete';
import type { SQLNamespace } from '@codemirror/lang-sql';
import type { DatabaseSchema } from './schema.ts';

const SYSTEM = new Set(['pg_catalog', 'information_schema']);

/** Returns the schemas with their tables and columns. */
export function schemaNamespace({ schemas, tables }: DatabaseSchema): SQLNamespace {
  const bySchema = new Map<string, { [table: string]: SQLNamespace }>(schemas.map((name) => [name, {}]));
  for (const [schema, name, kind, columns] of tables) {
    const inSchema = bySchema.get(schema) ?? {};
    bySchema.set(schema, inSchema);
    inSchema[name] = {
      self: { label: name, type: 'type', detail: kind },
      children: columns.map(([label, type]): Completion => ({ label, type: 'property', detail: type })),
    };
  }
  return Object.fromEntries(
    [...bySchema].map(([name, children]): [string, SQLNamespace] => [
      name,
      { self: { label: name, type: 'namespace', detail: 'schema' }, children },
    ]),
  );
}

/** Returns completions of functions and types. Names outside of `public` and the system have their schema. */
export function functionCompletions({ functions, types }: DatabaseSchema): Completion[] {
  const labelOf = (schema: string, name: string) =>
    SYSTEM.has(schema) || schema === 'public' ? quoted(name) : `${quoted(schema)}.${quoted(name)}`;
  return [
    ...functions.map(([schema, name, parameters = '']): Completion => {
      const label = labelOf(schema, name);
      const info = parameters === '' ? {} : { info: `${name}(${parameters})` };
      return {
        label,
        apply: `${label}(`,
        type: 'function',
        detail: 'function',
        boost: boostOf(schema),
        ...info,
      };
    }),
    ...types.map(([schema, name]): Completion => {
      return { label: labelOf(schema, name), type: 'type', detail: 'type', boost: boostOf(schema) };
    }),
  ];
}

function boostOf(schema: string): number {
  return SYSTEM.has(schema) ? -20 : -5;
}

function quoted(name: string): string {
  return /^[a-z_][a-z0-9_$]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
