/**
 * Every error that a page can receive has a text for users. The catalogue belongs to the service, the texts to the app.
 */
import { AuthApiError } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import { describeAuthError, describeLinkError } from '../app/session/auth-errors.ts';
import { authErrorTexts } from '../app/texts/auth-errors.ts';
import { authErrors } from '../services/auth/errors.ts';

/**
 * Only calls that no page makes result in these errors: those of admin tools, of other applications, and broken ones.
 */
const OF_NO_PAGE = new Set([
  'bad_json',
  'message_not_found',
  'not_admin',
  'oauth_dynamic_client_registration_disabled',
  'over_custom_provider_quota',
  'saml_entity_id_mismatch',
  'saml_idp_already_exists',
  'saml_metadata_fetch_failed',
  'sso_domain_already_exists',
]);

const met = Object.keys(authErrors).filter((code) => !OF_NO_PAGE.has(code));

describe.each(['en', 'de'] as const)('in %s', (language) => {
  it.each(met)('the error %s has a text', (code) => {
    for (const { message } of [
      describeAuthError(new AuthApiError('', 400, code), language),
      describeLinkError(code, language),
    ]) {
      expect(Object.values(authErrorTexts[language])).toContain(message);
      expect(message).not.toBe(authErrorTexts[language].unknownError);
    }
  });
});
