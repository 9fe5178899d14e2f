/**
 * Measures server-rendered pages, compared with a bare Fastify route and with React's rendering of the same tree alone.
 */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Figure, rateText } from './measure/figure.ts';
import { gzipKilobytes } from './measure/gzip.ts';
import { measureGet } from './measure/load.ts';
import { startGreenroomProcess, startProcess, temporaryFolder } from './measure/process.ts';
import { signUp } from './measure/sign-up.ts';

const REACT_SHARE = 0.4;
const SCRIPT_LIMIT_KB = 150;

export async function benchPages(): Promise<Figure[]> {
  const { folder, remove } = await temporaryFolder();
  const instance = await startGreenroomProcess(folder);
  const page = await (await fetch(`${instance.url}/login`)).text();
  const cookie = await signUp(instance.url);
  const login = await measureGet(`${instance.url}/login`);
  const home = await measureGet(`${instance.url}/`, { cookie });
  const scriptKb = await scriptKilobytes(instance.url, page);
  await instance.stop();

  const pageFile = join(folder, 'page.html');
  await writeFile(pageFile, page);
  const bare = await startProcess([join(import.meta.dirname, 'reference/bare-fastify.ts'), pageFile]);
  const fastify = await measureGet(bare.url);
  await bare.stop();
  await remove();
  const react = renderAloneRate();
  return [
    { name: 'bare Fastify route, same bytes', value: rateText(fastify) },
    { name: 'React alone, same tree, no HTTP', value: `${Math.round(react)}/s` },
    {
      name: 'GET /login',
      value: rateText(login),
      ratio: { of: 'React alone', share: login.perSecond / react },
      target: { text: `at least ${REACT_SHARE * 100} %`, met: login.perSecond >= REACT_SHARE * react },
    },
    {
      name: 'GET / signed in',
      value: rateText(home),
      ratio: { of: 'the bare route', share: home.perSecond / fastify.perSecond },
    },
    {
      name: 'scripts that /login names, gzip',
      value: `${scriptKb.toFixed(1)} KB`,
      target: { text: `under ${SCRIPT_LIMIT_KB} KB`, met: scriptKb < SCRIPT_LIMIT_KB },
    },
  ];
}

/** Renders in a separate process, in production mode, like the server. */
function renderAloneRate(): number {
  const script = join(import.meta.dirname, 'reference/react-alone.ts');
  const env = { ...process.env, NODE_ENV: 'production' };
  return Number(execFileSync(process.execPath, [script], { encoding: 'utf8', env }));
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
