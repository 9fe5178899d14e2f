import type { TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SchemaCache } from './schema-cache.ts';
import { createTheatre, loadTheatre } from './testing/theatre.ts';

let database: TestDatabase;
let cache: SchemaCache;
beforeAll(async () => {
  database = await createTheatre();
  cache = await loadTheatre(database);
});
afterAll(() => database.drop());

const theatre = (name: string) => ({ schema: 'theatre', name });

it('media types are served by aggregates over rows, and by functions that return one value', () => {
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

it('representations are implicit casts with a function, from or to a domain', () => {
  expect(cache.representations).toEqual([
    { sourceType: 'json', targetType: 'theatre.colour', function: theatre('colour') },
    { sourceType: 'theatre.colour', targetType: 'json', function: theatre('json') },
  ]);
});
