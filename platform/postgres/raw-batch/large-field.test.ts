import { once } from 'node:events';
import { expect, it } from 'vitest';
import { LargeField } from './large-field.ts';

const PATIENCE_MS = 20;

it('lets the connection go on once its last piece has come, however slowly it is taken', async () => {
  const told: string[] = [];
  const source = { pause: () => told.push('pause'), resume: () => told.push('resume') };
  const field = new LargeField(source, PATIENCE_MS);
  const pieces = ['a', 'b'].map((letter) => Buffer.alloc(1024 * 1024, letter));
  field.receive(pieces[0] ?? Buffer.alloc(0));
  expect(told).toEqual(['pause']);
  field.receive(pieces[1] ?? Buffer.alloc(0), true);
  field.push(null);
  expect(told).toEqual(['pause', 'resume']);
  // Much longer than somebody may take who keeps a connection busy.
  await new Promise((resolve) => setTimeout(resolve, 5 * PATIENCE_MS));
  expect(Buffer.concat(await field.toArray())).toEqual(Buffer.concat(pieces));
});

it('ends for somebody who takes nothing while more is to come', async () => {
  const field = new LargeField({ pause() {}, resume() {} }, PATIENCE_MS);
  field.receive(Buffer.alloc(1024 * 1024));
  // Nobody reads: the end is told to whoever listens.
  await expect(once(field, 'error')).resolves.toEqual([
    expect.objectContaining({ message: `nothing of a result was taken for ${PATIENCE_MS} ms` }),
  ]);
});
