/** Checks for production: how clients reach the instance, and who can read its secrets. */
import { stat } from 'node:fs/promises';
import { isPublicUrl, shellWord } from '@greenroom/config';
import { allSettings } from '@greenroom/server/settings';
import { type Check, type Outcome, ok, problem, type Subject, skipped, warning } from '../check.ts';

const OTHERS_READ = 0o044;
const SECRET_NAMES = allSettings.filter(({ details }) => details.secret).map(({ name }) => name);

async function checkAddress({ config }: Subject): Promise<Outcome[]> {
  const { appUrl, externalUrl, tls } = config;
  const remedy = 'Set GREENROOM_PUBLIC_URL to the address of the site, e.g. https://example.org.';
  const local = [appUrl, externalUrl].find((url) => !isPublicUrl(url));
  if (local !== undefined) return [problem(`the public URL ${local} is on this machine`, remedy)];
  const plain = [appUrl, externalUrl].find((url) => !url.startsWith('https:'));
  if (plain !== undefined)
    return [problem(`the public URL ${plain} has no TLS: passwords and sessions are readable`, remedy)];
  if (tls?.kind === 'self-signed')
    return [
      problem(
        'the certificate is the self-signed one for localhost, which browsers reject',
        'Start with --https, set GREENROOM_TLS_CERT_FILE and GREENROOM_TLS_KEY_FILE, or use a reverse proxy; see docs/deploy.md.',
      ),
    ];
  return [ok(`the public URL is ${appUrl}`)];
}

async function checkKeys({ config }: Subject): Promise<Outcome[]> {
  if (!config.usesCliKeys) return [ok('the keys are those of this instance only')];
  return [
    problem(
      'the keys are the fixed ones of the Supabase CLI, which are public',
      'Use generated keys: greenroom start --no-cli-keys, and replace the keys in your clients.',
    ),
  ];
}

/** Checks files only: other users cannot read the environment of a process. */
async function checkSecrets({ settings }: Subject): Promise<Outcome[]> {
  if (process.platform === 'win32') return [skipped('Windows has no file modes')];
  const origins = SECRET_NAMES.flatMap((name) => {
    const origin = settings.values.get(name)?.origin;
    return origin === undefined ? [] : [{ name, file: origin.replace(/:\d+$/, '') }];
  });
  const found = await Promise.all(
    Array.from(
      Map.groupBy(origins, ({ file }) => file),
      async ([file, group]) => {
        const mode = (await stat(file).catch(() => undefined))?.mode ?? 0;
        return { file, names: group.map(({ name }) => name), isOpen: (mode & OTHERS_READ) !== 0 };
      },
    ),
  );
  const open = found.filter(({ isOpen }) => isOpen);
  if (open.length === 0) return [ok('no file that other users can read contains secrets')];
  return open.map(({ file, names }) =>
    problem(
      `other users can read ${file}, which contains ${names.join(', ')}`,
      `Close it: chmod 600 ${shellWord(file)}; or pass the values as variables or credentials of the service manager.`,
    ),
  );
}

async function checkRedirects({ config }: Subject): Promise<Outcome[]> {
  const { siteUrl } = config.auth.redirects;
  if (isPublicUrl(siteUrl)) return [ok(`sign-ins without a target end at ${siteUrl}`)];
  return [
    problem(
      `sign-ins without a target end at ${siteUrl}, which is on the visitor's machine`,
      'Set auth.site_url in config.toml, or GOTRUE_SITE_URL, to the address of the site.',
    ),
  ];
}

async function checkLimits({ config }: Subject): Promise<Outcome[]> {
  const { rateLimits, captcha, disableSignup } = config.auth;
  const outcomes: Outcome[] = [];
  if (rateLimits.failedSignIns === 0)
    outcomes.push(
      problem(
        'wrong passwords are not limited',
        'Remove GREENROOM_RATE_LIMIT_FAILED_SIGN_INS=0; the default is 30 in 5 minutes.',
      ),
    );
  if (captcha === undefined && !disableSignup)
    outcomes.push(
      warning(
        'everyone may sign up, and no captcha is required',
        'Programs may create accounts within the rate limits: set GOTRUE_SECURITY_CAPTCHA_ENABLED, or GOTRUE_DISABLE_SIGNUP.',
      ),
    );
  return outcomes.length > 0 ? outcomes : [ok('sign-ups and sign-ins are limited')];
}

export const ACCESS_CHECKS: readonly Check[] = [
  { name: 'address', run: checkAddress },
  { name: 'public keys', run: checkKeys },
  { name: 'secrets', run: checkSecrets },
  { name: 'redirects', run: checkRedirects },
  { name: 'limits', run: checkLimits },
];
