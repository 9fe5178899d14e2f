import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { GreenroomConfig } from './greenroom-config.ts';
import { productConfig } from './schema.ts';

it('GreenroomConfig is the type of the values that the schema accepts', () => {
  // The compiler of the checks compares the types.
  expectTypeOf<GreenroomConfig>().toEqualTypeOf<z.input<typeof productConfig>>();
});

it('GreenroomConfig describes every key of the schema', () => {
  const source = readFileSync(join(import.meta.dirname, 'greenroom-config.ts'), 'utf8');
  const described = [...source.matchAll(/\*\/\n {2}(\w+)\??: /g)].map(([, name]) => name);
  const keys = keysOf(z.toJSONSchema(productConfig, { io: 'input' })).filter((key) => !/^\d+$/.test(key));
  expect(keys).toContain('timeZone');
  expect(new Set(described)).toEqual(new Set(keys));
});

/** Returns the names of all properties in a JSON schema. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties } = schema as { properties?: Record<string, unknown> };
  const own = Object.keys(properties ?? {}).filter((key) => key !== 'en' && key !== 'de');
  return [...own, ...Object.values(schema).flatMap(keysOf)];
}
