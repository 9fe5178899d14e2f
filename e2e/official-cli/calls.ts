/** The calls of the official command line, and what each one prints. */

/** A call and its expected outcome. */
export interface Call {
  /** Arguments without the target. */
  args: readonly string[];
  /** How the instance is named: an option with its URL, or only by the arguments. Default: `--remote`. */
  target?: '--remote' | '--db-url' | 'none';
  /** Folder of the project in which it runs. Default: `project`. */
  cwd?: 'project' | 'empty';
  /** Expected exit code. Default: 0. */
  code?: number;
  /** Standard output. */
  prints?: RegExp;
  /** Must not match the standard output. */
  omits?: RegExp;
  /** Standard error. */
  reports?: RegExp;
}

/** Placeholder in arguments for the connection URL of the instance. */
const INSTANCE = '{instance}';
/** Placeholder in arguments for the connection URL of another database of the same server. */
const OTHER = '{other}';

/** Reports of `inspect db`. */
const REPORTS: readonly [name: string, prints: RegExp][] = [
  ['bloat', /Type.*Bloat/],
  ['blocking', /blocked pid/],
  ['calls', /Number Calls/],
  ['db-stats', /Database Size/],
  ['index-stats', /public\.notes_owner/],
  ['locks', /pid.*relname/],
  ['long-running-queries', /pid.*Duration/],
  ['outliers', /Query/],
  ['replication-slots', /Active/],
  ['role-stats', /authenticator/],
  ['table-stats', /public\.notes/],
  ['traffic-profile', /Activity Ratio/],
  ['vacuum-stats', /public\.notes/],
];
/** Commands that start containers. */
const WITH_DOCKER: readonly (readonly string[])[] = [
  ['db', 'pull'],
  ['db', 'dump'],
  ['db', 'diff'],
];

/** Calls before the reset, in this order. */
export const CALLS: readonly Call[] = [
  { args: ['migration', 'list'], prints: /20260102000000.*20260102000000/ },
  { args: ['migration', 'list'], target: '--db-url', prints: /20260102000000.*20260102000000/ },
  { args: ['migration', 'fetch', '--yes'], cwd: 'empty' },
  { args: ['db', 'push', '--dry-run'], reports: /20260103000000_stars\.sql/ },
  { args: ['db', 'push', '--yes'], reports: /Applying migration 20260103000000_stars\.sql/ },
  { args: ['migration', 'list'], prints: /20260103000000.*20260103000000/ },
  { args: ['migration', 'repair', '20260103000000', '--status', 'reverted', '--yes'] },
  { args: ['migration', 'repair', '20260103000000', '--status', 'applied', '--yes'] },
  { args: ['migration', 'down', '--yes'], reports: /Resetting database to version: 20260102000000/ },
  { args: ['migration', 'up', '--yes'], reports: /Applying migration 20260103000000_stars\.sql/ },
  {
    args: ['db', 'query', 'select count(*) as notes from public.notes', '-o', 'json', '--yes'],
    prints: /"notes": 1/,
  },
  { args: ['db', 'query', 'select 1 as one', '--read-only', '-o', 'csv'], prints: /^one\n1\n/ },
  { args: ['db', 'advisors', '--level', 'info'], prints: /unused_index_public_notes_notes_owner/ },
  ...REPORTS.map(([name, prints]) => ({ args: ['inspect', 'db', name], prints })),
  { args: ['inspect', 'report'], reports: /Reports saved/ },
  { args: ['gen', 'types', '--lang', 'typescript'], prints: /"stars": number/ },
  { args: ['gen', 'types', '--lang', 'go'], prints: /type PublicNotesSelect struct/ },
  { args: ['gen', 'types', '--lang', 'python'], prints: /class PublicNotes\(BaseModel\)/ },
  {
    args: ['db', 'schema', 'declarative', 'generate', '--output-dir', 'declared', '--yes'],
    reports: /Declarative schema written to declared/,
  },
  {
    args: ['db', 'diff', '--from', OTHER, '--to', INSTANCE],
    target: 'none',
    prints: /create table .*notes[\s\S]*create policy .*storage/i,
    omits: /greenroom/,
  },
  { args: ['db', 'diff', '--from', INSTANCE, '--to', INSTANCE], target: 'none', omits: /create|alter|drop/i },
  ...WITH_DOCKER.map((args) => ({ args, code: 1, reports: /docker/i })),
];

/** After the other calls. */
export const RESET: Call = {
  args: ['db', 'reset', '--yes'],
  reports: /Applying migration 20260103000000_stars\.sql[\s\S]*Seeding data from supabase\/seed\.sql/,
};

/** Returns the arguments for the program. */
export function argumentsOf(
  { args, target = '--remote' }: Call,
  urls: { instance: string; other: string },
): string[] {
  const named = args.map((arg) => {
    if (arg === INSTANCE) return urls.instance;
    return arg === OTHER ? urls.other : arg;
  });
  return target === 'none' ? named : [...named, `${target}=${urls.instance}`];
}
