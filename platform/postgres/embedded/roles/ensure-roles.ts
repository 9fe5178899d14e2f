/**
 * Gives a cluster the roles of a hosted project: the superuser `supabase_admin`, and `postgres`, which owns the database of
 * the project. New clusters get them once; clusters of earlier versions, where `postgres` was the superuser, are changed.
 * Each stage is recognised from the catalog, so a start that was killed can be repeated.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '@greenroom/data-folder';
import type pg from 'pg';
import { passwordStatement } from '../../role-login.ts';
import type { RunAs } from '../run-as.ts';
import { readTemplatePassword, removeTemplatePassword } from '../template.ts';
import { createProjectOwner } from './create-project-owner.ts';
import { databasesToHandOver, handOverDatabase, removeFormerAdmin } from './hand-over.ts';
import { logInAsSuperuser, loginUrl } from './log-in.ts';
import { FORMER_ADMIN, renameSuperuser } from './rename-superuser.ts';
import { PROJECT_OWNER, type RolePasswords, SUPERUSER } from './role-names.ts';

/** A digest of the passwords that the roles of the cluster have; a start with the same ones needs no connection. */
const STATE_FILE = 'greenroom.roles';

/** Options of {@link ensureRoles}. */
interface EnsureRolesOptions {
  /** Connection URL of the running server; its role and password are replaced. */
  url: string;
  passwords: RolePasswords;
  runAs: RunAs | undefined;
  /** Whether the cluster was created by this start. */
  isNew: boolean;
  onProgress: (message: string) => void;
}

/**
 * Ensures that both roles exist and have their passwords, and that objects of the project belong to `postgres`.
 * @param cluster folder of the cluster
 */
export async function ensureRoles(cluster: string, options: EnsureRolesOptions): Promise<void> {
  const { url, passwords, runAs, isNew } = options;
  const path = join(cluster, STATE_FILE);
  const state = stateOf(passwords);
  const known = await readFile(path, 'utf8').catch(() => undefined);
  if (known !== state) {
    const templatePassword = await readTemplatePassword(cluster);
    const mayBeFormer = !isNew && known === undefined;
    const client = await logInAsSuperuser({ cluster, url, passwords, templatePassword, mayBeFormer });
    try {
      await completeRoles(client, options);
    } finally {
      await client.end();
    }
    await writeFileAtomically(path, state, 0o600, runAs);
  }
  await removeTemplatePassword(cluster);
}

function stateOf({ superuser, projectOwner }: RolePasswords): string {
  return createHash('sha256')
    .update(JSON.stringify(['greenroom roles 1', superuser, projectOwner]))
    .digest('hex');
}

interface ClusterRoles {
  bootstrap: string;
  hasAdmin: boolean;
  hasOwner: boolean;
  /** Whether an earlier start has renamed the superuser and was interrupted. */
  isHandOverDue: boolean;
}

const READ_ROLES = `
  select
    (select rolname from pg_catalog.pg_roles where oid = 10) as bootstrap,
    exists (select from pg_catalog.pg_roles where rolname = '${SUPERUSER}') as "hasAdmin",
    exists (select from pg_catalog.pg_roles where rolname = '${PROJECT_OWNER}') as "hasOwner",
    exists (select from pg_catalog.pg_roles where rolname = '${FORMER_ADMIN}') as "isHandOverDue"`;

async function completeRoles(client: pg.Client, options: EnsureRolesOptions): Promise<void> {
  const { passwords, onProgress } = options;
  const { rows } = await client.query<ClusterRoles>(READ_ROLES);
  const [roles] = rows;
  if (!roles) throw new Error('the cluster has no bootstrap role');
  const setPasswords = await Promise.all([
    passwordStatement(SUPERUSER, passwords.superuser),
    passwordStatement(PROJECT_OWNER, passwords.projectOwner),
  ]);
  const isFormerLayout = roles.bootstrap !== SUPERUSER;
  if (isFormerLayout) {
    onProgress(
      'changing the roles of the database: supabase_admin becomes the superuser, postgres the owner of the project',
    );
    await inTransaction(client, [...renameSuperuser(roles.bootstrap, roles.hasAdmin), ...setPasswords]);
  } else {
    await inTransaction(client, [...(roles.hasOwner ? [] : createProjectOwner()), ...setPasswords]);
  }
  if (isFormerLayout || roles.isHandOverDue) await handOver(client, options);
}

async function handOver(client: pg.Client, { url, passwords }: EnsureRolesOptions): Promise<void> {
  for (const database of await databasesToHandOver(client)) {
    await handOverDatabase(loginUrl(url, { role: SUPERUSER, password: passwords.superuser, database }));
  }
  await removeFormerAdmin(client);
}

async function inTransaction(client: pg.Client, statements: readonly string[]): Promise<void> {
  await client.query(['begin', ...statements, 'commit'].join(';\n'));
}
