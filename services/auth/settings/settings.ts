/**
 * Settings of the authentication service. Their names are GoTrue's (`GOTRUE_…`), so that the environment of an existing
 * deployment works. docs/reference/auth.md lists the defaults that differ from GoTrue's.
 */
import {
  booleanSetting,
  type ConfigOf,
  defineSettings,
  durationSetting,
  negatedText,
  reloadable,
  type SettingsContext,
} from '@greenroom/config';
import { smsTree as smsProviderTree } from '@greenroom/messages/settings';
import { captchaTree, completeCaptcha } from './captcha.ts';
import { codeTree, smsTree } from './codes.ts';
import { completeWebauthn, factorTree, passkeyTree, webauthnTree } from './factors.ts';
import { flowTree, redirectTree } from './flows.ts';
import { completeHooks, hookTree } from './hooks.ts';
import { completeLeaks } from './leaks.ts';
import { mailTree } from './mail.ts';
import { oauthServerTree } from './oauth-server.ts';
import { passwordTree } from './passwords.ts';
import { type ConfigurableProvider, completeExternal, providersTree } from './providers.ts';
import { rateLimitTree } from './rate-limits.ts';
import { retentionTree } from './retention.ts';
import { completeSaml, samlTree } from './saml.ts';
import { jwtTree, refreshTokenTree, sessionTree } from './sessions.ts';
import { web3Tree } from './web3.ts';

/**
 * Declares the settings of the authentication service. Times are in milliseconds unless a name says otherwise.
 * @param providers the OAuth providers that can be configured
 */
export function defineAuthSettings(providers: readonly ConfigurableProvider[]) {
  return defineSettings({
    title: 'Authentication',
    tree: reloadable(authTree(providers)),
    complete(values, { instance }: SettingsContext) {
      const { appUrl, siteUrl, externalUrl } = instance;
      return {
        ...values,
        /** Public URL of the API, without a path. */
        externalUrl,
        jwt: { ...values.jwt, issuer: values.jwt.issuer ?? `${externalUrl}/auth/v1` },
        password: {
          ...values.password,
          /** Undefined: leaks are not checked. */
          leaks: completeLeaks(values.password.leaks),
        },
        redirects: {
          ...values.redirects,
          /** Default target of sign-ins, without a trailing slash. */
          siteUrl,
          /** URL of this server's own pages. */
          appUrl,
        },
        /** Phone number as digits → code. Not accepted after `testCodesUntil`. */
        testCodes: values.testCodes ?? new Map<string, string>(),
        webauthn: completeWebauthn(values.webauthn, appUrl),
        externalProviders: completeExternal(values.externalProviders, providers, externalUrl),
        saml: completeSaml(values.saml, externalUrl),
        hooks: completeHooks(values.hooks),
        /** Undefined: captchas are disabled. */
        captcha: completeCaptcha(values.captcha),
        /** Captcha provider, even if captchas are disabled. */
        captchaProvider: values.captcha.provider,
      };
    },
  });
}

function authTree(providers: readonly ConfigurableProvider[]) {
  return {
    maxRequestMs: durationSetting('GOTRUE_API_MAX_REQUEST_DURATION', {
      default: '10s',
      description: 'Maximum duration of a request; after it, the response is 504.',
    }),
    disableSignup: booleanSetting('GOTRUE_DISABLE_SIGNUP', {
      default: 'false',
      configKey: { key: 'auth.enable_signup', toText: negatedText },
      description: 'Whether new accounts are rejected.',
    }),
    jwt: jwtTree,
    refreshTokens: refreshTokenTree,
    sessions: sessionTree,
    external: {
      email: booleanSetting('GOTRUE_EXTERNAL_EMAIL_ENABLED', {
        default: 'true',
        configKey: { key: 'auth.email.enabled', formerKeys: ['auth.email.enable_signup'] },
        description: 'Whether users may sign up and sign in by email address.',
      }),
      phone: booleanSetting('GOTRUE_EXTERNAL_PHONE_ENABLED', {
        default: 'true',
        configKey: { key: 'auth.sms.enabled', formerKeys: ['auth.sms.enable_signup'], default: false },
        description: 'Whether users may sign up and sign in by phone number.',
      }),
      anonymousUsers: booleanSetting('GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED', {
        default: 'false',
        configKey: 'auth.enable_anonymous_sign_ins',
        description: 'Whether accounts without an email address or phone number are allowed.',
      }),
    },
    password: passwordTree,
    redirects: redirectTree,
    ...flowTree,
    codes: codeTree,
    ...smsTree,
    /** Undefined: SMS are kept in the mailbox. */
    smsProvider: smsProviderTree.provider,
    mail: mailTree,
    factors: factorTree,
    webauthn: webauthnTree,
    passkeys: passkeyTree,
    externalProviders: providersTree(providers),
    saml: samlTree,
    web3: web3Tree,
    oauthServer: oauthServerTree,
    hooks: hookTree,
    captcha: captchaTree,
    rateLimits: rateLimitTree,
    retention: retentionTree,
    auditLog: booleanSetting('GOTRUE_AUDIT_LOG_DISABLE_POSTGRES', {
      default: 'false',
      description: 'Whether the database stores no audit log.',
    }).map((isDisabled) => !isDisabled),
    cursorPagination: booleanSetting('GOTRUE_EXPERIMENTAL_CURSOR_PAGINATION_ENABLED', {
      default: 'false',
      description: 'Whether `GET /admin/users` without `page` uses `limit` (up to 1000) and `cursor`.',
    }),
  };
}

export type AuthConfig = ConfigOf<ReturnType<typeof defineAuthSettings>>;
