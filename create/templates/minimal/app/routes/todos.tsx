import {
  type ActionArgs,
  Alert,
  Button,
  EmptyState,
  Field,
  type LoaderArgs,
  type MetaArgs,
  Page,
  PageHeader,
  type PageProps,
  pageMeta,
} from 'greenroom/app';
import { supabase } from 'greenroom/app/server';
import { data, Form, redirect } from 'react-router';
import type { Database } from '../../database.types.ts';

/** Loads the todos that row-level security shows to the user. */
export async function loader({ context }: LoaderArgs) {
  const client = await supabase<Database>(context);
  const { data: todos } = await client.from('todos').select('id, title, is_done').order('id').throwOnError();
  return { todos };
}

/** Adds, completes or deletes a todo: the button of a form decides. */
export async function action({ context, request }: ActionArgs) {
  const client = await supabase<Database>(context);
  const form = await request.formData();
  const id = Number(form.get('id'));
  const { error } = await change(String(form.get('intent')));
  // 23514: the title is empty or too long.
  if (error?.code === '23514') return data({ error: 'A title has 1 to 200 characters.' }, { status: 422 });
  if (error) throw error;
  return redirect('/todos');

  function change(intent: string) {
    const todos = client.from('todos');
    if (intent === 'delete') return todos.delete().eq('id', id);
    if (intent === 'toggle') return todos.update({ is_done: form.get('done') === 'true' }).eq('id', id);
    return todos.insert({ title: String(form.get('title')).trim() });
  }
}

export function meta({ matches }: MetaArgs) {
  return pageMeta({ title: 'Todos', description: 'Your todos.', isPrivate: true, matches });
}

export default function Todos({
  loaderData: { todos },
  actionData,
}: PageProps<typeof loader, typeof action>) {
  return (
    <Page>
      <PageHeader title="Todos" description="Only you see them." />
      {actionData?.error && <Alert kind="error">{actionData.error}</Alert>}
      <Form method="post" className="flex items-end gap-2">
        <div className="grow">
          <Field label="New todo" name="title" required maxLength={200} key={todos.length} />
        </div>
        <Button type="submit" name="intent" value="add" variant="primary" size="large">
          Add
        </Button>
      </Form>
      {todos.length === 0 ? (
        <EmptyState icon="lucide:list-todo" title="No todos" text="Add the first one above." />
      ) : (
        <ul className="divide-y divide-line">
          {todos.map(({ id, title, is_done }) => (
            <li key={id}>
              <Form method="post" className="flex items-center gap-2 py-2">
                <input type="hidden" name="id" value={id} />
                <input type="hidden" name="done" value={String(!is_done)} />
                <span className={is_done ? 'grow text-ink-muted line-through' : 'grow'}>{title}</span>
                <Button type="submit" name="intent" value="toggle" size="small">
                  {is_done ? 'Reopen' : 'Done'}
                </Button>
                <Button type="submit" name="intent" value="delete" size="small" variant="ghost">
                  Delete
                </Button>
              </Form>
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}
