/** Rules of teams: owners, roles, limits of plans, invitations. */
import { startTestInstance } from 'greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../database.types.ts';
import { addMember, createTeam, type Instance, invitedToken, subscribe, type User } from './fixture.ts';

let instance: Instance;
let ada: User;
let grace: User;
let linus: User;

beforeAll(async () => {
  instance = await startTestInstance<Database>({
    settings: { GOTRUE_EXTERNAL_PHONE_ENABLED: 'true', GOTRUE_SMS_AUTOCONFIRM: 'true' },
  });
  [ada, grace, linus] = await Promise.all([instance.asUser(), instance.asUser(), instance.asUser()]);
});

afterAll(() => instance.close());

/** Creates a team of Ada with Grace in a role. */
async function teamWith(role: 'owner' | 'admin' | 'member', slug: string): Promise<string> {
  const team = await createTeam(ada, slug);
  await addMember(instance, team, grace, role);
  return team;
}

async function rolesIn(team: string): Promise<Record<string, string>> {
  const { data } = await instance.admin.from('memberships').select('user_id, role').eq('team_id', team);
  return Object.fromEntries((data ?? []).map(({ user_id, role }) => [user_id, role]));
}

const setRole = (user: User, team: string, target: User, role: 'owner' | 'admin' | 'member') =>
  user.client.from('memberships').update({ role }).eq('team_id', team).eq('user_id', target.id).select();

const remove = (user: User, team: string, target: User) =>
  user.client.from('memberships').delete().eq('team_id', team).eq('user_id', target.id).select();

describe('the last owner', () => {
  const message = 'A team needs an owner. Make another member the owner first.';

  it('cannot leave or become a member, until another member is an owner', async () => {
    const team = await teamWith('member', 'last-owner');
    expect((await remove(ada, team, ada)).error?.message).toBe(message);
    expect((await setRole(ada, team, ada, 'member')).error?.message).toBe(message);
    await setRole(ada, team, grace, 'owner').throwOnError();
    await remove(ada, team, ada).throwOnError();
    expect(await rolesIn(team)).toEqual({ [grace.id]: 'owner' });
  });

  it('stays if two owners leave at the same time', async () => {
    const one = await instance.asUser();
    const other = await instance.asUser();
    const leave = async (slug: string) => {
      const team = await createTeam(one, slug);
      await addMember(instance, team, other, 'owner');
      const outcomes = await Promise.all([remove(one, team, one), remove(other, team, other)]);
      expect(outcomes.map(({ error }) => error?.message ?? 'left').toSorted()).toEqual([message, 'left']);
      expect(Object.values(await rolesIn(team))).toEqual(['owner']);
    };
    await Promise.all(['two-1', 'two-2', 'two-3', 'two-4', 'two-5', 'two-6'].map(leave));
  });

  it('is replaced by an admin when the account is deleted, and an empty team is deleted', async () => {
    const leaving = await instance.asUser();
    const team = await createTeam(leaving, 'inherited');
    await addMember(instance, team, linus, 'member');
    await addMember(instance, team, grace, 'admin');
    await createTeam(leaving, 'empty');
    expect((await instance.admin.auth.admin.deleteUser(leaving.id)).error).toBeNull();
    expect(await rolesIn(team)).toEqual({ [grace.id]: 'owner', [linus.id]: 'member' });
    expect((await instance.admin.from('teams').select().eq('slug', 'empty')).data).toEqual([]);
  });
});

describe('roles', () => {
  it('admins manage admins and members, but neither owners nor the role owner', async () => {
    const team = await teamWith('admin', 'admins');
    await addMember(instance, team, linus, 'member');
    expect((await setRole(grace, team, linus, 'admin')).data).toHaveLength(1);
    expect((await setRole(grace, team, linus, 'owner')).error?.code).toBe('42501');
    expect((await setRole(grace, team, grace, 'owner')).error?.code).toBe('42501');
    expect((await setRole(grace, team, ada, 'member')).data).toEqual([]);
    expect((await remove(grace, team, ada)).data).toEqual([]);
    expect((await remove(grace, team, linus)).data).toHaveLength(1);
    expect((await grace.client.from('teams').delete().eq('id', team).select()).data).toEqual([]);
  });

  it('members leave, but remove no other member', async () => {
    const team = await teamWith('member', 'members');
    await addMember(instance, team, linus, 'member');
    expect((await remove(grace, team, linus)).data).toEqual([]);
    await remove(grace, team, grace).throwOnError();
    expect(await rolesIn(team)).toEqual({ [ada.id]: 'owner', [linus.id]: 'member' });
    expect((await grace.client.from('teams').select().eq('id', team)).data).toEqual([]);
  });
});

