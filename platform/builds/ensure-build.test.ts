import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BuildPlan, ensureBuild, isUpToDate } from './ensure-build.ts';

let folder: string;
let builds: number;
let plan: BuildPlan;

const ignore = () => {};
const content = () => readFile(join(folder, 'app/build/page.js'), 'utf8');
/** No process has this id: it exceeds the maximum on Linux and macOS. */
const DEAD_PID = 2 ** 30;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-'));
  builds = 0;
  await mkdir(join(folder, 'app'));
  await writeFile(join(folder, 'app/page.ts'), 'one');
  plan = {
    title: 'the app',
    root: folder,
    sources: [join(folder, 'app')],
    target: join(folder, 'app/build'),
    async build(into) {
      builds++;
      await mkdir(into);
      await writeFile(join(into, 'page.js'), await readFile(join(folder, 'app/page.ts')));
    },
  };
});

afterEach(() => rm(folder, { recursive: true }));

describe('ensureBuild', () => {
  it('builds once, and again after a change', async () => {
    expect(await ensureBuild(plan, ignore)).toBe('built');
    expect(await ensureBuild(plan, ignore)).toBe('fresh');
    await writeFile(join(folder, 'app/page.ts'), 'two');
    expect(await ensureBuild(plan, ignore)).toBe('built');
    expect(builds).toBe(2);
    expect(await content()).toBe('two');
    expect((await readdir(join(folder, 'app'))).sort()).toEqual(['build', 'page.ts']);
  });

  it('does not build again if files were only touched', async () => {
    await ensureBuild(plan, ignore);
    await utimes(join(folder, 'app/page.ts'), 1, 1);
    expect(await ensureBuild(plan, ignore)).toBe('fresh');
  });

  it('is up to date from the build to the next change', async () => {
    expect(await isUpToDate(plan)).toBe(false);
    await ensureBuild(plan, ignore);
    expect(await isUpToDate(plan)).toBe(true);
    await writeFile(join(folder, 'app/page.ts'), 'two');
    expect(await isUpToDate(plan)).toBe(false);
  });

  it('logs only when it builds', async () => {
    const messages: string[] = [];
    await ensureBuild(plan, (message) => void messages.push(message));
    await ensureBuild(plan, (message) => void messages.push(message));
    expect(messages).toEqual(['building the app']);
  });

  it('keeps the old build if a new one fails and retries the next time', async () => {
    await ensureBuild(plan, ignore);
    await writeFile(join(folder, 'app/page.ts'), 'two');
    const failing = { ...plan, build: () => Promise.reject(new Error('syntax error in page.ts')) };
    await expect(ensureBuild(failing, ignore)).rejects.toThrow('syntax error in page.ts');
    expect(await content()).toBe('one');
    expect(await ensureBuild(plan, ignore)).toBe('built');
  });

  it('ignores leftovers of a killed build', async () => {
    const leftover = join(folder, `app/build.${DEAD_PID}`);
    await mkdir(leftover);
    await writeFile(join(leftover, 'page.js'), 'half');
    expect(await ensureBuild(plan, ignore)).toBe('built');
    expect(await content()).toBe('one');
    expect((await readdir(join(folder, 'app'))).sort()).toEqual(['build', 'page.ts']);
  });

  it('ignores a folder without a stamp', async () => {
    await mkdir(plan.target);
    await writeFile(join(plan.target, 'page.js'), 'half');
    expect(await ensureBuild(plan, ignore)).toBe('built');
    expect(await content()).toBe('one');
  });

  it('keeps a build that another process is creating', async () => {
    const running = join(folder, `app/build.${process.ppid}`);
    await mkdir(running);
    await ensureBuild(plan, ignore);
    expect(await readdir(join(folder, 'app'))).toContain(`build.${process.ppid}`);
  });
});
