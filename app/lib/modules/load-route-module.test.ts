import { describe, expect, it } from 'vitest';
import { isChunkError } from './chunk-errors.ts';
import { loadRouteModule } from './load-route-module.ts';

const present = `data:text/javascript,${encodeURIComponent('export const name = "a"')}`;
const absent = new URL('./no-such-file.js', import.meta.url).href;

describe('loadRouteModule', () => {
  it('loads a module once', async () => {
    const cache: Record<string, unknown> = {};
    const module = await loadRouteModule({ id: 'a', module: present }, cache);
    expect(module).toHaveProperty('name', 'a');
    expect(await loadRouteModule({ id: 'a', module: absent }, cache)).toBe(module);
  });

  it('returns a module that throws a chunk error if the file is missing', async () => {
    const cache: Record<string, unknown> = {};
    const module = (await loadRouteModule({ id: 'a', module: absent }, cache)) as Record<string, () => void>;
    for (const name of ['clientLoader', 'default']) {
      let thrown: unknown;
      try {
        module[name]?.();
      } catch (error) {
        thrown = error;
      }
      expect(isChunkError(thrown)).toBe(true);
    }
    expect(cache).toEqual({});
  });
});
