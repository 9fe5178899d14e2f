/** Teams for tests. */
import type { TestInstance, TestUser } from 'greenroom/testing';
import type { Database } from '../database.types.ts';

export type Instance = TestInstance<Database>;
export type User = TestUser<Database>;
type Role = Database['public']['Enums']['team_role'];

/** Creates a team with the API, and returns its id. */
export async function createTeam(owner: User, slug: string): Promise<string> {
  await owner.client.rpc('create_team', { team_name: slug, team_slug: slug }).throwOnError();
  const { data } = await owner.client.from('teams').select('id').eq('slug', slug).single().throwOnError();
  return data.id;
}

/** Adds a member without an invitation. */
export async function addMember(instance: Instance, team: string, user: User, role: Role): Promise<void> {
  await instance.admin.from('memberships').insert({ team_id: team, user_id: user.id, role }).throwOnError();
}

/** Gives a team a plan. */
export async function subscribe(instance: Instance, team: string, plan = 'pro'): Promise<void> {
  const event = {
    event_id: crypto.randomUUID(),
    occurred_at: new Date().toISOString(),
    customer: 'customer_1',
  };
  await instance.admin
    .rpc('apply_subscription', { ...event, team, plan, new_status: 'active' })
    .throwOnError();
}

/** Returns the token of the newest invitation to an address. */
export async function invitedToken(instance: Instance, address: string): Promise<string> {
  const { links } = await instance.mailbox().waitFor(address, { subject: 'Invitation to' });
  return links[0]?.split('/').at(-1) ?? '';
}
