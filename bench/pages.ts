/**
 * Measures server-rendered pages. /login is compared with React's rendering of the same tree alone, and the home page
 * of a signed-in user with the rendering of its tree plus its queries alone; both also with a bare Fastify route.
 */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Figure, rateText } from './measure/figure.ts';
import { gzipKilobytes } from './measure/gzip.ts';
import { CONNECTIONS, measureGet } from './measure/load.ts';
import { readKeys, startGreenroomProcess, startProcess, temporaryFolder } from './measure/process.ts';
import { signUp } from './measure/sign-up.ts';

/** Share of React's rendering alone that /login reaches. */
const LOGIN_SHARE = 0.6;
/** Share of rendering and queries alone that the home page reaches. */
const HOME_SHARE = 0.5;
const SCRIPT_LIMIT_KB = 125;

export async function benchPages(): Promise<Figure[]> {
  const { folder, remove } = await temporaryFolder();
  const instance = await startGreenroomProcess(folder);
  const page = await (await fetch(`${instance.url}/login`)).text();
  const cookie = await signUp(instance.url);
  const reactAlone = renderAloneRate('react-alone');
  const login = await measureGet(`${instance.url}/login`);
  const otherLogins = await measureGet(`${instance.url}/login?visit=[<id>]`);
  const { DB_URL: databaseUrl, ANON_KEY: anonKey } = await readKeys(folder);
  const homeAlone = renderAloneRate('home-alone', {
    apiUrl: instance.url,
    anonKey,
    cookie,
    databaseUrl,
    concurrency: CONNECTIONS,
  });
  const home = await measureGet(`${instance.url}/`, { cookie });
  const scriptKb = await scriptKilobytes(instance.url, page);
  await instance.stop();

  const pageFile = join(folder, 'page.html');
  await writeFile(pageFile, page);
  const bare = await startProcess([join(import.meta.dirname, 'reference/bare-fastify.ts'), pageFile]);
  const fastify = await measureGet(bare.url);
  await bare.stop();
  await remove();
  return [
    { name: 'bare Fastify route, same bytes as /login', value: rateText(fastify) },
    { name: 'React alone, tree of /login, no HTTP', value: `${Math.round(reactAlone)}/s` },
    {
      name: 'GET /login',
      value: rateText(login),
      ratio: { of: 'React alone', share: login.perSecond / reactAlone },
      target: shareTarget(login.perSecond / reactAlone, LOGIN_SHARE),
    },
    {
      name: 'GET /login, another URL each time',
      value: rateText(otherLogins),
      ratio: { of: 'React alone', share: otherLogins.perSecond / reactAlone },
    },
    { name: 'React and queries alone, tree of /, no HTTP', value: `${Math.round(homeAlone)}/s` },
    {
      name: 'GET / signed in',
      value: rateText(home),
      ratio: { of: 'React and queries alone', share: home.perSecond / homeAlone },
      target: shareTarget(home.perSecond / homeAlone, HOME_SHARE),
    },
    {
      name: 'scripts that /login names, gzip',
      value: `${scriptKb.toFixed(1)} KB`,
      target: { text: `under ${SCRIPT_LIMIT_KB} KB`, met: scriptKb < SCRIPT_LIMIT_KB },
    },
  ];
}

function shareTarget(share: number, least: number): NonNullable<Figure['target']> {
  return { text: `at least ${least * 100} %`, met: share >= least };
}

/** Renders in a separate process, in production mode, like the server. */
function renderAloneRate(reference: 'react-alone' | 'home-alone', input?: object): number {
  const script = join(import.meta.dirname, `reference/${reference}.ts`);
  const env = { ...process.env, NODE_ENV: 'production' };
  return Number(
    execFileSync(process.execPath, [script, JSON.stringify(input ?? {})], { encoding: 'utf8', env }),
  );
}

/**
 * Returns the size of every script and module preload in the HTML. The group `browser` measures all scripts that a
 * browser loads.
 */
function scriptKilobytes(url: string, page: string): Promise<number> {
  const paths = new Set(
    [...page.matchAll(/["'](\/assets\/[\w.-]+\.js)["']/g)].map((match) => match[1] ?? ''),
  );
  return gzipKilobytes([...paths].map((path) => url + path));
}
