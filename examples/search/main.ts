/** Full-text search with ranks, excerpts and suggestions, for visitors without an account. */
import { connect, dataOf } from '../connect.ts';

const client = connect();

const byFilter = dataOf(
  await client
    .from('articles')
    .select('title')
    .textSearch('words', 'table -policy', { type: 'websearch', config: 'english' })
    .order('id'),
);
console.log(`Articles with "table" and without "policy": ${titles(byFilter)}`);

const ranked: { title: string; excerpt: string }[] = dataOf(
  await client.rpc('search_articles', { query: 'indexing' }),
);
for (const { title, excerpt } of ranked) console.log(`${title}: ${excerpt}`);

const suggested: string[] = dataOf(await client.rpc('suggest_titles', { misspelled: 'tranactions' }));
console.log(`Did you mean: ${suggested.join(', ')}?`);

const { error } = await client.from('articles').insert({ title: 'Mine', body: '' });
console.log(`Writing without an account: ${error?.message}`);

function titles(rows: readonly { title: string }[]): string {
  return rows.map(({ title }) => title).join(', ');
}
