/** Two organizations in one database: claims of the access token keep them apart. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { connect, dataOf, signUp } from '../connect.ts';

const owner = await signUp();
const member = await signUp();
const outsider = await signUp();

dataOf(await owner.client.rpc('create_organization', { name: 'North' }));
dataOf(await outsider.client.rpc('create_organization', { name: 'South' }));
console.log(`The owner: ${await refreshedRole(owner.client)}`);
await refreshedRole(outsider.client);

const added = await owner.client.rpc('add_member', { email: member.email });
if (added.error) throw added.error;
console.log(`The added account: ${await refreshedRole(member.client)}`);

dataOf(await owner.client.from('projects').insert({ name: 'Website' }).select());
dataOf(await member.client.from('projects').insert({ name: 'Launch' }).select());
for (const [name, { client }] of Object.entries({ owner, member, outsider })) {
  const projects = dataOf(await client.from('projects').select('name').order('id'));
  console.log(`Projects of the ${name}: ${projects.map((project) => project.name).join(', ') || 'none'}`);
}

const byMember = dataOf(await member.client.from('projects').delete().eq('name', 'Website').select());
const byOwner = dataOf(await owner.client.from('projects').delete().eq('name', 'Website').select());
console.log(`Deleted by the member: ${byMember.length}, by the owner: ${byOwner.length}`);

const refused = await member.client.rpc('add_member', { email: outsider.email });
console.log(`The member adds an account: ${refused.error?.message}`);

const blocked = await connect().auth.signUp({
  email: `${crypto.randomUUID()}@blocked.example`,
  password: 'correct horse battery',
});
console.log(`An address of a blocked domain: ${blocked.error?.message}`);

/** Gets a new access token, and returns the role in its claims. */
async function refreshedRole(client: SupabaseClient): Promise<string> {
  dataOf(await client.auth.refreshSession());
  const { claims } = dataOf(await client.auth.getClaims());
  return String(claims.organization_role);
}
