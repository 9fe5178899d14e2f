/** Row-level security: reads and writes of users, visitors and applications with the data API. */
import { createHmac } from 'node:crypto';
import { createClient } from '@supabase/supabase-js';
import { startTestInstance, type TestInstance } from 'greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../database.types.ts';
import { addMember, createTeam, type Instance, invitedToken, subscribe, type User } from './fixture.ts';

/** Tables are named by variables here, so this client knows none. */
type UntypedClient = TestInstance['supabase'];

let instance: Instance;
let owner: User;
let member: User;
let attacker: User;
let team: string;
let otherTeam: string;
/** Rows that each write of an attacker tries to insert. */
let rows: Record<string, Record<string, unknown>>;

beforeAll(async () => {
  instance = await startTestInstance<Database>();
  owner = await instance.asUser();
  member = await instance.asUser();
  attacker = await instance.asUser();
  team = await createTeam(owner, 'acme');
  otherTeam = await createTeam(attacker, 'globex');
  await subscribe(instance, team);
  await addMember(instance, team, member, 'member');
  await owner.client.from('projects').insert({ team_id: team, name: 'Secret' }).throwOnError();
  const email = 'invited@example.org';
  await owner.client.rpc('invite_member', { team, address: email, as_role: 'member' }).throwOnError();
  rows = {
    plans: { id: 'own', name: 'Own', price_cents: 0, max_members: 9, max_projects: 9 },
    teams: { name: 'Mine', slug: 'mine' },
    memberships: { team_id: team, user_id: attacker.id, role: 'owner' },
    subscriptions: {
      team_id: otherTeam,
      plan_id: 'business',
      status: 'active',
      customer_id: 'c',
      updated_at: new Date().toISOString(),
    },
    projects: { team_id: team, name: 'Intrusion' },
    invitations: { team_id: team, email: attacker.email, role: 'admin', token_hash: '\\x00' },
  };
});

afterAll(() => instance.close());

const TABLES = ['plans', 'teams', 'memberships', 'subscriptions', 'projects', 'invitations'];

/** The column that names the team of a row. */
function foreignKey(table: string): string {
  return table === 'plans' || table === 'teams' ? 'id' : 'team_id';
}

/** The columns that an attack tries to change. */
const CHANGES: Readonly<Record<string, Record<string, unknown>>> = {
  plans: { price_cents: 0 },
  teams: { name: 'Taken' },
  memberships: { role: 'owner' },
  subscriptions: { status: 'canceled' },
  projects: { name: 'Taken' },
  invitations: { role: 'admin' },
};

function untyped(client: User['client']): UntypedClient {
  return client as unknown as UntypedClient;
}

/** Returns the rows of all tables, as the service key sees them. */
async function snapshot(): Promise<unknown[]> {
  const admin = untyped(instance.admin);
  const texts = async (table: string) =>
    (await admin.from(table).select()).data?.map((row) => JSON.stringify(row));
  return Promise.all(TABLES.map(async (table) => (await texts(table))?.toSorted()));
}

/** Tries to write to a table in every way. */
async function attack(client: UntypedClient, table: string): Promise<void> {
  const row = rows[table] ?? {};
  await client.from(table).insert(row);
  await client.from(table).upsert(row);
  // An attacker may change the own team.
  const own = table === 'plans' ? 'none' : otherTeam;
  for (const change of [CHANGES[table] ?? {}, { team_id: otherTeam }, { id: crypto.randomUUID() }])
    await client.from(table).update(change).neq(foreignKey(table), own);
  await client.from(table).delete().neq(foreignKey(table), own);
}

