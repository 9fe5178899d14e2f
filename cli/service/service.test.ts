/** `greenroom service` on one project. A script stands in for systemctl, which needs a running systemd. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';
import { type UnitOptions, unitText } from './unit.ts';

const WITHOUT_SYSTEMD = spawnSync('systemd-analyze', ['--version']).status !== 0;
/** A unit without restrictions has 9.5. */
const MAX_EXPOSURE = 2;
/** A user that every Linux has, and that is not root. */
const USER = 'daemon';

let folder: string;
let project: Awaited<ReturnType<typeof createProjectInstance>>;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-service-'));
  project = await createProjectInstance({ 'config.toml': '' });
  await mkdir(join(folder, 'bin'));
  const script = `#!/bin/sh
echo "$@" >> ${folder}/calls
[ "$1" = show ] && printf 'ActiveState=%s\\nSubState=running\\nUnitFileState=enabled\\nMainPID=7\\nNRestarts=2\\n' "$(cat ${folder}/state)"
[ "$1" != enable ] || [ ! -e ${folder}/broken ] || { echo 'Job failed' >&2; exit 1; }
`;
  await writeFile(join(folder, 'bin/systemctl'), script);
  await chmod(join(folder, 'bin/systemctl'), 0o755);
  env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
beforeEach(() => writeFile(join(folder, 'calls'), ''));

const service = (...args: string[]) => project.run(['service', ...args, '--folder', folder], { env });
const calls = () => readFile(join(folder, 'calls'), 'utf8');
const unit = () => join(folder, 'shop.service');

const OPTIONS: UnitOptions = {
  name: 'greenroom',
  user: USER,
  projectFolder: tmpdir(),
  dataFolder: join(tmpdir(), '.greenroom'),
  command: [process.execPath, process.execPath, 'start'],
  environmentFile: '/etc/greenroom/greenroom.env',
  needsLowPort: false,
};

describe.skipIf(process.getuid?.() !== 0)('greenroom service', () => {
  it('installs a systemd unit for another user, and creates its data folder', async () => {
    const { code, output, errors } = await service('install', '--name', 'shop', '--user', USER);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain(`wrote ${unit()}\n`);
    expect(await calls()).toBe('daemon-reload\nenable --now shop.service\n');
    const text = await readFile(unit(), 'utf8');
    const dataFolder = join(project.folder, '.greenroom');
    expect(text).toContain(`\nUser=${USER}\n`);
    expect(text).toContain(`\nReadWritePaths=${dataFolder}\n`);
    expect(text).toMatch(/\nExecStart=\/\S+ \/\S+ start\n/);
    const { uid, mode } = await stat(dataFolder);
    expect([uid === 0, mode & 0o777]).toEqual([false, 0o711]);
  });

  it('prints the state of the service, and returns 3 unless it is active', async () => {
    await writeFile(join(folder, 'state'), 'active');
    const active = await service('status', '--name', 'shop');
    expect(active).toMatchObject({
      code: 0,
      output: expect.stringContaining('state     active (running)\n'),
    });
    await writeFile(join(folder, 'state'), 'failed');
    expect(await service('status', '--name', 'shop')).toMatchObject({ code: 3 });
    expect(await service('status', '--name', 'none')).toMatchObject({
      code: 3,
      output: 'none is not installed\n',
    });
  });

  it('uninstalls the service, and keeps its data', async () => {
    expect(await service('uninstall', '--name', 'shop')).toMatchObject({ code: 0 });
    expect(await calls()).toBe('disable --now shop.service\ndaemon-reload\n');
    expect([existsSync(unit()), existsSync(join(project.folder, '.greenroom'))]).toEqual([false, true]);
    expect(await service('uninstall', '--name', 'shop')).toMatchObject({
      code: 1,
      errors: `error: there is no service shop: ${unit()} does not exist.\n`,
    });
  });

  it('refuses root, a wrong name, and reports the error of systemctl', async () => {
    expect((await service('install')).errors).toMatch(/belongs to root.*--user greenroom/);
    expect((await service('install', '--name', '../x')).errors).toMatch(
      /^error: --name="\.\.\/x" is not allowed/,
    );
    await writeFile(join(folder, 'broken'), '');
    expect((await service('install', '--user', USER)).errors).toBe(
      'error: systemctl enable --now greenroom.service failed: Job failed\n',
    );
  });

  it('refuses a product whose pages are not built, because the service cannot write them', async () => {
    await mkdir(join(project.folder, 'app'));
    await writeFile(join(project.folder, 'app/styles.css'), '');
    await writeFile(join(project.folder, 'greenroom.config.ts'), 'export default {};');
    expect(await service('install', '--name', 'product', '--user', USER)).toMatchObject({
      code: 1,
      errors:
        'error: the pages are not built, and the service may not write them. Run "greenroom build" first.\n',
    });
    expect(await calls()).toBe('');
    await rm(join(project.folder, 'greenroom.config.ts'));
  });

  it('prints the unit without a change', async () => {
    await rm(join(folder, 'greenroom.service'), { force: true });
    const { output } = await service('install', '--user', USER, '--print');
    expect(output).toContain('\nProtectSystem=strict\n');
    expect([existsSync(join(folder, 'greenroom.service')), await calls()]).toEqual([false, '']);
  });
});

describe.skipIf(WITHOUT_SYSTEMD)('the systemd unit', () => {
  it.each([
    ['on a high port', {}],
    ['on a port below 1024', { needsLowPort: true }],
    ['in a folder with blanks, quotes and signs of systemd', { dataFolder: '/srv/a "b" 100% $HOME/x' }],
  ])('%s passes systemd-analyze verify, and has a low exposure', async (_, changes) => {
    const file = join(folder, 'greenroom.service');
    await writeFile(file, unitText({ ...OPTIONS, ...changes }));
    const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    expect([verified.status, verified.stdout + verified.stderr]).toEqual([0, '']);
    const args = ['security', '--offline=true', '--no-pager', file];
    const { stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(exposure)).toBeLessThanOrEqual(MAX_EXPOSURE);
  });

  it('contains paths as they are, and rejects those that would change other lines', () => {
    const text = unitText({ ...OPTIONS, dataFolder: '/srv/a "b" 100% $HOME/x' });
    expect(text).toContain('\nReadWritePaths="/srv/a \\"b\\" 100%% $HOME/x"\n');
    const command = ['/usr/bin/node', '/srv/$HOME/greenroom', 'start'];
    expect(unitText({ ...OPTIONS, command })).toContain(
      '\nExecStart=/usr/bin/node "/srv/$$HOME/greenroom" start\n',
    );
    for (const change of [
      { user: `${USER}\nExecStartPre=/bin/false` },
      { projectFolder: '/srv/a\nUser=root' },
      { projectFolder: '/srv/a\\' },
    ])
      expect(() => unitText({ ...OPTIONS, ...change })).toThrow('cannot be part of a systemd unit');
  });

  it('hides homes unless the project is in one, and allows low ports only if it needs one', () => {
    expect(unitText(OPTIONS)).toContain('\nProtectHome=yes\n');
    expect(unitText({ ...OPTIONS, projectFolder: '/home/ada/shop' })).toContain('\nProtectHome=read-only\n');
    expect(unitText(OPTIONS)).toContain('\nCapabilityBoundingSet=\n');
    expect(unitText({ ...OPTIONS, needsLowPort: true })).toContain(
      '\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE\n',
    );
  });
});
