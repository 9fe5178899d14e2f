/** Settings of API keys that replace the generated ones. */
import { z } from 'zod';
import { type SettingDetails, setting } from './setting.ts';

/** Long enough that a secret key cannot be guessed. */
const MIN_KEY_CHARACTERS = 16;

/** Declares an opaque key. */
function opaqueKey(kind: 'publishable' | 'secret', details: Pick<SettingDetails, 'description' | 'secret'>) {
  const pattern = new RegExp(`^sb_${kind}_[A-Za-z0-9_-]{${MIN_KEY_CHARACTERS},200}$`);
  const allowed = `sb_${kind}_ and at least ${MIN_KEY_CHARACTERS} letters, digits, _ or -`;
  return setting(`GREENROOM_${kind.toUpperCase()}_KEY`, z.string().regex(pattern), allowed, {
    default: undefined,
    configKey: { key: `auth.${kind}_key`, omitsUnsetVariable: true },
    ...details,
  });
}

/** Declares a key that is a token. */
function tokenKey(role: 'anon' | 'service_role', details: Pick<SettingDetails, 'description' | 'secret'>) {
  const token = z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  return setting(`GREENROOM_${role.toUpperCase()}_KEY`, token, tokenOfRole(role), {
    default: undefined,
    configKey: { key: `auth.${role}_key`, omitsUnsetVariable: true },
    ...details,
  });
}

function tokenOfRole(role: string): string {
  return `a token with the role ${role} that is signed with the JWT secret or a key of tokens, and has not expired`;
}

/** The fixed keys of the Supabase CLI override them. */
export const apiKeysTree = {
  publishable: opaqueKey('publishable', {
    description: 'Publishable key. Unset: the key that the first start generates in keys.json.',
  }),
  secret: opaqueKey('secret', {
    secret: true,
    description: 'Secret key. Unset: the key that the first start generates in keys.json.',
  }),
  anon: tokenKey('anon', {
    description: 'Token of anonymous clients. Unset: a token that is signed with the JWT secret.',
  }),
  serviceRole: tokenKey('service_role', {
    secret: true,
    description: 'Token with the rights of service_role. Unset: a token that is signed with the JWT secret.',
  }),
};
