import { describe, expect, it } from 'vitest';
import { createRenderQueue } from './render-queue.ts';

const CONNECTED = new AbortController().signal;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
/** A render begins one turn of the event loop after its slot is released. */
const settle = async () => {
  await nextTurn();
  await nextTurn();
};

/** A render that the test completes. */
function pendingRender() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isRunning = false;
  const render = () => {
    isRunning = true;
    return promise;
  };
  return { render, end: resolve, isRunning: () => isRunning };
}

describe('createRenderQueue', () => {
  it('renders for other visitors while one has many renders', async () => {
    const queue = createRenderQueue();
    const many = Array.from({ length: 20 }, pendingRender);
    const all = many.map(({ render }) => queue.run(['net:a'], CONNECTED, render));
    const other = pendingRender();
    const rendered = queue.run(['net:b'], CONNECTED, other.render);
    await settle();
    expect(many.filter(({ isRunning }) => isRunning())).toHaveLength(3);
    expect(other.isRunning()).toBe(true);
    for (const each of [...many, other]) each.end();
    expect(await Promise.all([...all, rendered])).toEqual(Array.from({ length: 21 }, () => undefined));
  });

  it('renders synchronous pages of one visitor in turn with those of other visitors', async () => {
    const queue = createRenderQueue();
    const order: string[] = [];
    const visit = (visitor: string) =>
      queue.run([visitor], CONNECTED, async () => {
        order.push(visitor);
      });
    const many = visit('net:a');
    // Microtasks run before the next socket is read, as in the server.
    for (let count = 0; count < 10; count += 1) await Promise.resolve();
    expect(order).toEqual([]);
    await Promise.all([many, visit('net:b')]);
    expect(order).toEqual(['net:a', 'net:b']);
  });

  it('rejects only the visitor with too many waiting requests', async () => {
    const queue = createRenderQueue();
    const many = Array.from({ length: 64 }, pendingRender);
    const all = many.map(({ render }) => queue.run(['net:a'], CONNECTED, render));
    const other = pendingRender();
    const rendered = queue.run(['net:b'], CONNECTED, other.render);
    for (const each of [...many, other]) each.end();
    expect((await Promise.all(all)).filter(Boolean)).toEqual([{ retryAfterSeconds: 1 }]);
    expect(await rendered).toBeUndefined();
  });

  it('stops counting a page after the maximum time', async () => {
    const queue = createRenderQueue(1);
    const slow = Array.from({ length: 3 }, pendingRender);
    const all = slow.map(({ render }) => queue.run(['net:a'], CONNECTED, render));
    const next = pendingRender();
    const rendered = queue.run(['net:a'], CONNECTED, next.render);
    await expect.poll(next.isRunning).toBe(true);
    for (const each of [...slow, next]) each.end();
    await Promise.all([...all, rendered]);
  });

  it('releases the slot of a failed render and of a disconnected visitor', async () => {
    const queue = createRenderQueue();
    const blocking = Array.from({ length: 3 }, pendingRender);
    const all = blocking.map(({ render }) => queue.run(['net:a'], CONNECTED, render));
    const leaving = new AbortController();
    const left = queue.run(['net:a'], leaving.signal, async () => undefined);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    const fails = queue.run(['net:a'], CONNECTED, () => Promise.reject(new Error('broken')));
    for (const each of blocking) each.end();
    await Promise.all(all);
    await expect(fails).rejects.toThrow('broken');
    await expect(queue.run(['net:a'], CONNECTED, async () => undefined)).resolves.toBeUndefined();
  });
});
