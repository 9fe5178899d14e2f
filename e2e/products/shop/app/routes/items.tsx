import {
  type ActionArgs,
  Button,
  Field,
  type LoaderArgs,
  type MetaArgs,
  Page,
  PageHeader,
  type PageProps,
  pageMeta,
  textsFor,
  useLiveData,
  useTexts,
  useUser,
} from 'greenroom/app';
import { supabase } from 'greenroom/app/server';
import { Form, Link, Outlet, redirect } from 'react-router';
import type { Database } from '../database.ts';
import { itemTexts } from '../texts/items.ts';

export async function loader({ context }: LoaderArgs) {
  const client = await supabase<Database>(context);
  const { data } = await client.from('items').select('id, title').order('id');
  return { items: data ?? [] };
}

export async function action({ context, request }: ActionArgs) {
  const client = await supabase<Database>(context);
  const title = String((await request.formData()).get('title'));
  await client.from('items').insert({ title });
  return redirect('/items');
}

export function meta({ matches }: MetaArgs) {
  return pageMeta({ ...textsFor(itemTexts, matches), isPrivate: true, matches });
}

export default function Items({ loaderData: { items } }: PageProps<typeof loader>) {
  const texts = useTexts(itemTexts);
  useLiveData({ table: 'items' });
  return (
    <Page>
      <PageHeader title={texts.title} description={useUser()?.email ?? ''} />
      <ul className="shop-list">
        {items.map(({ id, title }) => (
          <li key={id}>
            <Link to={`/items/${id}`}>{title}</Link>
          </li>
        ))}
      </ul>
      <Form method="post">
        <Field label={texts.name} name="title" />
        <Button type="submit">{texts.add}</Button>
      </Form>
      <Outlet />
    </Page>
  );
}
