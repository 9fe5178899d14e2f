/** Templates of policies. */
import { quoteIdentifier } from '../../shared/sql-identifier.ts';
import type { PolicyDefinition, TableName } from '../access/model.ts';

/** The ids of the templates, in the order of the list. Their titles are texts. */
export const TEMPLATES = [
  'own-rows',
  'own-rows-read',
  'public-read',
  'signed-in-read',
  'signed-in-insert',
  'team',
  'claim',
  'admins',
  'own-folder',
  'two-factor',
] as const;

/** The id of a template. */
type TemplateId = (typeof TEMPLATES)[number];

/** A column of the table. */
interface Column {
  name: string;
  type: string;
}

/** Names of columns that often hold the id of the owner, the likeliest first. */
const OWNER_COLUMNS = ['user_id', 'owner_id', 'owner', 'created_by', 'author_id', 'profile_id'];
const TEAM_COLUMNS = ['team_id', 'organization_id', 'organisation_id', 'org_id', 'tenant_id', 'group_id'];

const UID = '(select auth.uid())';

/** Returns a template, filled in for a table. */
export function templateFor(id: TemplateId, columns: readonly Column[]): PolicyDefinition {
  const owner = quoteIfNeeded(columnOf(columns, OWNER_COLUMNS, 'uuid'));
  const team = quoteIfNeeded(columnOf(columns, TEAM_COLUMNS));
  const own = `${UID} = ${owner}`;
  const membership = `${team} in (select team_id from team_members where user_id = ${UID})`;
  const policies: Record<TemplateId, PolicyDefinition> = {
    'own-rows': define('Owners manage their rows', 'all', ['authenticated'], own, own),
    'own-rows-read': define('Owners read their rows', 'select', ['authenticated'], own),
    'public-read': define('Everyone can read', 'select', ['anon', 'authenticated'], 'true'),
    'signed-in-read': define('Signed-in users can read', 'select', ['authenticated'], 'true'),
    'signed-in-insert': define('Signed-in users add their rows', 'insert', ['authenticated'], null, own),
    team: define('Members of the team', 'all', ['authenticated'], membership, membership),
    claim: define(
      'Users of the tenant',
      'all',
      ['authenticated'],
      `${team}::text = (select auth.jwt() -> 'app_metadata' ->> 'tenant_id')`,
      `${team}::text = (select auth.jwt() -> 'app_metadata' ->> 'tenant_id')`,
    ),
    admins: define('Administrators', 'all', ['authenticated'], ADMIN, ADMIN),
    'own-folder': define('Own folder', 'all', ['authenticated'], FOLDER, FOLDER),
    'two-factor': {
      ...define('Requires a second factor', 'all', ['authenticated'], AAL2, AAL2),
      isPermissive: false,
    },
  };
  return policies[id];
}

const ADMIN = `(select auth.jwt() -> 'app_metadata' ->> 'role') = 'admin'`;
const FOLDER = `bucket_id = 'files' and (storage.foldername(name))[1] = (select auth.uid()::text)`;
const AAL2 = `(select auth.jwt() ->> 'aal') = 'aal2'`;

/** Returns the templates that suit a table: the one of folders is for `storage.objects` only. */
export function templatesFor({ schema, name }: TableName): readonly TemplateId[] {
  const isObjects = schema === 'storage' && name === 'objects';
  return TEMPLATES.filter((id) => id !== 'own-folder' || isObjects);
}

/** Returns whether a text is the id of a template. */
export function isTemplateId(text: string): text is TemplateId {
  return TEMPLATES.some((id) => id === text);
}

function define(
  name: string,
  command: PolicyDefinition['command'],
  roles: string[],
  using: string | null,
  check: string | null = null,
): PolicyDefinition {
  return { name, command, isPermissive: true, roles, using, check };
}

function columnOf(columns: readonly Column[], names: readonly string[], type?: string): string {
  const known = names.find((name) => columns.some((column) => column.name === name));
  const ofType = type && columns.find((column) => column.type === type && column.name !== 'id')?.name;
  return known ?? (ofType || (names[0] ?? ''));
}

/** Plain names are easier to read without quotes. */
function quoteIfNeeded(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : quoteIdentifier(name);
}
