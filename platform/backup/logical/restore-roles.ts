/**
 * Creates the roles of a logical backup. Roles belong to the whole server: a role that exists stays as it is, because
 * other databases may use it.
 */
import { settingText } from '@greenroom/dump';
import { quoteIdentifier, quoteLiteral } from '@greenroom/postgres';
import type { RestoreConnection } from './restore-connection.ts';
import type { DatabaseRoles } from './roles.ts';

type Role = DatabaseRoles['roles'][number];
type Membership = DatabaseRoles['memberships'][number];

/** Options of membership exist since this version. */
export const MEMBERSHIP_OPTIONS_VERSION = 16;

/** Attributes that a role can only give if it has them. */
const GUARDED = ['superuser', 'replication', 'bypassrls', 'createdb', 'createrole'] as const;

/** Creates roles, their memberships and settings, and grants the rights of the database. */
export class RoleRestore {
  readonly #connection: RestoreConnection;
  readonly #roles: DatabaseRoles;
  readonly #isPasswordDerived: (role: string) => boolean;
  /** Memberships of the restoring role that end with the restore. */
  readonly #temporary: string[] = [];
  /** Roles that the restoring role cannot become. */
  readonly foreign = new Set<string>();

  /** @param isPasswordDerived whether a start gives the role its password */
  constructor(
    connection: RestoreConnection,
    roles: DatabaseRoles,
    isPasswordDerived: (role: string) => boolean,
  ) {
    this.#connection = connection;
    this.#roles = roles;
    this.#isPasswordDerived = isPasswordDerived;
  }

