import {
  booleanSetting,
  ConfigError,
  type ConfigOf,
  defineSettings,
  folderSetting,
  integerSetting,
  listSetting,
  missingSetting,
  reloadable,
  type SettingsContext,
  type SettingsOf,
  setting,
  textSetting,
  urlSetting,
} from '@greenroom/config';
import { z } from 'zod';
import { redirectRules } from './server/redirect-rules.ts';

/** URLs of the scripts of captcha providers. */
const CAPTCHA_SCRIPT_URLS = {
  hcaptcha: 'https://js.hcaptcha.com/1/api.js',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
};

const PATH_PATTERNS = 'path patterns separated by commas; * matches any characters';

const hostedTree = {
  url: urlSetting('SUPABASE_URL', {
    default: undefined,
    description:
      'URL of a hosted backend; the app then runs without its own backend. Requires SUPABASE_ANON_KEY.',
  }),
  anonKey: textSetting('SUPABASE_ANON_KEY', 'the anon or publishable key of that backend', {
    default: undefined,
    description: 'API key of the hosted backend.',
  }),
  serviceRoleKey: textSetting('SUPABASE_SERVICE_ROLE_KEY', 'the service_role or secret key of that backend', {
    default: undefined,
    secret: true,
    description:
      'Key for the admin area on a hosted backend, and for removing the files of deleted accounts. Never sent to browsers.',
  }),
};

const captchaTree = {
  siteKey: setting(
    'GREENROOM_CAPTCHA_SITE_KEY',
    z.string().regex(/^[\w-]{1,128}$/),
    '1 to 128 letters, digits, _ and -',
    {
      default: undefined,
      description: 'Public site key at the captcha provider. If set, the sign-in page shows a captcha.',
    },
  ),
  scriptUrl: urlSetting('GREENROOM_CAPTCHA_SCRIPT_URL', {
    default: undefined,
    description: 'URL of the script of the captcha. Unset: the URL of the provider.',
  }),
};

/** Values of other settings that the settings of pages depend on. */
interface AppSettingsContext extends SettingsContext {
  /** The captcha provider of the backend. */
  captchaProvider: keyof typeof CAPTCHA_SCRIPT_URLS;
  /** OAuth client ids of the backend, by the names of the enabled providers. */
  ownClientIds: Readonly<Record<string, string>>;
}

/** The fields of an OAuth provider that the settings of pages depend on. */
interface OfferableProvider {
  name: string;
  title: string;
  /** Variable with the client id of a hosted backend. */
  pageSetting?: string;
}

/** Declares the client ids, by the names of the providers that have a setting for them. */
function clientIdsTree(providers: readonly OfferableProvider[]) {
  const declared = providers.flatMap(({ name, title, pageSetting }) => {
    if (pageSetting === undefined) return [];
    const details = {
      default: undefined,
      description: `Client id for "Continue with ${title}" on the sign-in page.`,
    };
    return [[name, textSetting(pageSetting, 'an OAuth client id', details)] as const];
  });
  return Object.fromEntries(declared);
}

/** Which paths require a session, and where visitors are redirected. */
const rulesTree = {
  guardInclude: listSetting('GREENROOM_GUARD_INCLUDE', PATH_PATTERNS, {
    default: undefined,
    description: 'Paths to which the session guard is restricted. Unset: all paths.',
  }),
  guardExclude: listSetting('GREENROOM_GUARD_EXCLUDE', PATH_PATTERNS, {
    default: '',
    description: 'Paths that require no session.',
  }),
  redirects: setting(
    'GREENROOM_REDIRECTS',
    redirectRules,
    'from=to separated by commas, none of which leads to itself, e.g. /old=/new,/docs*=https://docs.example.org',
    { default: '', description: 'Redirects of paths of the app; * matches any characters.' },
  ),
  saveRedirect: booleanSetting('GREENROOM_SAVE_REDIRECT', {
    default: 'true',
    description: 'Whether sign-in returns visitors to the page that they requested.',
  }),
};

function appTree(providers: readonly OfferableProvider[]) {
  return {
    hosted: hostedTree,
    /** Empty if the app itself serves them. */
    cdnURL: urlSetting('GREENROOM_CDN_URL', {
      default: undefined,
      description:
        'URL from which browsers load the built files, e.g. https://cdn.example.org. Unset: the URL of the app.',
    }),
    /** With a slash at both ends. */
    buildAssetsDir: folderSetting('GREENROOM_BUILD_ASSETS_DIR', {
      default: '/assets/',
      description: 'Folder of the built files, below the base path or on the CDN.',
    }),
    /** 0 disables the check. */
    buildCheckSeconds: integerSetting('GREENROOM_BUILD_CHECK_SECONDS', 0, 86_400, {
      default: '3600',
      description: 'Interval at which an open page checks for a newer version, in seconds. 0: never.',
    }),
    ...reloadable({
      clientIds: clientIdsTree(providers),
      captcha: captchaTree,
      ...rulesTree,
    }),
    cookiePrefix: setting(
      'GREENROOM_COOKIE_PREFIX',
      z.string().regex(/^[\w-]{1,64}$/),
      '1 to 64 letters, digits, _ and -',
      {
        default: undefined,
        description: 'Name of the session cookies. Unset: sb-<first label of the API host>-auth-token.',
      },
    ),
  };
}

/**
 * Declares the settings of the pages.
 * @param providers all OAuth providers that a backend may have
 */
export function defineAppSettings(providers: readonly OfferableProvider[]) {
  return defineSettings({
    title: 'Pages',
    tree: appTree(providers),
    complete(values, { instance, captchaProvider, ownClientIds }: AppSettingsContext) {
      return {
        ...values,
        /** Base path of the app, with a slash at both ends. */
        baseURL: instance.baseURL,
        cdnURL: values.cdnURL ?? '',
        /** Set if the app runs alone on a hosted backend. */
        hosted: completeHosted(values.hosted),
        /** Client ids of the providers that the sign-in page offers, by name. */
        clientIds: { ...ownClientIds, ...definedIn(values.clientIds) },
        /** Undefined if pages show no captcha. */
        captcha: completeCaptcha(values.captcha, captchaProvider),
      };
    },
  });
}

/** Configuration of the pages. */
export type AppConfig = ConfigOf<ReturnType<typeof defineAppSettings>>;

function definedIn(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Throws ConfigError if the key of a hosted backend is missing. */
function completeHosted({ url, anonKey, serviceRoleKey }: SettingsOf<typeof hostedTree>) {
  if (url === undefined) return undefined;
  if (anonKey === undefined) {
    throw new ConfigError([missingSetting(hostedTree.anonKey, `${hostedTree.url.name} is set`)]);
  }
  return { url, anonKey, serviceRoleKey };
}

function completeCaptcha(
  { siteKey, scriptUrl }: SettingsOf<typeof captchaTree>,
  provider: keyof typeof CAPTCHA_SCRIPT_URLS,
) {
  if (siteKey === undefined) return undefined;
  return { provider, siteKey, scriptUrl: scriptUrl ?? CAPTCHA_SCRIPT_URLS[provider] };
}
