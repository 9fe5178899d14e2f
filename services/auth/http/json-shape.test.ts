import { expect, it } from 'vitest';
import { measureJson } from './json-shape.ts';

it.each([
  ['1', 0, 0],
  ['{}', 1, 1],
  ['{"a":1,"b":2}', 1, 2],
  ['{"a":[1,2,3],"b":{"c":{}}}', 3, 7],
  ['{"a":"[[[{{{,,,"}', 1, 1],
  ['{"a":"\\"[[[,,,"}', 1, 1],
  ['{"a":"\\\\","b":[]}', 2, 3],
  [']]]][[', 0, 2],
])('measures %s with depth %i and %i items', (json, depth, items) => {
  expect(measureJson(Buffer.from(json))).toEqual({ depth, items });
});
