import { startTestInstance, type TestInstance, type TestUser } from 'greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../database.types.ts';

let instance: TestInstance<Database>;
let ada: TestUser<Database>;
let grace: TestUser<Database>;

beforeAll(async () => {
  instance = await startTestInstance<Database>({ pages: true });
  ada = await instance.asUser();
  grace = await instance.asUser();
});

afterAll(() => instance.close());

/** Sends the form of /todos as a user. */
function submit(user: TestUser<Database>, fields: Record<string, string>) {
  return user.fetch('/todos', { method: 'POST', body: new URLSearchParams(fields) });
}

describe('the table todos', () => {
  it('shows todos to their owner only', async () => {
    await ada.client.from('todos').insert({ title: 'Keep a secret' }).throwOnError();
    const own = await ada.client.from('todos').select('title, is_done');
    expect(own.data).toEqual([{ title: 'Keep a secret', is_done: false }]);
    expect((await grace.client.from('todos').select()).data).toEqual([]);
  });
});

describe('the pages', () => {
  it('welcome visitors', async () => {
    expect(await (await fetch(instance.url)).text()).toContain('Welcome');
  });

  it('require a session for todos', async () => {
    const response = await fetch(`${instance.url}/todos`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/login']);
  });

  it('add, complete and delete a todo of the user', async () => {
    const added = await submit(grace, { intent: 'add', title: 'Write a test' });
    expect([added.status, added.headers.get('location')]).toEqual([302, '/todos']);
    expect(await (await grace.fetch('/todos')).text()).toContain('Write a test');
    expect(await (await ada.fetch('/todos')).text()).not.toContain('Write a test');

    const { data: todo } = await grace.client.from('todos').select('id').single().throwOnError();
    await submit(grace, { intent: 'toggle', id: String(todo.id), done: 'true' });
    expect((await grace.client.from('todos').select('is_done')).data).toEqual([{ is_done: true }]);
    await submit(grace, { intent: 'delete', id: String(todo.id) });
    expect((await grace.client.from('todos').select()).data).toEqual([]);
  });

  it('explain that a todo needs a title', async () => {
    const response = await submit(grace, { intent: 'add', title: ' ' });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain('A title has 1 to 200 characters.');
  });
});
