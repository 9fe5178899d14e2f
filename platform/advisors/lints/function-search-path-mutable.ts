import { defineLint } from '../lint.ts';

/** 0011: functions without a fixed search path. */
export const functionSearchPathMutable = defineLint<{
  schema: string;
  name: string;
  type: string;
  arguments: string;
  source_hash: string;
}>({
  name: 'function_search_path_mutable',
  title: 'Function Search Path Mutable',
  level: 'WARN',
  category: 'SECURITY',
  description:
    'The names in a function without a search path are resolved by the search path of its caller, who can thereby replace the objects that it uses.',
  remediation: "Set the path and qualify the names in the function: alter function … set search_path = ''.",
  sql: `
    select r.schema, r.name, 'function' as type, r.arguments, r.source_hash
    from routine r
    where not exists (select from unnest(r.settings) s(setting) where s.setting like 'search\\_path=%')
    order by r.schema, r.name, r.arguments`,
  report: ({ source_hash: hash, ...object }) => ({
    detail: `Function ${object.schema}.${object.name}(${object.arguments}) has no fixed search path.`,
    metadata: object,
    key: [object.schema, object.name, hash],
  }),
});
