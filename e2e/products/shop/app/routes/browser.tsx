import { Button, browserSupabase, Page } from 'greenroom/app';
import { useState } from 'react';
import type { Database } from '../database.ts';

/** Adds and reads items in the browser. */
export default function Browser() {
  const [titles, setTitles] = useState<string[]>([]);
  async function add() {
    const client = await browserSupabase<Database>();
    await client.from('items').insert({ title: 'Vase' });
    const { data } = await client.from('items').select('title');
    setTitles((data ?? []).map(({ title }) => title));
  }
  return (
    <Page>
      <Button onClick={add}>Vase hinzufügen</Button>
      <ul>
        {titles.map((title) => (
          <li key={title}>{title}</li>
        ))}
      </ul>
    </Page>
  );
}
