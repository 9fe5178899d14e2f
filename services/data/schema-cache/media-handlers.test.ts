import { afterAll, beforeAll, expect, it } from 'vitest';
import { Studio, THEATRE } from '../testing/studio/studio.ts';
import type { SchemaCache } from './schema-cache.ts';

let studio: Studio;
let cache: SchemaCache;
beforeAll(async () => {
  studio = await Studio.open(THEATRE);
  cache = studio.cache;
});
afterAll(() => studio.close());

const theatre = (name: string) => ({ schema: 'theatre', name });
const studioName = (name: string) => ({ schema: 'studio', name });

it('lists aggregates over rows and functions as media type handlers', () => {
  expect(cache.mediaHandlers).toEqual([
    {
      kind: 'aggregate',
      mediaType: '*/*',
      function: theatre('anything'),
      target: undefined,
      isBinary: true,
    },
    {
      kind: 'aggregate',
      mediaType: 'image/png',
      function: theatre('drawing'),
      target: theatre('play'),
      isBinary: true,
    },
    {
      kind: 'function',
      mediaType: 'text/html',
      function: theatre('poster_page'),
      target: theatre('poster_page'),
      isBinary: false,
    },
  ]);
});

// Casts belong to the whole database, independent of the exposed schemas.
it('lists implicit casts with functions of domains as representations', () => {
  expect(cache.representations).toEqual([
    { sourceType: 'json', targetType: 'studio.colour', function: studioName('colour') },
    { sourceType: 'json', targetType: 'theatre.colour', function: theatre('colour') },
    { sourceType: 'studio.colour', targetType: 'json', function: studioName('json') },
    { sourceType: 'text', targetType: 'studio.colour', function: studioName('colour') },
    { sourceType: 'theatre.colour', targetType: 'json', function: theatre('json') },
  ]);
});
