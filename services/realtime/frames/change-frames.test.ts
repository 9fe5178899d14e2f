import { expect, it } from 'vitest';
import { ChangeFrames } from './change-frames.ts';

const reader = { version: '2.0.0', topic: 'realtime:a', isLegacy: false } as const;
const data = '{"type":"INSERT","record":{"id":9007199254740993}}';

it('encodes a change once for equal subscriptions', () => {
  const frames = new ChangeFrames();
  const frame = frames.of({ ids: [1, 2], data }, reader);
  expect(frame.data.toString()).toBe(
    `[null,null,"realtime:a","postgres_changes",{"ids":[1,2],"data":${data}}]`,
  );
  expect(frames.of({ ids: [1, 2], data }, reader)).toBe(frame);
  expect(frames.of({ ids: [1], data }, reader)).not.toBe(frame);
  expect(frames.of({ ids: [1, 2], data }, { ...reader, version: '1.0.0' }).data.toString()).toContain(
    '"topic":"realtime:a"',
  );
  expect(frames.of({ ids: [1, 2], data: '{}' }, reader).data.toString()).toContain('"data":{}');
  expect(frames.of({ ids: [1, 2], data }, reader)).toEqual(frame);
});

it('uses the operation as event for clients of the old protocol', () => {
  const frame = new ChangeFrames().of({ ids: [1], data }, { ...reader, isLegacy: true });
  expect(frame.data.toString()).toBe(`[null,null,"realtime:a","INSERT",${data}]`);
});
