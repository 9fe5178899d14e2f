/** Modules of the network that are on npm: those that servers deliver from npm, and packages published in both places. */

/** A module of a npm package, e.g. name `zod`, range `4`, subpath `/v4`. */
export interface NpmModule {
  name: string;
  /** A range of versions or a tag. */
  range: string;
  /** Empty, or begins with a slash. */
  subpath: string;
}

/** Forms of specifiers. Names never begin with a word that stands for another source, such as `gh`. */
const FORMS = [
  /^npm:\/?(?<name>(?:@[^/@]+\/)?[^/@]+)(?:@(?<range>[^/]+))?(?<subpath>\/.*)?$/,
  /^https:\/\/esm\.sh\/(?:v\d+\/|stable\/)?\*?(?!(?:gh|jsr|pr|node)\/)(?<name>(?:@[^/@?]+\/)?[^/@?]+)(?:@(?<range>[^/?]+))?(?<subpath>\/[^?]*)?(?:\?.*)?$/,
  /^https:\/\/cdn\.skypack\.dev\/(?<name>(?:@[^/@?]+\/)?[^/@?]+)(?:@v?(?<range>[^/?]+))?(?<subpath>\/[^?]*)?(?:\?.*)?$/,
  // Files of packages have other URLs below these hosts, and are not replaced.
  /^https:\/\/(?:cdn\.jsdelivr\.net\/npm|esm\.run)\/(?<name>(?:@[^/@?]+\/)?[^/@?]+)(?:@(?<range>[^/?]+))?(?:\/\+esm)?(?:\?.*)?$/,
  /^https:\/\/unpkg\.com\/(?<name>(?:@[^/@?]+\/)?[^/@?]+)(?:@(?<range>[^/?]+))?\?module$/,
] as const;

const JSR = /^jsr:\/?(?<name>@[^/@]+\/[^/@]+)(?:@(?<range>[^/]+))?(?<subpath>\/.*)?$/;

/** Packages that their authors publish on JSR and on npm under the same versions, with their names on npm. */
const JSR_PACKAGES: Readonly<Record<string, string>> = {
  '@bradenmacdonald/s3-lite-client': '@bradenmacdonald/s3-lite-client',
  '@hono/hono': 'hono',
  '@openai/openai': 'openai',
  '@panva/jose': 'jose',
  '@sentry/deno': '@sentry/deno',
  '@valibot/valibot': 'valibot',
  '@zod/zod': 'zod',
};

const DENO_LAND = /^https:\/\/deno\.land\/x\/(?<name>[\w-]+)(?:@v?(?<range>\d[^/]*))?\/(?<file>.+)$/;

/** Modules of deno.land/x that npm has under the same versions: files, with the specifiers of packages. */
const DENO_LAND_MODULES: Readonly<
  Record<string, readonly (readonly [RegExp, name: string, subpath: string])[]>
> = {
  date_fns: [[/^index\.js$/, 'date-fns', '']],
  grammy: [
    [/^mod\.ts$/, 'grammy', ''],
    [/^types\.ts$/, 'grammy', '/types'],
  ],
  hono: [
    [/^mod\.ts$/, 'hono', ''],
    [/^middleware\/(?<subpath>[\w-]+)\/index\.ts$/, 'hono', '/$<subpath>'],
  ],
  jose: [[/^(?:index|mod)\.ts$/, 'jose', '']],
  openai: [[/^mod\.ts$/, 'openai', '']],
  postgresjs: [[/^mod\.(?:js|ts)$/, 'postgres', '']],
  sentry: [[/^(?:index\.mjs|mod\.ts)$/, '@sentry/deno', '']],
  upstash_redis: [[/^mod\.ts$/, '@upstash/redis', '']],
  valibot: [[/^mod\.ts$/, 'valibot', '']],
  zod: [[/^(?:mod|index)\.ts$/, 'zod', '']],
};

/** npm has few versions of oak; 10 to 12 have the API of the last of them. */
const OAK = /^https:\/\/deno\.land\/x\/oak@v1[0-2]\.[^/]*\/mod\.ts$/;

/** From this version on, npm has a module that uses the `fetch` of the runtime, as that of deno.land does. */
const GRAMMY = /^https:\/\/deno\.land\/x\/grammy(?:@v(?<range>1\.(?:1[7-9]|[2-9]\d)\.[^/]*))?\/mod\.ts$/;

/** Returns the npm module that a specifier means; undefined if it means none. */
export function npmModuleOf(specifier: string): NpmModule | undefined {
  for (const form of FORMS) {
    const { name, range, subpath } = form.exec(specifier)?.groups ?? {};
    if (name !== undefined) return npm(name, range, subpath);
  }
  const grammy = GRAMMY.exec(specifier);
  if (grammy) return npm('grammy', grammy.groups?.range, '/web');
  if (OAK.test(specifier)) return npm('@oakserver/oak', '12');
  return jsrModule(specifier) ?? denoLandModule(specifier);
}

/** Packages of Supabase have the same name in both places. */
function jsrModule(specifier: string): NpmModule | undefined {
  const { name = '', range, subpath } = JSR.exec(specifier)?.groups ?? {};
  const onNpm = name.startsWith('@supabase/') ? name : JSR_PACKAGES[name];
  return onNpm === undefined ? undefined : npm(onNpm, range, subpath);
}

function denoLandModule(specifier: string): NpmModule | undefined {
  const { name = '', range, file = '' } = DENO_LAND.exec(specifier)?.groups ?? {};
  for (const [pattern, onNpm, subpath] of DENO_LAND_MODULES[name] ?? [])
    if (pattern.test(file)) return npm(onNpm, range, file.replace(pattern, subpath));
  return undefined;
}

function npm(name: string, range = '*', subpath = ''): NpmModule {
  return { name, range, subpath: subpath === '/' ? '' : subpath };
}
