/** Two users, each with a list: row-level security keeps the lists apart. */
import { dataOf, signUp } from '../connect.ts';

const first = await signUp();
const second = await signUp();

dataOf(
  await first.client
    .from('todos')
    .insert([{ title: 'Write the schema' }, { title: 'Add a policy' }])
    .select(),
);
dataOf(await second.client.from('todos').insert({ title: 'Review the policy' }).select());

dataOf(await first.client.from('todos').update({ is_done: true }).eq('title', 'Write the schema').select());
for (const [name, { client }] of Object.entries({ first, second })) {
  const todos = dataOf(await client.from('todos').select('title, is_done').order('id'));
  const lines = todos.map(({ title, is_done }) => `${is_done ? '[x]' : '[ ]'} ${title}`);
  console.log(`The ${name} user sees: ${lines.join(', ')}`);
}

const foreign = dataOf(await second.client.from('todos').delete().eq('user_id', first.id).select('id'));
console.log(`Todos of the first user that the second one deleted: ${foreign.length}`);

const { error } = await second.client.from('todos').insert({ title: 'For you', user_id: first.id });
console.log(`Adding a todo for another user: ${error?.message}`);
