/** Every error that the authentication service answers with, under GoTrue's codes and statuses. */
import { type CatalogueEntry, defineErrors } from '@greenroom/errors';

/**
 * The catalogue: code → statuses (the first is the default) and default message. docs/reference/auth.md
 * explains it.
 */
export const authErrors = {
  anonymous_provider_disabled: { status: 422, message: 'Anonymous sign-ins are disabled' },
  bad_code_verifier: { status: 400, message: 'code challenge does not match previously saved code verifier' },
  bad_json: { status: 400, message: 'Could not parse request body as JSON' },
  bad_jwt: { status: [403, 400], message: 'invalid JWT' },
  conflict: {
    status: [409, 422],
    message: 'Too many concurrent token refresh requests on the same session or refresh token',
  },
  current_password_invalid: { status: 400, message: 'Current password required when setting new password.' },
  current_password_required: { status: 400, message: 'Current password required when setting new password.' },
  email_conflict_identity_not_deletable: {
    status: 422,
    message: 'Unable to unlink identity due to email conflict',
  },
  email_exists: { status: 422, message: 'A user with this email address has already been registered' },
  email_not_confirmed: { status: [400, 422, 403], message: 'Email not confirmed' },
  email_provider_disabled: { status: [400, 422], message: 'Email signups are disabled' },
  flow_state_expired: { status: 422, message: 'invalid flow state, flow state has expired' },
  flow_state_not_found: { status: [404, 400], message: 'invalid flow state, no valid flow state found' },
  identity_not_found: { status: 422, message: "Identity doesn't exist" },
  insufficient_aal: {
    status: [401, 403, 422],
    message: 'AAL2 session is required to update email or password when MFA is enabled.',
  },
  invalid_credentials: { status: 400, message: 'Invalid login credentials' },
  manual_linking_disabled: { status: 404, message: 'Manual linking is disabled' },
  mfa_challenge_expired: { status: 422, message: 'MFA challenge has expired' },
  mfa_factor_name_conflict: {
    status: 422,
    message: 'A factor with the friendly name for this user already exists',
  },
  mfa_factor_not_found: { status: [404, 422], message: 'Factor not found' },
  mfa_ip_address_mismatch: { status: 422, message: 'Challenge and verify IP addresses mismatch.' },
  mfa_phone_enroll_not_enabled: { status: 422, message: 'MFA enroll is disabled for Phone' },
  mfa_phone_verify_not_enabled: { status: 422, message: 'MFA verification is disabled for Phone' },
  mfa_totp_enroll_not_enabled: { status: 422, message: 'MFA enroll is disabled for TOTP' },
  mfa_totp_verify_not_enabled: { status: 422, message: 'MFA verification is disabled for TOTP' },
  mfa_verification_failed: { status: 422, message: 'Invalid TOTP code entered' },
  mfa_verified_factor_exists: {
    status: 422,
    message: 'A verified phone factor already exists, unenroll the existing factor to continue',
  },
  mfa_webauthn_enroll_not_enabled: { status: 422, message: 'MFA enroll is disabled for WebAuthn' },
  mfa_webauthn_verify_not_enabled: { status: 422, message: 'MFA verification is disabled for WebAuthn' },
  no_authorization: { status: [401, 403], message: 'This endpoint requires a valid Bearer token' },
  not_admin: { status: 403, message: 'User not allowed' },
  otp_disabled: { status: 422, message: 'Signups not allowed for otp' },
  otp_expired: { status: 403, message: 'Token has expired or is invalid' },
  over_email_send_rate_limit: { status: 429, message: 'email rate limit exceeded' },
  over_request_rate_limit: { status: 429, message: 'Request rate limit reached' },
  over_sms_send_rate_limit: { status: 429, message: 'SMS rate limit exceeded' },
  passkey_disabled: { status: 404, message: 'Passkeys are disabled' },
  phone_exists: { status: 422, message: 'A user with this phone number has already been registered' },
  phone_not_confirmed: { status: [400, 422, 403], message: 'Phone not confirmed' },
  phone_provider_disabled: { status: [400, 422], message: 'Phone signups are disabled' },
  provider_disabled: { status: 400, message: 'Provider is not enabled' },
  reauthentication_needed: { status: 400, message: 'Password update requires reauthentication' },
  reauthentication_not_valid: { status: 422, message: 'Nonce has expired or is invalid' },
  refresh_token_already_used: { status: 400, message: 'Invalid Refresh Token: Already Used' },
  refresh_token_not_found: { status: 400, message: 'Invalid Refresh Token: Refresh Token Not Found' },
  request_entity_too_large: { status: 413, message: 'Request body too large' },
  request_timeout: {
    status: 504,
    message: 'Processing this request timed out, please retry after a moment.',
  },
  same_password: { status: 422, message: 'New password should be different from the old password.' },
  saml_assertion_no_email: { status: 400, message: 'SAML Assertion does not contain an email address' },
  saml_assertion_no_user_id: {
    status: 400,
    message:
      'SAML Assertion did not contain a persistent Subject Identifier attribute or Subject NameID uniquely identifying this user',
  },
  saml_entity_id_mismatch: {
    status: 400,
    message: 'SAML Metadata can be updated only if the EntityID matches for the provider',
  },
  saml_idp_already_exists: {
    status: 422,
    message: 'SAML Identity Provider with this EntityID already exists',
  },
  saml_idp_not_found: {
    status: 404,
    message: 'A SAML connection has not been established with this Identity Provider',
  },
  saml_metadata_fetch_failed: { status: 400, message: 'SAML Metadata could not be fetched from its URL' },
  saml_provider_disabled: { status: 404, message: 'SAML 2.0 is disabled' },
  saml_relay_state_expired: { status: 422, message: 'SAML RelayState has expired. Try logging in again?' },
  saml_relay_state_not_found: {
    status: 404,
    message: 'SAML RelayState does not exist, try logging in again?',
  },
  session_expired: { status: [400, 403], message: 'Invalid Refresh Token: Session Expired' },
  session_not_found: {
    status: [403, 400, 404],
    message: 'Session from session_id claim in JWT does not exist',
  },
  signup_disabled: { status: 422, message: 'Signups not allowed for this instance' },
  single_identity_not_deletable: {
    status: 422,
    message: 'User must have at least 1 identity after unlinking',
  },
  sso_domain_already_exists: {
    status: 400,
    message: 'SSO Domain is already assigned to an SSO identity provider',
  },
  sso_provider_disabled: {
    status: 404,
    message: 'SSO Provider assigned for this domain is currently disabled',
  },
  sso_provider_not_found: { status: 404, message: 'SSO Identity Provider not found' },
  too_many_enrolled_mfa_factors: {
    status: 422,
    message: 'Maximum number of verified factors reached, unenroll to continue',
  },
  too_many_passkeys: { status: 422, message: 'Maximum number of passkeys reached' },
  unexpected_failure: {
    status: 500,
    message: 'Unexpected failure, please check server logs for more information',
  },
  user_already_exists: { status: 422, message: 'User already registered' },
  user_banned: { status: [403, 400], message: 'User is banned' },
  user_not_found: { status: [403, 404], message: 'User from sub claim in JWT does not exist' },
  user_sso_managed: {
    status: 422,
    message: 'Updating email, phone, password of a SSO account only possible via SSO',
  },
  validation_failed: { status: [400, 422, 404], message: 'The request is not valid' },
  weak_password: { status: 422, message: 'Password is too weak' },
  web3_provider_disabled: { status: 422, message: 'Web3 provider is disabled' },
  webauthn_challenge_expired: { status: 400, message: 'Challenge has expired' },
  webauthn_challenge_not_found: { status: 400, message: 'Challenge not found or already used' },
  webauthn_credential_exists: { status: 422, message: 'This credential is already registered' },
  webauthn_verification_failed: { status: 400, message: 'Credential verification failed' },
} as const satisfies Record<string, CatalogueEntry>;

/** Makes an error of the catalogue, to be thrown. */
export const failure = defineErrors(authErrors);
