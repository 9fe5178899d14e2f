import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planGeometry } from './geometry.ts';
import type { Transform } from './transform.ts';

const plan = (
  [width, height]: [number, number],
  transform: Transform,
  { isVector = false }: { isVector?: boolean } = {},
) => {
  const { scaled, cropped } = planGeometry({ width, height }, transform, isVector);
  const result = cropped ?? { left: 0, top: 0, ...scaled };
  return {
    scaled: [scaled.width, scaled.height],
    result: [result.left, result.top, result.width, result.height],
  };
};

describe('sizes', () => {
  it.each<[string, [number, number], Transform, number[], number[]]>([
    ['an empty transformation', [400, 200], {}, [400, 200], [0, 0, 400, 200]],
    ['a width without a height', [400, 200], { width: 100 }, [100, 50], [0, 0, 100, 50]],
    ['a height without a width', [400, 200], { height: 100 }, [200, 100], [0, 0, 200, 100]],
    ['the mode `cover`', [400, 200], { width: 100, height: 100 }, [200, 100], [50, 0, 100, 100]],
    [
      'the mode `contain`',
      [400, 200],
      { width: 100, height: 100, resize: 'contain' },
      [100, 50],
      [0, 0, 100, 50],
    ],
    [
      'the mode `fill`',
      [400, 200],
      { width: 100, height: 100, resize: 'fill' },
      [100, 100],
      [0, 0, 100, 100],
    ],
    [
      'the mode `fill` without a height',
      [400, 200],
      { width: 100, resize: 'fill' },
      [100, 200],
      [0, 0, 100, 200],
    ],
    ['a box larger than the source', [40, 20], { width: 100, height: 100 }, [40, 20], [0, 0, 40, 20]],
    ['a box larger on one side', [400, 20], { width: 100, height: 100 }, [400, 20], [150, 0, 100, 20]],
    [
      'a box larger on one side in the mode `fill`',
      [100, 400],
      { width: 200, height: 200, resize: 'fill' },
      [100, 100],
      [0, 0, 100, 100],
    ],
    ['a result of less than one pixel', [4000, 1], { width: 2 }, [2, 1], [0, 0, 2, 1]],
  ])('are $3 scaled and $4 cropped for %s', (_name, source, transform, scaled, result) => {
    expect(plan(source, transform)).toEqual({ scaled, result });
  });

  it('exceed the source for vector images', () => {
    expect(plan([10, 5], { width: 100 }, { isVector: true }).scaled).toEqual([100, 50]);
  });
});

describe('positions', () => {
  /** Distance from the left of an image that is too wide, and from the top of one that is too high. */
  it.each<[Transform, [number, number]]>([
    [{ gravity: 'ce' }, [50, 50]],
    [{ gravity: 'no' }, [50, 0]],
    [{ gravity: 'so' }, [50, 100]],
    [{ gravity: 'ea' }, [100, 50]],
    [{ gravity: 'we' }, [0, 50]],
    [{ gravity: 'noea' }, [100, 0]],
    [{ gravity: 'sowe' }, [0, 100]],
    [{ gravity: 'no', yOffset: 30 }, [50, 30]],
    [{ gravity: 'so', yOffset: 30 }, [50, 70]],
    [{ gravity: 'so', yOffset: 0.1 }, [50, 80]],
    [{ gravity: 'ea', xOffset: 0.25 }, [50, 50]],
    [{ gravity: 'ce', xOffset: -20, yOffset: 1000 }, [30, 100]],
    [{ gravity: 'fp', xOffset: 0, yOffset: 1 }, [0, 100]],
    [{ gravity: 'fp', xOffset: 0.4, yOffset: 0.5 }, [30, 50]],
  ])('of %j are %j', (transform, [left, top]) => {
    const box = { ...transform, width: 100, height: 100 };
    expect(plan([200, 100], box).result).toEqual([left, 0, 100, 100]);
    expect(plan([100, 200], box).result).toEqual([0, top, 100, 100]);
  });

  it('stay within the image and never enlarge it', () => {
    const side = fc.integer({ min: 1, max: 3000 });
    const offset = fc.option(fc.double({ min: -5000, max: 5000, noNaN: true }), { nil: undefined });
    const gravity = fc.constantFrom('no', 'so', 'ea', 'we', 'noea', 'sowe', 'ce', 'fp' as const);
    fc.assert(
      fc.property(
        fc.record({ width: side, height: side }),
        fc.record(
          {
            width: side,
            height: side,
            resize: fc.constantFrom('cover', 'contain', 'fill'),
            gravity,
            xOffset: offset,
            yOffset: offset,
          },
          { requiredKeys: [] },
        ),
        (source, transform) => {
          const { scaled, cropped } = planGeometry(source, transform as Transform, false);
          const area = cropped ?? { left: 0, top: 0, ...scaled };
          expect(scaled.width).toBeLessThanOrEqual(source.width);
          expect(scaled.height).toBeLessThanOrEqual(source.height);
          for (const number of Object.values(area)) expect(Number.isInteger(number)).toBe(true);
          expect(Math.min(area.left, area.top)).toBeGreaterThanOrEqual(0);
          expect(Math.min(area.width, area.height)).toBeGreaterThanOrEqual(1);
          expect(area.left + area.width).toBeLessThanOrEqual(scaled.width);
          expect(area.top + area.height).toBeLessThanOrEqual(scaled.height);
          expect(area.width).toBeLessThanOrEqual((transform as Transform).width ?? scaled.width);
        },
      ),
    );
  });
});
