import { expect, it } from 'vitest';
import { ownOrigins } from './own-origins.ts';

it('ownOrigins names the configured addresses, those of containers, and no other port', () => {
  const origins = ownOrigins({
    localUrl: 'http://127.0.0.1:54321',
    appUrl: 'https://app.example/base',
    externalUrl: 'https://api.example',
  });
  expect(origins).toEqual(
    expect.arrayContaining([
      'http://127.0.0.1:54321',
      'https://localhost:54321',
      'http://[::1]:54321',
      'http://host.docker.internal:54321',
      'https://app.example',
      'https://api.example',
      'http://kong:8000',
    ]),
  );
  expect(new Set(origins).size).toBe(origins.length);
  expect(origins).not.toContain('http://127.0.0.1');
});
