import { expect, it } from 'vitest';
import { readJsonLines } from './line-stream.ts';

it('readJsonLines returns values of parts that end within a line and within a character', async () => {
  const bytes = new TextEncoder().encode('{"a":"ä"}\n\n{"b":1}\n{"c":2}\n{"incomplete"');
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.subarray(at, at + 7));
      controller.close();
    },
  });
  const values: unknown[] = [];
  await readJsonLines(body, (more) => values.push(...more));
  expect(values).toEqual([{ a: 'ä' }, { b: 1 }, { c: 2 }]);
});
