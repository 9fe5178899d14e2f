import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-lint-'));
  const plugins = [join(import.meta.dirname, 'named-closures.grit')];
  const configuration = { linter: { rules: { recommended: false } }, plugins };
  await writeFile(join(folder, 'biome.json'), JSON.stringify(configuration));
});

afterAll(() => rm(folder, { recursive: true }));

/** Whether the linter, with this rule only, accepts a text. */
async function passes(text: string): Promise<boolean> {
  await writeFile(join(folder, 'text.ts'), text);
  const child = spawn('biome', ['lint', 'text.ts'], { cwd: folder, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  return code === 0;
}

describe('the rule', () => {
  it.each([
    'export const set = (o: Any) => { o.f = () => o; };',
    'export const set = (o: Any) => { o.f = (x: number) => { return x; }; };',
    'export const set = (o: Any) => { o.f = async () => { await o; }; };',
    'export const set = (o: Any) => { o.f = function () { return 1; }; };',
    'export const set = (o: Any) => { o.f ??= () => 1; };',
    'export const set = (o: Any, key: string) => { o[key] = (x: number) => x; };',
    'export class C { #f = Number; set() { this.#f = (x) => Number(x); } get() { return this.#f; } }',
  ])('rejects a function that is assigned to a property: %s', async (text) => {
    expect(await passes(text)).toBe(false);
  });

  it('accepts other functions', async () => {
    const text = `
      export const set = (o: Any) => { const f = () => o; o.f = f; o.g = f(); };
      export class C { f = () => 1; list = [() => 1]; }
    `;
    expect(await passes(text)).toBe(true);
  });
});

/**
 * Returns the bytes of old space that this many functions with their contexts occupy. Not optimised, as after each
 * start.
 */
async function oldBytesOf(assignment: string): Promise<number> {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8';
    const oldBytes = () => getHeapSpaceStatistics().find((each) => each.space_name === 'old_space').space_used_size;
    const object = {};
    const make = (i) => { ${assignment} };
    make(0);
    const before = oldBytes();
    for (let i = 0; i < 100_000; i += 1) make(i);
    console.log(oldBytes() - before);
  `;
  const flags = ['--no-opt', '--no-maglev', '--single-threaded', '--max-semi-space-size=1'];
  const args = [...flags, '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout);
}

it('is necessary: V8 allocates such a function in the old space', async () => {
  expect(await oldBytesOf('object.f = () => i;')).toBeGreaterThan(4_000_000);
  expect(await oldBytesOf('const f = () => i; object.f = f;')).toBeLessThan(500_000);
});
