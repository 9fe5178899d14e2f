/** The trials: checks of scale, failures, installation and other programs that take too long for `npm test`. */

/** A check that runs separately, for minutes. */
export interface Trial {
  /** E.g. `crash`. */
  name: string;
  /** A sentence for docs/trials.md that states what passing shows. */
  shows: string;
  /** Approximate duration on two cores. */
  minutes: number;
  /**
   * A program of the PATH or of `node_modules/.bin`, and its arguments. It runs in the repository and passes with exit
   * code 0.
   */
  command: readonly [program: string, ...args: string[]];
  env?: Readonly<Record<string, string>>;
  /** Matches the line of the output that docs/trials.md records; the last match counts. */
  result: RegExp;
}

/** The summary that Vitest prints for tests, e.g. `Tests  12 passed (12)`. */
const VITEST_RESULT = /^\s*Tests\s+(.+)$/;

/** All trials, in the order in which they run and docs/trials.md lists them. */
export const TRIALS: readonly Trial[] = [
  {
    name: 'installation',
    shows:
      'A fresh clone installs with `npm ci`, starts with `npm start`, serves pages and the API to the official client, and stops with exit code 0.',
    minutes: 3,
    command: ['node', 'e2e/installation.ts'],
    result: /^installed in .+$/,
  },
  {
    name: 'package',
    shows:
      'The package installs from a registry into an empty folder on the Node.js of the system, starts, survives SIGKILL, and a newer version runs on the data of an older one. A newcomer does every step of the tutorial with the tarballs, upgrades with data, and replaces three pages.',
    minutes: 10,
    command: ['vitest', 'run', 'scripts/package/install.test.ts', 'scripts/package/newcomer.test.ts'],
    result: VITEST_RESULT,
  },
  {
    name: 'running',
    shows:
      'Each documented way to start a server ends all processes that it started on SIGTERM, Ctrl-C and SIGKILL, and SIGHUP works as docs/running.md describes.',
    minutes: 3,
    command: ['playwright', 'test', '--config', 'e2e', '--grep', '@trial'],
    result: /^\s*(\d+ passed .+)$/,
  },
  {
    name: 'crash',
    shows:
      'No acknowledged write is lost, no start is refused and no process is left when an instance is killed while clients write.',
    minutes: 20,
    command: ['node', 'e2e/crash/main.ts', '--rounds', '100', '--seed', '7'],
    result: /^\d+ rounds, .+$/,
  },
  {
    name: 'crash-in-namespace',
    shows: 'The same as process 1 of a PID namespace, as in a container, where process ids repeat.',
    minutes: 8,
    command: ['node', 'e2e/crash/main.ts', '--rounds', '24', '--seed', '7', '--namespace'],
    result: /^(?:\d+ rounds, |skipped: ).+$/,
  },
  {
    name: 'jobs-crash',
    shows:
      'Every committed request and webhook is sent, messages of queues are as their transactions were committed, runs of cron jobs are as they are recorded, and nothing follows from a rollback, when an instance is killed while all of them are in use.',
    minutes: 15,
    command: ['node', 'e2e/jobs-crash/main.ts', '--rounds', '30', '--seed', '7'],
    result: /^\d+ rounds, .+$/,
  },
  {
    name: 'backup-faults',
    shows:
      'A running instance serves, reports and catches up when the S3 store of its archive fails, is slow or cuts connections, when the disk of the archive is full, and when the archive vanishes, is that of another instance or stays away for too long. Each use of an archive names the damaged file that it needs, a restored instance has a log of its own, an external database is backed up and restored, and a restore of a table or bucket continues after an interruption.',
    minutes: 8,
    command: [
      'vitest',
      'run',
      'cli/backup/unreliable-store.test.ts',
      'cli/backup/full-archive.test.ts',
      'cli/backup/lost-archive.test.ts',
      'cli/backup/shared-archive.test.ts',
      'cli/backup/external-database.test.ts',
      'cli/backup/restore-to-time.test.ts',
      'cli/backup/restore-part.test.ts',
      'platform/backup/damaged-archive.test.ts',
    ],
    result: VITEST_RESULT,
  },
  {
    name: 'backup-chaos',
    shows:
      'A restore to any second of a continuous backup has everything that was acknowledged before, and nothing that was sent after, when the processes of the instance and of its backup are killed while clients write; objects whose content was not stored before a kill are reported.',
    minutes: 30,
    command: ['node', 'e2e/backup-chaos/main.ts', '--rounds', '60', '--seed', '7'],
    result: /^\d+ rounds, .+$/,
  },
  {
    name: 'admin',
    shows:
      'Each capability of the admin area works in Chromium: users, tables, structure, policies, SQL, mailbox, logs and settings, also with the keyboard, without scripts and at 390 px where its list names them.',
    minutes: 10,
    command: ['playwright', 'test', '--config', 'e2e', '--grep-invert', '@trial', 'admin-'],
    env: { GREENROOM_E2E_ADMIN: 'true' },
    result: /^\s*(\d+ passed .+)$/,
  },
  {
    name: 'admin-scale',
    shows:
      'With a million users and ten million rows, each list of the admin area answers within 300 ms, its statements take less than 100 ms, lists scroll at 50 frames a second, and no page has more scripts of its own than 180 KB, or 300 KB with an editor or a diagram. The main task of each section works in Chromium, axe finds no violations on its page at 1280 and 390 px, and five tasks work with the keyboard only.',
    minutes: 10,
    command: ['node', 'e2e/admin-scale/main.ts'],
    result: /^\d+ measurements, .+$/,
  },
  {
    name: 'uploads',
    shows:
      'No acknowledged upload is lost or incomplete when an instance is killed while clients upload 500 files, and a resumable upload continues.',
    minutes: 2,
    command: [
      'vitest',
      'run',
      '--tagsFilter=trial',
      'server/storage-crash.test.ts',
      'services/storage/tus/crash.test.ts',
    ],
    env: { CRASH_UPLOADS: '500' },
    result: VITEST_RESULT,
  },
  {
    name: 'schemas',
    shows:
      'Statements of 31 kinds of change lead to the desired schema and leave no difference behind; the commands that compare schemas write migrations and declared files, push and pull them, and leave nothing behind when they are interrupted.',
    minutes: 3,
    command: [
      'vitest',
      'run',
      '--tagsFilter=trial',
      'cli/commands/db/compare.test.ts',
      'platform/project/schema-diff/plan-changes.test.ts',
    ],
    result: VITEST_RESULT,
  },
  {
    name: 'official-cli',
    shows:
      'The commands of the Supabase CLI 3.1.0 that need no Docker work against an instance by its connection URL, with and without TLS.',
    minutes: 4,
    command: ['node', 'e2e/official-cli/main.ts'],
    result: /^(?:\d+ checks of |skipped: ).+$/,
  },
  {
    name: 'attacks',
    shows: 'Clients notice none of the attacks that other clients run against the same instance.',
    minutes: 25,
    command: ['node', 'bench/abuse/main.ts'],
    result: /^\d+ held, \d+ failed$/,
  },
  {
    name: 'fuzz',
    shows:
      '100,000 random requests to the data API get documented responses, and all property tests hold with a random seed.',
    minutes: 10,
    command: ['node', 'scripts/fuzz.ts', '--requests', '100000'],
    result: VITEST_RESULT,
  },
  {
    name: 'policies',
    shows:
      'Five minutes of random row-level security policies, reads, writes and changes reveal no row that a policy forbids.',
    minutes: 11,
    command: [
      'vitest',
      'run',
      'services/data/security/row-level-security.properties.test.ts',
      'services/realtime/feed/leak.properties.test.ts',
    ],
    env: { PROPERTY_SECONDS: '300' },
    result: VITEST_RESULT,
  },
];