describe('teams', () => {
  it.each([
    ['new', '23514'],
    ['-acme', '23514'],
    ['Acme', '23514'],
    ['a', '23514'],
    ['unique', '23505'],
  ])('refuse the address %s', async (slug, code) => {
    if (slug === 'unique') await createTeam(linus, slug);
    const { error } = await grace.client.rpc('create_team', { team_name: 'Acme', team_slug: slug });
    expect(error?.code).toBe(code);
  });

  it.each(['', ' ', 'Line\nbreak', 'Win at https://evil.example', 'www.evil.example'])(
    'refuse the name %j, which mails would contain',
    async (name) => {
      const { error } = await grace.client.rpc('create_team', { team_name: name, team_slug: 'named' });
      expect(error?.code).toBe('23514');
    },
  );

  it('are deleted by their owners when their plan is canceled', async () => {
    const team = await createTeam(ada, 'deleted');
    const event = { occurred_at: new Date(), team, plan: 'pro', customer: 'c' };
    const apply = (status: string, seconds: number) =>
      instance.admin.rpc('apply_subscription', {
        ...event,
        event_id: crypto.randomUUID(),
        new_status: status,
        occurred_at: new Date(event.occurred_at.getTime() + seconds * 1000).toISOString(),
      });
    const destroy = () => ada.client.from('teams').delete().eq('id', team).select();
    await apply('active', 0);
    expect((await destroy()).data).toEqual([]);
    await apply('canceled', 1);
    expect((await destroy()).data).toHaveLength(1);
  });

  it('have as many projects as their plan allows, also if they are added at the same time', async () => {
    const team = await createTeam(linus, 'projects');
    const add = (name: string) => linus.client.from('projects').insert({ team_id: team, name });
    const outcomes = await Promise.all(['1', '2', '3', '4', '5'].map(add));
    const messages = outcomes.map(({ error }) => error?.message ?? 'added').toSorted();
    const refused = 'The plan Free allows 3 projects.';
    expect(messages).toEqual([refused, refused, 'added', 'added', 'added']);
    await subscribe(instance, team);
    expect((await add('6')).error).toBeNull();
  });
});

