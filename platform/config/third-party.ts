/** Settings of the issuers whose tokens are accepted in addition to those of the instance. */
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { booleanSetting } from './kinds.ts';
import { isPublicUrl } from './public-url.ts';
import { type Setting, setting } from './setting.ts';
import { missingSetting, type SettingsOf } from './settings-group.ts';

/** A part of a host name. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
/** The last part of the path of a user pool's URL, e.g. `eu-central-1_Ab12Cd34E`. */
const POOL_ID = /^[\w-]+$/;
/** `clerk.example.com`, or `example.clerk.accounts.dev` of a development instance. */
const CLERK_DOMAIN = /^(?:clerk(?:\.[a-z0-9-]+){2,}|(?:[a-z0-9-]+\.)+clerk\.accounts\.dev)$/;

/** Keys must be fetched over an encrypted connection, except from an issuer on the same machine. */
const issuerUrl = z
  .string()
  .refine((text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, username, password, search, hash } = new URL(text);
    const isEncrypted = protocol === 'https:' || (protocol === 'http:' && !isPublicUrl(text));
    return isEncrypted && [username, password, search, hash].every((part) => part === '');
  })
  .transform((text) => text.replace(/\/+$/, ''));

/** Declares whether tokens of an issuer are accepted. */
function enabled(table: string, title: string) {
  return booleanSetting(`${variablePrefix(table)}_ENABLED`, {
    default: 'false',
    configKey: `auth.third_party.${table}.enabled`,
    description: `Whether tokens of ${title} are accepted by the data API, storage and realtime.`,
  });
}

/** Declares a detail of an issuer. */
function detail(
  table: string,
  key: string,
  {
    schema,
    allowed,
    description,
  }: { schema: z.ZodType<string, string>; allowed: string; description: string },
) {
  return setting(`${variablePrefix(table)}_${key.toUpperCase()}`, schema, allowed, {
    default: undefined,
    configKey: {
      key: `auth.third_party.${table}.${key}`,
      requires: `auth.third_party.${table}.enabled`,
    },
    description,
  });
}

function variablePrefix(table: string): string {
  return `GREENROOM_THIRD_PARTY_${table.toUpperCase()}`;
}

const label = z.string().regex(LABEL);

export const thirdPartyTree = {
  firebase: {
    isEnabled: enabled('firebase', 'Firebase'),
    projectId: detail('firebase', 'project_id', {
      schema: label,
      allowed: 'a project id',
      description: 'Project at Firebase; tokens of other projects are rejected.',
    }),
  },
  auth0: {
    isEnabled: enabled('auth0', 'Auth0'),
    tenant: detail('auth0', 'tenant', {
      schema: label,
      allowed: 'a tenant',
      description: 'Tenant at Auth0, the first part of its host name.',
    }),
    tenantRegion: detail('auth0', 'tenant_region', {
      schema: label,
      allowed: 'a region such as eu',
      description: 'Region of the tenant at Auth0, if its host name contains one, e.g. `eu`.',
    }),
  },
  cognito: {
    isEnabled: enabled('aws_cognito', 'Amazon Cognito'),
    userPoolId: detail('aws_cognito', 'user_pool_id', {
      schema: z.string().regex(POOL_ID),
      allowed: 'the id of a user pool',
      description: 'User pool at Amazon Cognito.',
    }),
    userPoolRegion: detail('aws_cognito', 'user_pool_region', {
      schema: label,
      allowed: 'a region such as eu-central-1',
      description: 'Region of the user pool.',
    }),
  },
  clerk: {
    isEnabled: enabled('clerk', 'Clerk'),
    domain: detail('clerk', 'domain', {
      schema: z.string().regex(CLERK_DOMAIN),
      allowed: 'clerk.example.com or example.clerk.accounts.dev',
      description: 'Domain of the instance at Clerk.',
    }),
  },
  workos: {
    isEnabled: enabled('workos', 'WorkOS'),
    issuerUrl: detail('workos', 'issuer_url', {
      schema: issuerUrl,
      allowed: 'an https:// URL; http:// only on this machine',
      description:
        'URL of the issuer at WorkOS. Any issuer with a document at /.well-known/openid-configuration works.',
    }),
  },
};

/** An issuer whose tokens are accepted. */
type ThirdPartyIssuer = {
  /** Without a trailing slash. */
  url: string;
  /** The audience of its tokens; undefined if any is accepted. */
  audience: string | undefined;
};

type Values = SettingsOf<typeof thirdPartyTree>;

/** Returns the enabled issuers. Throws ConfigError if a required detail is missing. */
export function completeThirdParty(values: Values): readonly ThirdPartyIssuer[] {
  requireDetails(values);
  const { firebase, auth0, cognito, clerk, workos } = values;
  const auth0Host = [auth0.tenant, auth0.tenantRegion, 'auth0.com'].filter(Boolean).join('.');
  return [
    // All projects of Firebase share their keys, so only the audience distinguishes them.
    ...issuer(firebase, `https://securetoken.google.com/${firebase.projectId}`, firebase.projectId),
    ...issuer(auth0, `https://${auth0Host}`),
    ...issuer(cognito, `https://cognito-idp.${cognito.userPoolRegion}.amazonaws.com/${cognito.userPoolId}`),
    ...issuer(clerk, `https://${clerk.domain}`),
    ...issuer(workos, workos.issuerUrl ?? ''),
  ];
}

function issuer({ isEnabled }: { isEnabled: boolean }, url: string, audience?: string): ThirdPartyIssuer[] {
  return isEnabled ? [{ url, audience }] : [];
}

function requireDetails({ firebase, auth0, cognito, clerk, workos }: Values): void {
  const tree = thirdPartyTree;
  const required: [isEnabled: boolean, enabledBy: Setting, detail: Setting, value: string | undefined][] = [
    [firebase.isEnabled, tree.firebase.isEnabled, tree.firebase.projectId, firebase.projectId],
    [auth0.isEnabled, tree.auth0.isEnabled, tree.auth0.tenant, auth0.tenant],
    [cognito.isEnabled, tree.cognito.isEnabled, tree.cognito.userPoolId, cognito.userPoolId],
    [cognito.isEnabled, tree.cognito.isEnabled, tree.cognito.userPoolRegion, cognito.userPoolRegion],
    [clerk.isEnabled, tree.clerk.isEnabled, tree.clerk.domain, clerk.domain],
    [workos.isEnabled, tree.workos.isEnabled, tree.workos.issuerUrl, workos.issuerUrl],
  ];
  const problems = required
    .filter(([isEnabled, , , value]) => isEnabled && value === undefined)
    .map(([, enabledBy, missing]) => missingSetting(missing, `${enabledBy.name} is true`));
  if (problems.length > 0) throw new ConfigError(problems);
}
