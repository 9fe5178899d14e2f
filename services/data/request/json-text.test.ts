import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScanError, JsonScanner, type RowListener } from './json-text.ts';

/** Returns the events that a scanner reports while it reads `step` bytes at a time. */
function eventsOf(text: string, step: number): unknown[] {
  const bytes = Buffer.from(text);
  const events: unknown[] = [];
  const listener: RowListener = {
    begin: (kind) => events.push(['begin', kind]),
    beginElement: (isObject) => events.push(['element', isObject]),
    key: (start, end) => events.push(['key', bytes.toString('utf8', start, end)]),
    endElement: () => events.push(['end']),
  };
  const scanner = new JsonScanner(bytes, listener);
  try {
    while (!scanner.read(step));
  } catch (error) {
    if (!(error instanceof JsonScanError)) throw error;
    events.push(error.message);
  }
  return events;
}

describe('JsonScanner', () => {
  it('reports rows and their outermost keys', () => {
    expect(eventsOf('[{"a":[{"b":1}],"c\\"":{}},2]', 1000)).toEqual([
      ['begin', 'array'],
      ['element', true],
      ['key', '"a"'],
      ['key', '"c\\""'],
      ['end'],
      ['element', false],
    ]);
  });

  it('reports the same for any step size', () => {
    const mangled = fc
      .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 }))
      .map(([text, position, patch]) => {
        const at = position % (text.length + 1);
        return (text.slice(0, at) + patch + text.slice(at)).toWellFormed();
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), mangled), fc.integer({ min: 1, max: 9 }), (text, step) => {
        expect(eventsOf(text, step)).toEqual(eventsOf(text, Number.POSITIVE_INFINITY));
      }),
    );
  });
});