describe('invitations', () => {
  let owner: User;
  let team: string;
  let count = 0;

  beforeAll(async () => {
    owner = await instance.asUser({ metadata: { full_name: 'Owner' } });
    team = await createTeam(owner, 'inviting');
    await subscribe(instance, team);
  });

  const newAddress = () => `guest-${count++}@example.org`;
  const invite = (address: string, role: 'admin' | 'member' | 'owner' = 'member', user = owner) =>
    user.client.rpc('invite_member', { team, address, as_role: role });
  const accept = (user: User, token: string) => user.client.rpc('accept_invitation', { token });

  it('are sent by mail, and accepted once by the account with the address', async () => {
    const address = newAddress();
    await invite(` ${address.toUpperCase()} `, 'admin').throwOnError();
    const mail = await instance.mailbox().waitFor(address);
    expect(mail.subject).toBe('Invitation to inviting');
    expect(mail.text).toContain(`${owner.email} invites you to the team “inviting”.`);
    expect(mail.links).toEqual([
      expect.stringMatching(/^http:\/\/localhost:\d+\/invitations\/[0-9a-f]{64}$/),
    ]);
    const token = await invitedToken(instance, address);
    const shown = await instance.supabase.rpc('find_invitation', { token }).single();
    expect(shown.data).toEqual({ team_name: 'inviting', email: address, role: 'admin', is_open: true });

    const guest = await instance.asUser({ email: address });
    expect((await accept(grace, token)).error?.message).toBe(
      `This invitation is for ${address}. Sign in with that address.`,
    );
    expect((await accept(guest, token)).data).toBe('inviting');
    expect((await rolesIn(team))[guest.id]).toBe('admin');
    await remove(owner, team, guest).throwOnError();
    expect((await accept(guest, token)).error?.message).toContain('not valid any more');
    expect((await rolesIn(team))[guest.id]).toBeUndefined();
  });

  it('are accepted once if they are accepted twice at the same time', async () => {
    const address = newAddress();
    await invite(address).throwOnError();
    const token = await invitedToken(instance, address);
    const guest = await instance.asUser({ email: address });
    const outcomes = await Promise.all([accept(guest, token), accept(guest, token)]);
    expect(outcomes.filter(({ error }) => error === null)).toHaveLength(1);
  });

  it('are not accepted by an account whose address is not confirmed', async () => {
    const address = newAddress();
    await invite(address).throwOnError();
    const token = await invitedToken(instance, address);
    const account = { phone: '491701234567', phone_confirm: true, password: 'correct horse', email: address };
    expect((await instance.admin.auth.admin.createUser(account)).error).toBeNull();
    const { client } = await instance.asUser();
    const { phone, password } = account;
    const { data, error } = await client.auth.signInWithPassword({ phone, password });
    expect([error, data.user?.email]).toEqual([null, address]);
    const refused = await client.rpc('accept_invitation', { token });
    expect(refused.error?.message).toContain(`This invitation is for ${address}`);
  });

  it('are replaced by the next one to the same address, and can be revoked', async () => {
    const address = newAddress();
    await invite(address).throwOnError();
    const first = await invitedToken(instance, address);
    await instance.mailbox().clear();
    await invite(address).throwOnError();
    const second = await invitedToken(instance, address);
    const guest = await instance.asUser({ email: address });
    expect((await accept(guest, first)).error?.message).toContain('not valid any more');
    await owner.client.from('invitations').delete().eq('email', address).throwOnError();
    expect((await accept(guest, second)).error?.message).toContain('not valid any more');
    expect((await instance.supabase.rpc('find_invitation', { token: second })).data).toEqual([]);
  });

  it('refuse members, wrong addresses, the role owner and users who are no admins', async () => {
    await addMember(instance, team, grace, 'member');
    expect((await invite(grace.email)).error?.message).toBe(`${grace.email} is a member already.`);
    expect((await invite('a@example.org, b@example.org')).error?.code).toBe('22023');
    expect((await invite(newAddress(), 'owner')).error?.code).toBe('23514');
    expect((await invite(newAddress(), 'member', grace)).error?.code).toBe('42501');
  });

  it('are limited for each address and each user in an hour, and revoking resets no limit', async () => {
    const address = newAddress();
    const limit = 'Too many invitations. Try again in an hour.';
    const send = async (to: string) => (await invite(to)).error?.message;
    for (let mail = 0; mail < 3; mail++) {
      expect(await send(address)).toBeUndefined();
      await owner.client.from('invitations').delete().eq('email', address).throwOnError();
    }
    expect(await send(address)).toBe(limit);

    // Each user may send 20.
    const spammer = await instance.asUser();
    await subscribe(instance, await createTeam(spammer, 'spam'), 'business');
    const spam = await spammer.client.from('teams').select('id').single().throwOnError();
    const outcomes = await Promise.all(
      Array.from({ length: 21 }, () =>
        spammer.client.rpc('invite_member', { team: spam.data.id, address: newAddress(), as_role: 'member' }),
      ),
    );
    expect(outcomes.flatMap(({ error }) => error?.message ?? [])).toEqual([limit]);
  });

  it('respect the number of members of the plan, when they are sent and when they are accepted', async () => {
    const small = await createTeam(linus, 'small');
    const asLinus = (address: string) =>
      linus.client.rpc('invite_member', { team: small, address, as_role: 'member' });
    const address = newAddress();
    await asLinus(address).throwOnError();
    await asLinus(newAddress()).throwOnError();
    expect((await asLinus(newAddress())).error?.message).toBe(
      'The plan Free allows 3 members, including open invitations.',
    );
    await addMember(instance, small, ada, 'member');
    await addMember(instance, small, grace, 'member');
    const guest = await instance.asUser({ email: address });
    const { error } = await accept(guest, await invitedToken(instance, address));
    expect(error?.message).toBe('The team has as many members as its plan allows.');
  });

  it('expire after 7 days, and a job removes them', async () => {
    const founder = await instance.asUser();
    const small = await createTeam(founder, 'expiring');
    const address = newAddress();
    await founder.client.rpc('invite_member', { team: small, address, as_role: 'member' }).throwOnError();
    const token = await invitedToken(instance, address);
    const due = new Date();
    due.setUTCDate(due.getUTCDate() + 7);
    due.setUTCHours(due.getUTCHours() + 1, 5, 0, 0);
    await instance.clock().set(due);
    const found = await instance.supabase.rpc('find_invitation', { token }).single();
    expect(found.data?.is_open).toBe(false);
    const guest = await instance.asUser({ email: address });
    expect((await accept(guest, token)).error?.message).toContain('not valid any more');
    due.setUTCMinutes(15, 5);
    await instance.clock().set(due);
    const rest = () => instance.admin.from('invitations').select('id').is('accepted_at', null);
    await expect.poll(async () => (await rest()).data, { timeout: 40_000 }).toEqual([]);
  });
});