describe.each(['a visitor', 'the owner of another team', 'an application', 'a stale session'])(
  '%s',
  (kind) => {
    let client: UntypedClient;

    beforeAll(async () => {
      if (kind === 'a visitor') client = untyped(instance.supabase);
      else if (kind === 'an application')
        client = withClaims({ sub: owner.id, client_id: 'app', aal: 'aal2' });
      else if (kind === 'a stale session') client = withClaims({ sub: await userWithFactor(), aal: 'aal1' });
      else client = untyped(attacker.client);
    });

    it.each(TABLES.filter((table) => table !== 'plans'))(
      'reads no row of another team in %s',
      async (table) => {
        const { data } = await client.from(table).select(foreignKey(table));
        expect(JSON.stringify(data ?? [])).not.toContain(team);
      },
    );

    it.each(TABLES)('changes no row in %s', async (table) => {
      const before = await snapshot();
      await attack(client, table);
      const after = await snapshot();
      expect(after).toEqual(before);
    });

    it('calls no function for another team', async () => {
      const before = await snapshot();
      await client.rpc('invite_member', { team, address: 'evil@example.org', as_role: 'admin' });
      await client.rpc('accept_invitation', { token: await invitedToken(instance, 'invited@example.org') });
      const event = { event_id: 'e', occurred_at: new Date().toISOString(), customer: 'c' };
      await client.rpc('apply_subscription', {
        ...event,
        team: otherTeam,
        plan: 'business',
        new_status: 'active',
      });
      expect((await client.rpc('team_members', { team })).data ?? []).toEqual([]);
      expect(await snapshot()).toEqual(before);
    });

    it('reaches no schema of the server', async () => {
      for (const schema of ['private', 'greenroom', 'auth'])
        expect((await client.schema(schema).from('users').select()).error?.code).toBe('PGRST106');
    });
  },
);

describe('a member', () => {
  it('sees the team, its members and its projects, but no invitations and no customer ids', async () => {
    const { client } = member;
    expect((await client.from('teams').select('slug')).data).toEqual([{ slug: 'acme' }]);
    expect((await client.from('projects').select('name')).data).toEqual([{ name: 'Secret' }]);
    expect((await client.from('subscriptions').select('plan_id')).data).toEqual([{ plan_id: 'pro' }]);
    expect((await client.from('subscriptions').select('customer_id')).error?.code).toBe('42501');
    expect((await client.from('invitations').select('id')).data).toEqual([]);
    const { data: members } = await client.rpc('team_members', { team });
    expect(members?.map(({ email }) => email)).toEqual(expect.arrayContaining([owner.email, member.email]));
  });

  it('adds and changes projects of the team, and deletes only those they added', async () => {
    const { client } = member;
    const own = await client.from('projects').insert({ team_id: team, name: 'Mine' }).select('id').single();
    await client.from('projects').update({ status: 'done' }).eq('team_id', team).throwOnError();
    await client.from('projects').delete().eq('team_id', team).throwOnError();
    const { data } = await owner.client.from('projects').select('name, status');
    expect(own.error).toBeNull();
    expect(data).toEqual([{ name: 'Secret', status: 'done' }]);
  });

  it('changes no team, role, plan or invitation', async () => {
    const before = await snapshot();
    const client = untyped(member.client);
    for (const table of TABLES.filter((name) => name !== 'projects'))
      await client
        .from(table)
        .update(CHANGES[table] ?? {})
        .eq(foreignKey(table), table === 'plans' ? 'free' : team);
    await client.from('memberships').delete().eq('user_id', owner.id);
    await client.from('invitations').delete().eq('team_id', team);
    await client.from('teams').delete().eq('id', team);
    expect(await snapshot()).toEqual(before);
  });
});

it('owners do not read the hashes of tokens', async () => {
  const { data } = await owner.client.from('invitations').select('email, role');
  expect(data).toEqual([{ email: 'invited@example.org', role: 'member' }]);
  expect((await untyped(owner.client).from('invitations').select('token_hash')).error?.code).toBe('42501');
});

/** Returns a client with an access token of these claims. */
function withClaims(claims: Record<string, unknown>): UntypedClient {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const payload = {
    role: 'authenticated',
    aud: 'authenticated',
    exp: Math.floor(Date.now() / 1000) + 600,
    ...claims,
  };
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`;
  const token = `${signed}.${createHmac('sha256', instance.jwtSecret).update(signed).digest('base64url')}`;
  const client = createClient(instance.apiUrl, instance.anonKey, { accessToken: async () => token });
  return client as unknown as UntypedClient;
}

/** Returns the id of an owner of the team who has a second factor, so that a password alone opens nothing. */
async function userWithFactor(): Promise<string> {
  const { id, client } = await instance.asUser();
  const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp' });
  if (factor?.type !== 'totp') throw new Error('no factor');
  const code = totp(factor.totp.secret);
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code });
  if (error) throw error;
  await instance.admin
    .from('memberships')
    .insert({ team_id: team, user_id: id, role: 'owner' })
    .throwOnError();
  expect((await client.from('teams').select('slug')).data).toEqual([{ slug: 'acme' }]);
  return id;
}

/** Returns the code of this moment (RFC 6238). */
function totp(secret: string): string {
  const bits = [...secret.replace(/=+$/, '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}
