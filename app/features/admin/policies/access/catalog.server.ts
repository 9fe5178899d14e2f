/** Reads roles, tables, policies and people from the database. */
import type { MetaClient } from '../../../../session/meta-client.server.ts';
import { likeText } from '../../shared/like-text.ts';
import {
  COLUMN_RIGHTS_QUERY,
  COLUMNS_QUERY,
  PEOPLE_QUERY,
  PERSON_QUERY,
  ROLES_QUERY,
  TABLES_QUERY,
} from './catalog-sql.ts';
import type { ColumnInfo, PersonRow, RoleInfo, TableInfo, TableName, Verb } from './model.ts';

/** The rights of a role on a column. */
type ColumnRights = { name: string } & Record<Exclude<Verb, 'delete'>, boolean>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the roles of requests. */
export function loadRoles(meta: MetaClient): Promise<RoleInfo[]> {
  return meta.rows<RoleInfo>(ROLES_QUERY);
}

/** Returns all tables and views. */
export function loadTables(meta: MetaClient): Promise<TableInfo[]> {
  return meta.rows<TableInfo>(TABLES_QUERY, [null, null, 'readable']);
}

/** Returns a table; undefined if there is none. @param names whether names in the expressions of policies have their schemas */
export async function loadTable(
  meta: MetaClient,
  { schema, name }: TableName,
  names: 'readable' | 'qualified' = 'readable',
): Promise<TableInfo | undefined> {
  const [table] = await meta.rows<TableInfo>(TABLES_QUERY, [schema, name, names]);
  return table;
}

/** Returns the columns of a table. */
export function loadColumns(meta: MetaClient, { schema, name }: TableName): Promise<ColumnInfo[]> {
  return meta.rows<ColumnInfo>(COLUMNS_QUERY, [schema, name]);
}

/** Returns the rights of a role on the columns of a table. */
export function loadColumnRights(
  meta: MetaClient,
  { schema, name }: TableName,
  role: string,
): Promise<ColumnRights[]> {
  return meta.rows<ColumnRights>(COLUMN_RIGHTS_QUERY, [schema, name, role]);
}

/** Returns users with this id, or whose email address begins with the text. */
export async function findPeople(meta: MetaClient, text: string): Promise<PersonRow[]> {
  if (text === '') return [];
  if (UUID.test(text)) return meta.rows<PersonRow>(PERSON_QUERY, [text]);
  const pattern = `${likeText(text.toLowerCase())}%`;
  return meta.rows<PersonRow>(PEOPLE_QUERY, [pattern]);
}

/** Returns a user; undefined if there is none. */
export async function loadPerson(meta: MetaClient, id: string): Promise<PersonRow | undefined> {
  return UUID.test(id) ? (await meta.rows<PersonRow>(PERSON_QUERY, [id]))[0] : undefined;
}
