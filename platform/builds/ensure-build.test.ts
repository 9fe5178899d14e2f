import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
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

  it('builds again after a change of a source that only the build names', async () => {
    const further = join(folder, 'shared.ts');
    await writeFile(further, 'one');
    const withFurther: BuildPlan = {
      ...plan,
      furtherSources: async (build) => ((await readdir(build).catch(() => [])).length > 0 ? [further] : []),
    };
    const ids: string[] = [];
    const recorded = {
      ...withFurther,
      build: (into: string, hash: string) => plan.build(into, hash).then(() => void ids.push(hash)),
    };
    expect(await ensureBuild(recorded, ignore)).toBe('built');
    expect(await ensureBuild(recorded, ignore)).toBe('fresh');
    await utimes(further, 1, 1);
    expect(await ensureBuild(recorded, ignore)).toBe('fresh');
    await writeFile(further, 'two');
    expect(await isUpToDate(recorded)).toBe(false);
    expect(await ensureBuild(recorded, ignore)).toBe('built');
    expect(await ensureBuild(recorded, ignore)).toBe('fresh');
    expect(new Set(ids).size).toBe(2);
  });

  it('keeps files of another program in a folder of the user', async () => {
    await mkdir(plan.target);
    await writeFile(join(plan.target, 'page.js'), 'mine');
    const message = `${plan.target} contains files of another program, e.g. page.js.`;
    await expect(ensureBuild({ ...plan, isUserFolder: true }, ignore)).rejects.toThrow(message);
    expect(await content()).toBe('mine');
    await rm(join(plan.target, 'page.js'));
    expect(await ensureBuild({ ...plan, isUserFolder: true }, ignore)).toBe('built');
  });

  it('replaces the build of a process that builds at the same time', async () => {
    const script = `
      const { ensureBuild } = await import(${JSON.stringify(join(import.meta.dirname, 'ensure-build.ts'))});
      const { mkdir, writeFile } = await import('node:fs/promises');
      const target = ${JSON.stringify(plan.target)};
      const build = (into) => mkdir(into).then(() => writeFile(into + '/page.js', 'built'));
      for (let round = 0; round < 20; round++) {
        await writeFile(target + '-source-' + process.pid, String(round));
        const sources = [target + '-source-' + process.pid];
        await ensureBuild({ title: 'it', root: '/', sources, target, build }, () => {});
      }
    `;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    await Promise.all([run(), run()]);
    expect(await content()).toBe('built');
  });

  it('keeps a build that another process is creating', async () => {
    const running = join(folder, `app/build.${process.ppid}`);
    await mkdir(running);
    await ensureBuild(plan, ignore);
    expect(await readdir(join(folder, 'app'))).toContain(`build.${process.ppid}`);
  });
});
