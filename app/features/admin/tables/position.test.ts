import { describe, expect, it } from 'vitest';
import { formatPosition, parsePosition } from './position.ts';

describe('a position', () => {
  it('is read as it was written', () => {
    expect(parsePosition(formatPosition([null, '', 'é"', '1']), [2, 4])).toEqual([null, '', 'é"', '1']);
  });

  it.each(['', '1', '"a"', '[]', '["1"]', '["1",2]', '["1",["2"]]', '["1","\\u0000"]', '{"0":"1","1":"2"}'])(
    'of two values cannot be %s',
    (text) => {
      expect(parsePosition(text, [2])).toBeUndefined();
    },
  );
});
