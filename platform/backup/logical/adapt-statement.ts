/**
 * Adapts statements of pg_dump to the server and the role that restore them. pg_dump wrote all names in quotes, so an
 * unquoted word is a keyword.
 */
import { quoteIdentifier } from '@greenroom/postgres';
import { tokensOf } from '@greenroom/project/sql';

/** The server and the role that restore. */
export interface RestoringRole {
  /** Role that owned the database of the backup. */
  formerOwner: string;
  /** Role that replaces it. */
  owner: string;
  isSuperuser: boolean;
  /** Major version of the server. */
  version: number;
}

/** The treatment of a statement by a restore. */
type AdaptedStatement =
  | { kind: 'run'; sql: string }
  | { kind: 'skip' }
  /** The server cannot have the object; the restore goes on without it. */
  | { kind: 'omit'; object: string; reason: string }
  /** The server may lack the extension, or the right to create it. */
  | { kind: 'extension'; sql: string; name: string }
  /** Requires that the role may create objects in the schema, or without one in the database. */
  | { kind: 'owner'; sql: string; schema: string | undefined; owner: string };

/** A keyword in lower case, or a name without its quotes. */
interface Part {
  kind: 'word' | 'name' | 'other';
  text: string;
  start: number;
  end: number;
}

/** Older servers do not know the parameter. */
const TRANSACTION_TIMEOUT_VERSION = 17;

/** A statement and its parts. */
interface Statement {
  sql: string;
  parts: readonly Part[];
  /** The first name in quotes. */
  name: string;
}

type Treatment = (statement: Statement, role: RestoringRole) => AdaptedStatement;

const skip: Treatment = () => ({ kind: 'skip' });
const run = (sql: string) => ({ kind: 'run', sql }) as const;

/** The first words of statements, and what to do with them. The first match counts. */
const TREATMENTS: readonly (readonly [words: string, treatment: Treatment])[] = [
  [
    'set transaction_timeout',
    ({ sql }, { version }) => (version < TRANSACTION_TIMEOUT_VERSION ? { kind: 'skip' } : run(sql)),
  ],
  ['create extension', ({ sql, name }) => ({ kind: 'extension', sql, name })],
  // An extension that the server had already belongs to another role.
  ['comment on extension', skip],
  ['create event trigger', createEventTrigger],
  ['alter event trigger', changeEventTrigger],
  ['comment on event trigger', changeEventTrigger],
  ['create schema', ({ name }) => run(`CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(name)}`)],
  // Only a superuser may change the authorization of a session. Rights that another role granted need its role only.
  [
    'set session authorization',
    ({ name, sql }, role) => run(name === '' ? sql : `SET ROLE ${quoteIdentifier(ownerOf(name, role))}`),
  ],
  ['reset session authorization', () => run('RESET ROLE')],
  ['grant', changeRights],
  ['revoke', changeRights],
  ['alter default privileges', changeRights],
  ['create policy', createPolicy],
  ['create user mapping', replaceAfter('for')],
  ['alter', changeOwner],
];

/** @param sql one statement, without comments in front of it */
export function adaptStatement(sql: string, role: RestoringRole): AdaptedStatement {
  const parts = partsOf(sql);
  const name = parts.find(({ kind }) => kind === 'name')?.text ?? '';
  const treatment = TREATMENTS.find(([words]) => beginsWith(parts, words))?.[1];
  return treatment?.({ sql, parts, name }, role) ?? run(sql);
}

function beginsWith(parts: readonly Part[], words: string): boolean {
  return words.split(' ').every((word, index) => isWord(parts[index], word));
}

function isWord(part: Part | undefined, ...words: readonly string[]): boolean {
  return part?.kind === 'word' && words.includes(part.text);
}

function createEventTrigger({ sql, name }: Statement, { isSuperuser }: RestoringRole): AdaptedStatement {
  if (isSuperuser) return run(sql);
  return { kind: 'omit', object: `event trigger ${name}`, reason: 'only a superuser may create it' };
}

/** Only superusers own event triggers, so the role that creates one stays its owner. */
function changeEventTrigger({ sql, parts }: Statement, { isSuperuser }: RestoringRole): AdaptedStatement {
  return isSuperuser && !namesOwner(parts) ? run(sql) : { kind: 'skip' };
}

/** Roles are named at the end, and in default privileges also after `for role`. */
function changeRights(statement: Statement, role: RestoringRole): AdaptedStatement {
  const { parts } = statement;
  const last = parts.findLastIndex((part) => isWord(part, 'to', 'from'));
  const isRole = (index: number) => (last !== -1 && index > last) || isWord(parts[index - 1], 'role');
  return replaceRoles(statement, role, isRole);
}

/** `create policy … to "role", … using (…) with check (…)` */
function createPolicy(statement: Statement, role: RestoringRole): AdaptedStatement {
  const { parts } = statement;
  const to = parts.findIndex((part) => isWord(part, 'to'));
  const end = parts.findIndex((part) => isWord(part, 'using', 'with'));
  return replaceRoles(statement, role, (index) => to !== -1 && index > to && (end === -1 || index < end));
}

function replaceAfter(word: string): Treatment {
  return (statement, role) =>
    replaceRoles(statement, role, (index) => isWord(statement.parts[index - 1], word));
}

/** `alter … owner to "role"` */
function changeOwner(statement: Statement, role: RestoringRole): AdaptedStatement {
  const { parts, name, sql } = statement;
  if (!namesOwner(parts)) return run(sql);
  const replaced = replaceRoles(statement, role, (index) => index === parts.length - 1);
  const dot = parts[parts.findIndex(({ kind }) => kind === 'name') + 1];
  const schema = dot?.text === '.' ? name : undefined;
  return { kind: 'owner', sql: replaced.sql, schema, owner: ownerOf(parts.at(-1)?.text ?? '', role) };
}

function namesOwner(parts: readonly Part[]): boolean {
  return isWord(parts.at(-3), 'owner') && isWord(parts.at(-2), 'to');
}

function ownerOf(name: string, { formerOwner, owner }: RestoringRole): string {
  return name === formerOwner ? owner : name;
}

/** Replaces the former owner where a name is that of a role. */
function replaceRoles(
  { sql, parts }: Statement,
  { formerOwner, owner }: RestoringRole,
  isRole: (index: number) => boolean,
): { kind: 'run'; sql: string } {
  const replaced = parts.filter(
    ({ kind, text }, index) => kind === 'name' && text === formerOwner && isRole(index),
  );
  return run(
    replaced.reduceRight(
      (text, { start, end }) => text.slice(0, start) + quoteIdentifier(owner) + text.slice(end),
      sql,
    ),
  );
}

function partsOf(sql: string): Part[] {
  const parts: Part[] = [];
  for (const { kind, start, end } of tokensOf(sql)) {
    if (kind === 'space' || kind === 'comment') continue;
    const text = sql.slice(start, end);
    if (kind === 'word') parts.push({ kind: 'word', text: text.toLowerCase(), start, end });
    else if (kind === 'quoted' && text.startsWith('"'))
      parts.push({ kind: 'name', text: text.slice(1, -1).replaceAll('""', '"'), start, end });
    else parts.push({ kind: 'other', text, start, end });
  }
  return parts;
}
