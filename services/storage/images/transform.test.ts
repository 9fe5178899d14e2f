import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import {
  parseTransformText,
  readTransform,
  TRANSFORM_SCHEMA,
  type TransformRequest,
  transformationsHeader,
  transformText,
} from './transform.ts';

const LIMITS = { minSize: 10, maxSize: 2000 };

const server = Fastify();
server.get('/', { schema: { querystring: TRANSFORM_SCHEMA } }, async ({ query }) =>
  readTransform(query as TransformRequest, LIMITS),
);

describe('a query', () => {
  it.each([
    ['', {}],
    ['width=100&height=50', { width: 100, height: 50 }],
    ['width=1e2', { width: 100 }],
    ['width=9000', { width: 2000 }],
    ['height=3', { height: 10 }],
    ['width=0&height=50', { height: 50 }],
    ['width=Infinity', { width: 2000 }],
    [
      'resize=contain&format=origin&gravity=soea&quality=70',
      { resize: 'contain', format: 'origin', gravity: 'soea', quality: 70 },
    ],
    ['gravity=fp&x_offset=0&y_offset=1', { gravity: 'fp', xOffset: 0, yOffset: 1 }],
    ['gravity=no&y_offset=-100', { gravity: 'no', yOffset: -100 }],
    ['download=a.png&token=x&cacheNonce=1&constructor=1', {}],
  ])('is parsed: %s', async (query, expected) => {
    expect((await server.inject(`/?${query}`)).json()).toEqual(expected);
  });

  it.each([
    ['width=-1', 'querystring/width must be >= 0'],
    ['width=wide', 'querystring/width must be integer'],
    ['width=', 'querystring/width must be integer'],
    ['width=1.5', 'querystring/width must be integer'],
    ['width=NaN', 'querystring/width must be integer'],
    ['width=1&width=2', 'querystring/width must be integer'],
    ['height=-1&width=-1', 'querystring/height must be >= 0'],
    ['quality=19', 'querystring/quality must be >= 20'],
    ['quality=101', 'querystring/quality must be <= 100'],
    ['resize=stretch', 'querystring/resize must be equal to one of the allowed values'],
    ['format=exe', 'querystring/format must be equal to one of the allowed values'],
    ['gravity=up', 'querystring/gravity must be equal to one of the allowed values'],
    ['gravity=no&x_offset=left', 'querystring/x_offset must be number'],
    ['gravity=fp&y_offset=1', `querystring must have required property 'x_offset'`],
    ['gravity=fp&x_offset=0&y_offset=1.5', 'querystring/y_offset must be <= 1'],
  ])('is rejected: %s', async (query, message) => {
    const response = await server.inject(`/?${query}`);
    expect([response.statusCode, response.json().message]).toEqual([400, message]);
  });
});

describe('the text of a transformation', () => {
  it.each([
    [{}, '', ''],
    [{ format: 'origin' }, '', ''],
    [{ resize: 'contain' }, '', ''],
    [{ width: 100 }, 'width:100', 'width:100,resizing_type:fill'],
    [
      { width: 100, height: 50, resize: 'contain', quality: 50 },
      'height:50,width:100,resize:contain,quality:50',
      'height:50,width:100,resizing_type:fit,quality:50',
    ],
    [
      { height: 50, resize: 'fill', format: 'webp' },
      'height:50,resize:fill,format:webp',
      'height:50,resizing_type:force,format:webp',
    ],
    [{ gravity: 'sm', xOffset: 3 }, 'gravity:sm', 'gravity:sm'],
    [{ gravity: 'no' }, 'gravity:no', 'gravity:no'],
    [{ gravity: 'we', xOffset: -12.5 }, 'gravity:we:-12.5:0', 'gravity:we:-12.5:0'],
    [{ gravity: 'fp', xOffset: 0, yOffset: 1 }, 'gravity:fp:0:1', 'gravity:fp:0:1'],
  ] as const)('of %j is %s and is parsed to the same', (transform, text, header) => {
    expect(transformText(transform)).toBe(text);
    expect(transformationsHeader(transform)).toBe(header);
    const read = parseTransformText(text, LIMITS);
    expect(transformText(read)).toBe(text);
  });

  it.each([
    ['width:99999,height:-4', { width: 2000 }],
    ['width:,height:abc,quality:1e9', { quality: 100 }],
    ['resize:undefined,format:,gravity:up', {}],
    ['gravity:fp:x:y', { gravity: 'fp' }],
    ['constructor:1,:,::,', {}],
  ])('is parsed without its invalid parts: %s', (text, expected) => {
    expect(parseTransformText(text, LIMITS)).toEqual(expected);
  });
});
