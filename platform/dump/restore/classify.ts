/**
 * Decides what happens to a statement of a backup. A backup of a hosted project contains the whole platform: its roles,
 * the schemas of its services and its event triggers. These exist here already, in the versions of Greenroom.
 */
import { RESERVED_ROLE } from '../reserved-roles.ts';
import {
  beginsWith,
  nameAfter,
  partsOf,
  type QualifiedName,
  qualifiedNameFrom,
  type StatementPart,
} from './statement-parts.ts';

/**
 * `skip`: the statement does not run. `run`: it must succeed. `tolerate`: it is about the platform, so errors of these
 * SQLSTATEs (or classes of them) mean that the object exists already, or does not exist here. `rows`: it writes rows of the
 * platform.
 */
export type Treatment =
  | { kind: 'skip' }
  | { kind: 'run'; sql: string }
  | { kind: 'tolerate'; sql: string; states: readonly string[] }
  | { kind: 'rows'; table: QualifiedName; parts: readonly StatementPart[] };

/** Schemas of services that Greenroom does not have, and its own. */
const FOREIGN_SCHEMAS: readonly string[] = [
  ...['_analytics', '_realtime', '_supavisor', 'etl', 'greenroom', 'pgbouncer'],
];
/** Schemas of services and extensions, which a new database or an extension contains. */
const PLATFORM_SCHEMAS: readonly string[] = [
  ...['auth', 'cron', 'extensions', 'graphql', 'graphql_public', 'net', 'pgmq', 'pgsodium', 'pgsodium_masks'],
  ...['pgtle', 'realtime', 'storage', 'supabase_functions', 'vault'],
];
const DUPLICATE = ['42710', '42P06', '42P07', '42723', '42701', '42P16'];
const UNDEFINED_TABLE = '42P01';
const DENIED = '42501';
/** Syntax errors and access rules, unknown schemas, missing features, objects in a wrong state. */
const OF_PLATFORM = ['42', '3F', '0A', '55'];
const SKIP: Treatment = { kind: 'skip' };

/** Returns the treatment of a statement. */
export function classify(sql: string): Treatment {
  const parts = partsOf(sql);
  const words = parts.map(({ text }) => text);
  if (isOfServer(words) || isOfPlatformRole(parts)) return SKIP;
  if (isAboutRole(words)) return roleStatement(sql, words);
  if (beginsWith(parts, 'create', 'extension')) return { kind: 'run', sql };
  if (words.includes('schema') && isAboutSchema(words)) return schemaStatement(sql, parts);
  if (isOfPublication(parts)) return { kind: 'tolerate', sql, states: [...DUPLICATE, DENIED] };
  const sequence = sequenceOf(parts);
  const object = sequence ?? qualifiedNameFrom(parts);
  if (object === undefined) return { kind: 'run', sql };
  if (FOREIGN_SCHEMAS.includes(object.schema)) return SKIP;
  if (!PLATFORM_SCHEMAS.includes(object.schema)) return { kind: 'run', sql };
  // Queues belong to the project, although their schema does not.
  if (object.schema !== 'pgmq' && isGrantToPlatform(words)) return SKIP;
  if (sequence) return { kind: 'tolerate', sql, states: [UNDEFINED_TABLE] };
  if (['copy', 'insert'].includes(words[0] ?? '')) return { kind: 'rows', table: object, parts };
  return { kind: 'tolerate', sql, states: toleratedFor(parts) };
}

/** Event triggers, databases and comments on extensions belong to the server. */
function isOfServer([first = '', second = '', third = '', fourth = '']: readonly string[]): boolean {
  if (second === 'event' && third === 'trigger') return true;
  if (['create', 'alter', 'drop'].includes(first) && second === 'database') return true;
  return (
    first === 'comment' &&
    (['database', 'extension'].includes(third) || (third === 'event' && fourth === 'trigger'))
  );
}

/** Statements that change a role of the platform, its default privileges, or hand an object over to it. */
function isOfPlatformRole(parts: readonly StatementPart[]): boolean {
  const owner = parts.findIndex(({ text }, index) => text === 'to' && parts[index - 1]?.text === 'owner');
  const role =
    owner !== -1 && beginsWith(parts, 'alter')
      ? parts[owner + 1]?.text
      : beginsWith(parts, 'alter', 'default', 'privileges')
        ? nameAfter(parts, 'role')
        : undefined;
  return role !== undefined && role !== 'postgres' && RESERVED_ROLE.test(role);
}