  /** Creates what definitions refer to. The restoring role becomes a member of all roles, as their objects need it. */
  async create(): Promise<void> {
    const existing = await this.#existing();
    const created = this.#roles.roles.filter(({ name }) => !existing.has(this.#nameOf(name)));
    for (const role of created) await this.#createRole(role);
    for (const membership of this.#roles.memberships) await this.#grant(membership);
    for (const { name } of this.#roles.roles) await this.#join(this.#nameOf(name));
    for (const role of created) await this.#applySettings(role.name, role.settings);
  }

  /** Applies the settings and rights of the database, and ends temporary memberships. */
  async finish(): Promise<void> {
    const connection = this.#connection;
    const { settings, grants } = this.#roles.database;
    const database = quoteIdentifier(await connection.value('select current_database()'));
    for (const setting of settings)
      await connection.attempt(
        `alter database ${database} set ${settingText(setting)}`,
        'setting of the database',
      );
    for (const role of this.#roles.roles)
      await this.#applySettings(role.name, role.databaseSettings, ` in database ${database}`);
    if (grants !== null) await connection.run(`revoke all on database ${database} from public`);
    for (const { grantee, privilege, isGrantable } of grants ?? []) {
      const to = grantee === null ? 'public' : quoteIdentifier(this.#nameOf(grantee));
      const option = isGrantable ? ' with grant option' : '';
      await connection.attempt(
        `grant ${privilege} on database ${database} to ${to}${option}`,
        `right ${privilege} of ${to} on the database`,
      );
    }
    for (const role of this.#temporary)
      await connection.run(`revoke ${role} from ${quoteIdentifier(connection.owner)}`);
  }

  #nameOf(role: string): string {
    return role === this.#roles.owner ? this.#connection.owner : role;
  }

  async #existing(): Promise<Set<string>> {
    const { rows } = await this.#connection.run('select rolname from pg_catalog.pg_roles');
    return new Set(rows.map(([name]) => name ?? ''));
  }

  async #createRole(role: Role): Promise<void> {
    const { connection, name } = { connection: this.#connection, name: quoteIdentifier(role.name) };
    const missing = GUARDED.filter((attribute) => role[attribute] && !connection.attributes.has(attribute));
    const attributes = [
      ...GUARDED.filter((attribute) => role[attribute] && !missing.includes(attribute)),
      role.inherit ? 'inherit' : 'noinherit',
      role.login ? 'login' : 'nologin',
    ];
    const limit = role.connectionLimit >= 0 ? ` connection limit ${role.connectionLimit}` : '';
    const until = role.validUntil === null ? '' : ` valid until ${quoteLiteral(role.validUntil)}`;
    const password = role.password === null ? '' : ` password ${quoteLiteral(role.password)}`;
    await connection.run(`create role ${name} with ${attributes.join(' ')}${limit}${until}${password}`);
    for (const attribute of missing)
      connection.omit(
        `attribute ${attribute} of role ${role.name}`,
        'the role of the restore does not have it',
      );
    if (role.login && role.password === null && !this.#isPasswordDerived(role.name))
      connection.omit(`password of role ${role.name}`, 'only a superuser can back up passwords');
  }

  async #grant({ role, member, ...options }: Membership): Promise<void> {
    const connection = this.#connection;
    const names = { role: this.#nameOf(role), member: this.#nameOf(member) };
    if (names.role === names.member || (await this.#isMember({ ...names, ...options }))) return;
    const grant = `grant ${quoteIdentifier(names.role)} to ${quoteIdentifier(names.member)}`;
    // The restoring role administrates the roles that it creates, and cannot grant that to itself.
    const admin = options.admin && names.member !== connection.owner;
    await connection.attempt(
      grant + optionsText({ ...options, admin }, connection.version),
      `membership of ${names.member} in ${names.role}`,
    );
  }

  /** The creator of a role is a member with the option `admin` only. */
  async #isMember({ role, member, admin, inherit, set }: Membership): Promise<boolean> {
    const connection = this.#connection;
    const wanted = connection.version >= MEMBERSHIP_OPTIONS_VERSION ? { admin, inherit, set } : { admin };
    const options = Object.entries(wanted).filter(([, isWanted]) => isWanted);
    const found = await connection.value(
      `select (count(*) > 0 ${options.map(([option]) => `and bool_or(${option}_option)`).join(' ')})::text
        from pg_catalog.pg_auth_members
        join pg_catalog.pg_roles role on role.oid = roleid and role.rolname = ${quoteLiteral(role)}
        join pg_catalog.pg_roles member on member.oid = pg_auth_members.member and member.rolname = ${quoteLiteral(member)}`,
    );
    return found === 'true';
  }

  /** Creating objects of a role needs membership with the rights of the role. */
  async #join(name: string): Promise<void> {
    const connection = this.#connection;
    if (connection.attributes.has('superuser') || name === connection.owner) return;
    const right = connection.version >= MEMBERSHIP_OPTIONS_VERSION ? 'SET' : 'MEMBER';
    const has = await connection.value(
      `select (pg_catalog.pg_has_role(${quoteLiteral(name)}, 'USAGE')
        and pg_catalog.pg_has_role(${quoteLiteral(name)}, '${right}'))::text`,
    );
    if (has === 'true') return;
    const role = quoteIdentifier(name);
    const options = optionsText({ admin: false, inherit: true, set: true }, connection.version);
    const isMember = await connection.attempt(
      `grant ${role} to ${quoteIdentifier(connection.owner)}${options}`,
    );
    // A role that owns nothing and grants nothing is not needed.
    if (isMember) this.#temporary.push(role);
    else this.foreign.add(name);
  }

  async #applySettings(role: string, settings: readonly string[], place = ''): Promise<void> {
    const name = quoteIdentifier(this.#nameOf(role));
    for (const setting of settings)
      await this.#connection.attempt(
        `alter role ${name}${place} set ${settingText(setting)}`,
        `setting of role ${role}`,
      );
  }
}

/** The creator of a role is its administrator already. */
function optionsText({ admin, inherit, set }: Omit<Membership, 'role' | 'member'>, version: number): string {
  if (version < MEMBERSHIP_OPTIONS_VERSION) return admin ? ' with admin option' : '';
  return ` with ${admin ? 'admin true, ' : ''}inherit ${inherit}, set ${set}`;
}
