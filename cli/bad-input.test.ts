/** Wrong command lines of every command: one message, the exit code, and nothing half done. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROGRAM, run } from './run.ts';
import { captureOutput } from './testing/capture-output.ts';

let folder: string;
const printed = captureOutput();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-bad-input-'));
  await mkdir(join(folder, 'supabase'));
  await writeFile(join(folder, 'supabase', 'config.toml'), 'project_id = "own"\n');
});
afterAll(() => rm(folder, { recursive: true }));

/** Each command needs a row; most rows are refused before anything is read. */
const ROWS: [string[], string | RegExp][] = [
  [['init'], /config\.toml exists already.*--force\.$/m],
  [['init', 'shop'], "Unexpected argument 'shop'\nuse: greenroom init [options]"],
  [['start', '--cli-key'], "Unknown option '--cli-key'. Did you mean --cli-keys?"],
  [['start', '--services', 'data', '--detach'], '--detach starts whole instances'],
  [['dev', '--detach'], "Unknown option '--detach'."],
  [['stop', '--al'], "Unknown option '--al'. Did you mean --all?"],
  [['list', '-o', 'xml'], '--output="xml" is not allowed. Allowed: pretty, json.'],
  [['status', '-o', 'xml'], '--output="xml" is not allowed. Allowed: pretty, env, json, yaml, toml.'],
  [['status', '--override-name', 'api.ulr=URL'], '--override-name: "api.ulr" is unknown. Allowed: api.url, '],
  [['status', '--override-name', 'api.url=1'], '"api.url=1" names no variable.'],
  [['status'], 'no instance was started in'],
  [['services', 'auth'], "Unexpected argument 'auth'"],
  [['logs'], 'no instance was started in'],
  [['logs', '--service', 'kong'], '--service="kong" is not allowed. Allowed: auth, rest, realtime, storage,'],
  [
    ['logs', '--level', 'notice'],
    '--level="notice" is not allowed. Allowed: trace, debug, info, warn, error',
  ],
  [['logs', '--since', 'noon'], '--since="noon" is not allowed. Allowed: a duration'],
  [['logs', '--limit', '1', '--tail', '2'], 'use either --limit or --tail.'],
  [['logs', '-f', '--output-format', 'json'], '--output-format json prints a complete array.'],
  [['doctor', '--output', 'text'], '--output="text" is not allowed. Allowed: pretty, json.'],
  [['config', 'delete'], 'unknown command "config delete". Use config or config diff.'],
  [['config', 'diff', 'all'], "Unexpected argument 'all'"],
  [['build', '--force'], "Unknown option '--force'."],
  [['admin-link'], 'no instance was started in'],
  [['upgrade'], 'This is a clone of the repository: use git pull.'],
  [['service', 'install', '--name', 'a b'], '--name="a b" is not allowed.'],
  [['service', 'uninstall', '--name', 'missing'], 'there is no service missing'],
  [['service', 'status', '--name', '../a'], '--name="../a" is not allowed.'],
  [['functions', 'new'], 'functions new requires a name, e.g. greenroom functions new hello'],
  [['functions', 'new', '../a'], '"../a" cannot be the name of a function'],
  [['functions', 'deploy'], 'the project has no functions. Create one: greenroom functions new <name>'],
  [['functions', 'deploy', '--prun'], "Unknown option '--prun'. Did you mean --prune?"],
  [['functions', 'versions'], 'functions versions requires a name, e.g. greenroom functions versions hello'],
  [['functions', 'versions', 'a'], 'no instance was started in'],
  [['functions', 'rollback', 'a', '--to', '0'], '--to="0" is not allowed. Allowed: a whole number from 1.'],
  [['functions', 'delete'], 'functions delete requires a name, e.g. greenroom functions delete hello'],
  [['functions', 'download'], 'functions download requires a name, e.g. greenroom functions download hello'],
  [
    ['functions', 'delete', 'a', '--url', 'ftp://a'],
    '--url="ftp://a" is not allowed. Allowed: a URL such as',
  ],
  [['functions', 'delete', 'a', '--url', 'http://a'], '--url requires --secret-key <key>, or the variable'],
  [['functions', 'delete', 'a', '--secret-key', 'b'], '--secret-key requires --url <url>'],
  [
    ['functions', 'serve', '--inspect-mode', 'off'],
    '--inspect-mode="off" is not allowed. Allowed: run, brk, wait.',
  ],
  [['functions', 'logs'], 'no instance was started in'],
  [['functions', 'logs', '--limit', 'x'], '--limit="x" is not allowed. Allowed: a whole number from 0.'],
  [['webhooks', 'list', '-o', 'xml'], '--output="xml" is not allowed. Allowed: pretty, json.'],
  [['webhooks', 'replay'], 'webhooks replay requires either ids or --all.'],
  [['webhooks', 'rotate', '--overlap', 'soon'], '--overlap="soon" is not allowed.'],
  [['secrets', 'set'], 'secrets set requires NAME=value, e.g. greenroom secrets set STRIPE_KEY=sk_test_1'],
  [
    ['secrets', 'set', 'A'],
    'secrets set requires NAME=value for each secret; one of them has no name or no =.',
  ],
  [['secrets', 'set', '--env-file', 'none'], '--env-file: none cannot be read: ENOENT'],
  [['secrets', 'list', '-o', 'xml'], '--output="xml" is not allowed. Allowed: pretty, json.'],
  [['secrets', 'unset'], 'secrets unset requires a name, e.g. greenroom secrets unset STRIPE_KEY'],
  [['secrets', 'get'], 'Use secrets set, secrets list or secrets unset.'],
  [['functions', 'list', '-o', 'xml'], '--output="xml" is not allowed. Allowed: pretty, json.'],
  [['completion'], 'completion requires a shell, e.g. greenroom completion bash'],
  [['completion', 'csh'], 'there is no completion for "csh". Allowed: bash, zsh, fish, powershell.'],
  [['version', '1'], "Unexpected argument '1'"],
  [['migration', 'new'], 'migration new requires a name, e.g. greenroom migration new create_notes'],
  [['migration', 'new', 'a/b'], '"a/b" cannot be the name of a migration'],
  [['migration', 'list', 'all'], "Unexpected argument 'all'"],
  [['migration', 'up', '--all'], "Unknown option '--all'."],
  [['migration', 'down', '--last', 'two'], '--last="two" is not allowed. Allowed: a whole number from 1.'],
  [['migration', 'repair', '1'], 'migration repair requires the option --status <status>'],
  [['migration', 'repair', '--status', 'applied'], 'migration repair requires a version'],
  [['migration', 'squash', '--version', '7'], /7/],
  [['migration', 'fetch', '--force'], "Unknown option '--force'."],
  [['migration', 'sideways'], 'unknown command "migration sideways". Use migration new, migration list,'],
  [['db', 'reset', '--last', '1.5'], '--last="1.5" is not allowed. Allowed: a whole number from 0.'],
  [['db', 'diff', 'all'], "Unexpected argument 'all'"],
  [['db', 'diff', '--use-migra'], '--use-migra is not available'],
  [['db', 'pull'], 'db pull requires --db-url postgresql://'],
  [['db', 'push'], 'db push requires --db-url postgresql://'],
  [['db', 'schema', 'declarative', 'drop'], 'unknown command "db schema declarative drop".'],
  [
    ['db', 'schema', 'declarative', 'generate', '--reset', '--db-url', 'x'],
    'use either --reset or --db-url.',
  ],
  [['db', 'schema', 'declarative', 'sync', '-f', 'a', '--name', 'b'], 'use either --file or --name.'],
  [['db', 'seed', '--sql-paths', 'none.sql'], 'no seed file matches "none.sql"'],
  [['db', 'query', 'select 1', 'select 2'], "Unexpected argument 'select 2'"],
  [['db', 'query', 'select 1', '-f', 'a.sql'], 'use either SQL or --file.'],
  [['db', 'query', '-f', 'none.sql'], 'none.sql cannot be read: ENOENT'],
  [
    ['db', 'query', 'select 1', '--db-url', 'localhost'],
    '--db-url requires a connection URL, e.g. postgresql://',
  ],
  [['db', 'query', 'select 1', '-o', 'xml'], '--output="xml" is not allowed. Allowed: table, json, csv.'],
  [['db', 'lint', '--level', 'info'], '--level="info" is not allowed. Allowed: warning, error.'],
  [
    ['db', 'lint', '--schema', 'public,'],
    '--schema requires names of schemas, e.g. --schema public,private.',
  ],
  [['db', 'lint', '--fail-on', 'info'], '--fail-on="info" is not allowed. Allowed: none, warning, error.'],
  [['db', 'lint'], 'the project has no database yet. Create it: greenroom start'],
  [['db', 'advisors', '--type', 'rls'], '--type="rls" is not allowed. Allowed: all, security, performance.'],
  [['db', 'advisors', '--db-url', 'localhost'], '--db-url requires a connection URL, e.g. postgresql://'],
  [['db', 'advisors'], 'the project has no database yet. Create it: greenroom start'],
  [['db', 'dump', '--data-only', '--role-only'], 'use either --data-only or --role-only.'],
  [['backup', 'create'], 'the project has no database yet. Create it: greenroom start'],
  [['backup', 'list'], 'name the place of the backups'],
  [['backup', 'verify'], 'name the place of the backups'],
  [['backup', 'check'], 'name the place of the backups'],
  [['backup', 'prune'], 'name the place of the backups'],
  [['backup', 'keygen', 'x'], "Unexpected argument 'x'"],
  [['restore'], 'name the place of the backups'],
  [
    ['restore', 'x', '--to-time', '2026-11-27T12:00:00'],
    '--to-time="2026-11-27T12:00:00" has no zone. Add one',
  ],
  [['restore', 'x', '--latest', '--name', 'a'], '--latest and --name exclude each other: name one state.'],
  [['restore', 'a', '--only', 'a.b.c'], '--only="a.b.c" is not allowed. Allowed: a table such as todos,'],
  [['restore', 'a', '--only', 'bucket:'], '--only="bucket:" names no bucket. Use e.g. bucket:files'],
  [['restore', 'a', '--only', 'a', '--force'], '--only restores into the live instance under other names'],
  [['inspect', 'db', 'bloat'], 'the project has no database yet. Create it: greenroom start'],
  [
    ['inspect', 'db', 'blocking', 'all'],
    "Unexpected argument 'all'\nuse: greenroom inspect db blocking [opt",
  ],
  [
    ['inspect', 'db', 'cache-hit', 'all'],
    "Unexpected argument 'all'\nuse: greenroom inspect db cache-hit [opt",
  ],
  [['inspect', 'db', 'calls', '-o', 'xml'], '--output="xml" is not allowed. Allowed: pretty, json, csv.'],
  [
    ['inspect', 'db', 'db-stats', '--db-url', 'localhost'],
    '--db-url requires a connection URL, e.g. postgres',
  ],
  [
    ['inspect', 'db', 'index-stats', '--linked'],
    '--linked names a project that is linked to the hosted service',
  ],
  [['inspect', 'db', 'lock'], 'unknown command "inspect db lock". Did you mean inspect db locks?'],
  [['inspect', 'db', 'locks', '--db-url', ''], '--db-url requires a connection URL, e.g. postgresql://'],
  [['inspect', 'db', 'long-running-queries'], 'the project has no database yet'],
  [['inspect', 'db', 'outliers', '--limit', '5'], "Unknown option '--limit'."],
  [['inspect', 'db', 'replication-slots'], 'the project has no database yet'],
  [
    ['inspect', 'db', 'role-stats', '-o', 'table'],
    '--output="table" is not allowed. Allowed: pretty, json, csv.',
  ],
  [['inspect', 'db', 'table-stats', 'notes'], "Unexpected argument 'notes'"],
  [['inspect', 'db', 'traffic-profile'], 'the project has no database yet'],
  [['inspect', 'db', 'vacuum-stats'], 'the project has no database yet'],
  [['inspect', 'db', 'collation-drift'], 'the project has no database yet'],
  [['inspect', 'db', 'toast-sizes'], 'the project has no database yet'],
  [['inspect', 'db', 'xid-age'], 'the project has no database yet'],
  [['inspect', 'report'], 'the project has no database yet. Create it: greenroom start'],
  [['inspect', 'report', '--output-dir'], "Option '--output-dir <value>' argument missing"],
  [['db', 'start'], 'db start requires --from-backup <file>.'],
  [['db', 'start', '--from-backup', 'none.sql'], 'none.sql cannot be read: ENOENT'],
  [['test', 'db'], 'there are no tests: '],
  [['test', 'db', 'none_test.sql'], 'none_test.sql cannot be read: ENOENT'],
  [['test', 'new'], 'test new requires a name, e.g. greenroom test new notes'],
  [['test', 'new', '../notes'], '"../notes" cannot be the name of a test.'],
  [['test', 'new', 'notes', '-t', 'jest'], '--template="jest" is not allowed. Allowed: pgtap.'],
  [
    ['db', 'qery'],
    'unknown command "db qery". Did you mean db query? Use db reset, db seed, db diff, db pull, ',
  ],
  [['seed', 'tables'], 'unknown command "seed tables". Use seed buckets.'],
  [['seed', 'buckets', 'a'], "Unexpected argument 'a'"],
  [
    ['storage', 'copy'],
    'unknown command "storage copy". Did you mean storage cp? Use storage ls, storage cp, storage mv or storage rm.',
  ],
  [
    ['storage', 'ls', 'photos'],
    '"photos" is not an address of storage. Allowed: ss:///bucket/path, with %3F',
  ],
  [['storage', 'ls', 'ss://photos/a'], '"ss://photos/a" is not an address of storage.'],
  [['storage', 'ls', 'ss:///photos/a?b'], '"ss:///photos/a?b" is not an address of storage.'],
  [['storage', 'ls', 'ss:///%zz'], '"ss:///%zz" is not an address of storage.'],
  [['storage', 'ls', 'ss:///../x'], '"ss:///../x" names no bucket.'],
  [['storage', 'ls'], 'no instance was started in'],
  [['storage', 'cp', 'a', 'b'], 'storage cp requires an address of storage, e.g. greenroom storage cp'],
  [
    ['storage', 'cp', 'a', 'http://b'],
    'storage cp requires an address of storage, e.g. greenroom storage cp',
  ],
  [['storage', 'cp', 'ss:///a/b', 'ss:///a/c'], 'copying inside of storage is not supported.'],
  [['storage', 'cp', 'ss:///a', 'b'], '"ss:///a" names no object. Download a folder or a bucket with -r.'],
  [['storage', 'cp', 'ss:///a/b', ''], 'a path must not be empty.'],
  [
    ['storage', 'cp', 'ss:///a/b', 'c', '-j', '0'],
    '--jobs="0" is not allowed. Allowed: a whole number from 1.',
  ],
  [['storage', 'cp', 'ss:///a/b', 'c'], 'no instance was started in'],
  [['storage', 'mv', 'ss:///a/b'], 'storage mv requires a target'],
  [['storage', 'mv', 'ss:///a/', 'ss:///a'], 'storage mv moves objects, not buckets'],
  [['storage', 'mv', 'ss:///a/b', 'ss:///c/b'], 'objects can move inside of their bucket only.'],
  [['storage', 'mv', 'ss:///a/b/', 'ss:///a/c'], '"ss:///a/b/" names a folder. Move it with -r.'],
  [['storage', 'rm'], 'storage rm requires an address, e.g. greenroom storage rm ss:///docs/a.md'],
  [['storage', 'rm', '-r'], 'storage rm requires an address, e.g. greenroom storage rm ss:///docs/a.md'],
  [['storage', 'rm', 'ss:///'], 'storage rm requires the name of a bucket: ss:///bucket/path.'],
  [['storage', 'rm', 'ss:///a'], '"ss:///a" names a bucket or a folder. Delete it with -r.'],
  [['keys', 'list', 'all'], "Unexpected argument 'all'"],
  [['keys', 'forge'], 'unknown command "keys forge". Use keys list, keys rotate or keys revoke.'],
  [['keys', 'rotate'], 'no instance was started in'],
  [['keys', 'revoke'], 'keys revoke requires the id of a key. Run "greenroom keys" to list them.'],
  [['extensions', 'update'], 'unknown command "extensions update". Use extensions list, extensions add or'],
  [['extensions', 'list', 'all'], "Unexpected argument 'all'"],
  [['extensions', 'add'], 'extensions add requires a source, e.g. greenroom extensions add'],
  [['extensions', 'remove'], 'extensions remove requires a name, e.g. greenroom extensions remove vector'],
  [['extensions', 'remove', 'a', 'b'], "Unexpected argument 'b'"],
  [
    ['gen', 'types', '--lang', 'rust'],
    '--lang="rust" is not allowed. Allowed: typescript, go, python, swift.',
  ],
  [
    ['gen', 'signing-key', '--algorithm', 'HS256'],
    '--algorithm="HS256" is not allowed. Allowed: ES256, RS256.',
  ],
  [['gen', 'bearer-jwt'], 'gen bearer-jwt requires the option --role <role>'],
  [['gen', 'bearer-jwt', '--role', 'anon'], 'no instance was started in'],
  [
    ['gen', 'bearer-jwt', '--role', 'anon', '--exp', 'tomorrow'],
    '--exp="tomorrow" is not allowed. Allowed: a time',
  ],
  [
    ['gen', 'bearer-jwt', '--role', 'anon', '--valid-for', '0s'],
    '--valid-for="0s" is not allowed. Allowed: a dur',
  ],
  [
    ['gen', 'bearer-jwt', '--role', 'anon', '--payload', '[1]'],
    '--payload="[1]" is not allowed. Allowed: a JSON',
  ],
];

describe('wrong input', () => {
  it.each(ROWS)('%j ends with one message and exit code 1', async (args, message) => {
    expect(await run([...args, '--project', folder])).toBe(1);
    expect(printed.errors).toMatch(/^error: /);
    expect(printed.errors.match(/error: /g)).toHaveLength(1);
    if (typeof message === 'string') expect(printed.errors).toContain(message);
    else expect(printed.errors).toMatch(message);
    expect(printed.output).toBe('');
    expect(await readdir(folder, { recursive: true })).toEqual(['supabase', 'supabase/config.toml']);
    expect(await readFile(join(folder, 'supabase', 'config.toml'), 'utf8')).toBe('project_id = "own"\n');
  });

  it('is tested for each command', () => {
    const tested = ROWS.map(([args]) => args);
    const untested = PROGRAM.commands.filter(
      ({ path, isHidden }) =>
        !isHidden && !tested.some((args) => path.every((name, index) => args[index] === name)),
    );
    expect(untested.map(({ path }) => path.join(' '))).toEqual([]);
  });
});
