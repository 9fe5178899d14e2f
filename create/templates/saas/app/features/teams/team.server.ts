/** The team that the address of a page names. */
import type { LoaderArgs } from 'greenroom/app';
import { requireUser, supabase } from 'greenroom/app/server';
import { data } from 'react-router';
import type { Database } from '../../../database.types.ts';
import type { Role } from './roles.ts';

/** A team with the role of the user. */
export interface Team {
  id: string;
  name: string;
  slug: string;
  role: Role;
}

/** The client that acts as the user. */
export type Client = Awaited<ReturnType<typeof supabase<Database>>>;

/** Returns the teams of the user, sorted by name. */
export async function loadTeams(context: LoaderArgs['context']): Promise<Team[]> {
  const client = await supabase<Database>(context);
  const { data: found } = await client
    .from('memberships')
    .select('role, teams(id, name, slug)')
    .eq('user_id', requireUser(context).sub)
    .throwOnError();
  return found
    .map(({ role, teams }) => ({ ...teams, role }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/**
 * Returns the team and a client that acts as the user. Throws a response with 404 if the user is not a member, so that other
 * people's teams and missing ones look the same.
 */
export async function requireTeam({ context, params }: Pick<LoaderArgs, 'context' | 'params'>) {
  const client = await supabase<Database>(context);
  const { data: membership } = await client
    .from('memberships')
    .select('role, teams!inner(id, name, slug)')
    .eq('user_id', requireUser(context).sub)
    .eq('teams.slug', String(params.team))
    .maybeSingle()
    .throwOnError();
  if (membership === null) throw data(null, { status: 404 });
  const team: Team = { ...membership.teams, role: membership.role };
  return { client, team };
}
