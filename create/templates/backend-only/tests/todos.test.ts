import { startTestInstance, type TestInstance } from 'greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../database.types.ts';

let instance: TestInstance<Database>;

beforeAll(async () => {
  instance = await startTestInstance<Database>();
});

afterAll(() => instance.close());

describe('todos', () => {
  it('belong to the user who creates them', async () => {
    const ada = await instance.asUser();
    const grace = await instance.asUser();
    await ada.client.from('todos').insert({ title: 'Write a test' });

    const own = await ada.client.from('todos').select('title, is_done');
    expect(own.data).toEqual([{ title: 'Write a test', is_done: false }]);
    const others = await grace.client.from('todos').select();
    expect(others.data).toEqual([]);
  });

  it('are hidden from visitors', async () => {
    const { client } = await instance.asUser();
    await client.from('todos').insert({ title: 'Keep a secret' });
    const { data } = await instance.supabase.from('todos').select();
    expect(data).toEqual([]);
  });

  it('need a title', async () => {
    const { client } = await instance.asUser();
    const { error } = await client.from('todos').insert({ title: '' });
    expect(error?.code).toBe('23514');
  });
});

describe('the function hello', () => {
  it('greets by name', async () => {
    const { data } = await instance.supabase.functions.invoke('hello', { body: { name: 'Ada' } });
    expect(data).toEqual({ message: 'Hello Ada!' });
  });
});
