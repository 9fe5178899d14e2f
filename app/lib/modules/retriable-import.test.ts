import { describe, expect, it } from 'vitest';
import { isChunkError } from './chunk-errors.ts';
import { retriableImport } from './retriable-import.ts';

describe('retriableImport', () => {
  it('requests another URL after a failure and keeps it once it is loaded', async () => {
    const requests: string[] = [];
    const address = `data:text/javascript,${encodeURIComponent('export const name = "a"')}//`;
    const load = retriableImport<{ name: string }>(() => {
      requests.push('first');
      return Promise.reject(new TypeError(`Failed to fetch dynamically imported module: ${address}`));
    });
    const failure = await load().catch((error: unknown) => error);
    expect(isChunkError(failure)).toBe(true);
    const module = await load();
    expect(module.name).toBe('a');
    expect(await load()).toBe(module);
    expect(requests).toEqual(['first']);
  });

  it('retries the original import if the browser names no URL', async () => {
    let calls = 0;
    const load = retriableImport(async () => {
      calls += 1;
      if (calls === 1) throw new TypeError('Importing a module script failed.');
      return { calls };
    });
    await expect(load()).rejects.toThrow('Importing a module script failed.');
    expect(await load()).toEqual({ calls: 2 });
  });
});