function isAboutRole(words: readonly string[]): boolean {
  const [first = '', second = '', third = ''] = words;
  if (['create', 'alter', 'drop'].includes(first))
    return ['role', 'user', 'group'].includes(second) && third !== 'mapping';
  if (first === 'comment') return third === 'role';
  return ['grant', 'revoke'].includes(first) && !words.includes('on');
}

function roleStatement(sql: string, words: readonly string[]): Treatment {
  const [first = '', second = '', third = '', fourth = ''] = words;
  const role = first === 'comment' ? fourth : ['grant', 'revoke'].includes(first) ? second : third;
  if (RESERVED_ROLE.test(role)) return SKIP;
  if (first === 'create') return { kind: 'tolerate', sql, states: ['42710'] };
  // `postgres` may not name this attribute, and roles do not have it unless they are given it. It is also the only role that
  // can be the grantor.
  const allowed = sql.replace(/\bNOSUPERUSER\b/, '').replace(/\s+GRANTED BY\s+(?:"[^"]*"|\w+)\s*$/, '');
  return { kind: 'run', sql: allowed };
}

function isAboutSchema([first = '', second = '', third = '']: readonly string[]): boolean {
  if (['create', 'alter', 'drop'].includes(first)) return second === 'schema';
  if (first === 'comment') return third === 'schema';
  return ['grant', 'revoke'].includes(first);
}

function schemaStatement(sql: string, parts: readonly StatementPart[]): Treatment {
  const schema = nameAfter(parts, 'schema') ?? '';
  if (FOREIGN_SCHEMAS.includes(schema)) return SKIP;
  if (PLATFORM_SCHEMAS.includes(schema))
    return isGrantToPlatform(parts.map(({ text }) => text))
      ? SKIP
      : { kind: 'tolerate', sql, states: OF_PLATFORM };
  if (/^\s*(?:create|comment)\b/i.test(sql)) return { kind: 'tolerate', sql, states: ['42P06', DENIED] };
  return { kind: 'run', sql };
}

/** Whether a statement changes what a role of the platform, or every role, may do. The rights of a new database stay. */
function isGrantToPlatform(words: readonly string[]): boolean {
  const preposition = { grant: 'to', revoke: 'from' }[words[0] ?? ''];
  if (preposition === undefined) return false;
  const grantee = words[words.lastIndexOf(preposition) + 1] ?? '';
  return grantee === 'public' || RESERVED_ROLE.test(grantee);
}

/** Publications of realtime exist already; adding a table of the project must succeed. */
function isOfPublication(parts: readonly StatementPart[]): boolean {
  const name = beginsWith(parts, 'comment') ? parts[3]?.text : parts[2]?.text;
  if (![parts[1]?.text, parts[2]?.text].includes('publication')) return false;
  return (name ?? '').startsWith('supabase_realtime') && qualifiedNameFrom(parts) === undefined;
}

/** Returns the sequence of `select pg_catalog.setval('schema.name', …)`. */
function sequenceOf(parts: readonly StatementPart[]): QualifiedName | undefined {
  if (!beginsWith(parts, 'select', 'pg_catalog', '.', 'setval')) return undefined;
  const text = parts.find(({ kind }) => kind === 'string')?.text;
  return text === undefined ? undefined : qualifiedNameFrom(partsOf(text));
}

/** A policy or a trigger of the project on a table of the platform must succeed. */
function toleratedFor(parts: readonly StatementPart[]): readonly string[] {
  if (!beginsWith(parts, 'create')) return OF_PLATFORM;
  if (parts[1]?.text === 'policy') return ['42710', UNDEFINED_TABLE];
  if (!parts.slice(1, 5).some(({ text }) => text === 'trigger')) return OF_PLATFORM;
  const execute = parts.findIndex(({ text }) => text === 'execute');
  const run = execute === -1 ? undefined : qualifiedNameFrom(parts, execute);
  return run && [...PLATFORM_SCHEMAS, ...FOREIGN_SCHEMAS].includes(run.schema)
    ? OF_PLATFORM
    : ['42710', UNDEFINED_TABLE];
}
