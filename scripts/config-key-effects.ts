/**
 * For each key of config.toml the title of a test that fails if the key has no effect; `*` stands for any part of a key.
 * That the key sets its setting is shown by server/config-keys.test.ts. A title may begin with those of its groups.
 */

const MAIL_SERVER = 'a mail reaches the configured server with its login and sender';
const SMS_PROVIDER = 'an SMS is sent by %s with its configured credentials';
const PARAMETERS = 'has the parameters of the database in config.toml';
const ISSUER = '%j is the issuer %s';
const API_KEYS = 'configured keys › have their roles';
const NOTIFICATION = '%s › is sent once to the previous address';
const MAIL_CONTENT = 'a template › can be set for each kind of mail';
const SERVICES = 'an instance has no routes of services that its settings disable';
const PORTS = 'has the ports and services of config.toml, and no pages without authentication';
const FUNCTION_SECRETS =
  'secrets come from the env of the function, functions/.env, then edge_runtime.secrets';
const FUNCTION_FILES = 'entrypoint, import_map and static_files name files elsewhere in supabase/';
const BUCKET = 'rejects a missing folder and a file that is too large, and starts when they are mended';
const DATA_SETTING = 'settings in the environment › apply %s';
const DISABLED_SIGN_UPS = 'rejections of a sign-up › rejects %s if they are disabled';
const SENT_IN_TOTAL = '%s that are sent › are limited in total: %s';
const RATE = 'check › refills %s at the rate of %s';
const DISABLED_PROJECT_FILES = 'start › applies neither migrations nor seeds that config.toml disables';
const NETWORK_ACCESS =
  'start › accepts only those connections to the database that config.toml allows, and its own';
const TLS_FILES =
  'an instance with the certificate of another machine › is called by seed buckets, also after its files were replaced';
const MAILBOX_PORTS = 'receives a mail by SMTP, and returns it by POP3';
const MAILBOX_SENDER = 'a test with the official client › verifies a sign-up with the code of the mail';

export const KEY_EFFECTS: Readonly<Record<string, string>> = {
  project_id: 'a remote › is chosen by the project_id of the file',

  'api.enabled': SERVICES,
  'api.port': PORTS,
  'api.schemas': DATA_SETTING,
  'api.extra_search_path': DATA_SETTING,
  'api.max_rows': DATA_SETTING,
  'api.external_url': 'a link › of an API at %s with %j leads to %s',
  'api.auto_expose_new_tables': 'new tables › are exposed with api.auto_expose_new_tables = %s: %s',

  'api.tls.enabled':
    'an instance with a self-signed certificate › prints its URL and the file that clients have to trust',
  'api.tls.cert_path': TLS_FILES,
  'api.tls.key_path': TLS_FILES,

  'auth.enabled': PORTS,
  'auth.site_url': 'gets links in mails that lead through this server to its front end',
  'auth.additional_redirect_urls': 'GET /verify › with the redirect %s leads to %s',
  'auth.jwt_expiry': 'access tokens have the configured lifetime and issuer',
  'auth.jwt_issuer': 'access tokens have the configured lifetime and issuer',
  'auth.signing_keys_path': 'tokens are signed with the key of a file with signing keys',
  'auth.jwt_secret': API_KEYS,
  'auth.publishable_key': API_KEYS,
  'auth.secret_key': API_KEYS,
  'auth.anon_key': API_KEYS,
  'auth.service_role_key': API_KEYS,
  'auth.enable_refresh_token_rotation':
    'a revoked token › is rejected without further effect if rotation is disabled',
  'auth.refresh_token_reuse_interval': 'a revoked token › is rejected immediately without a reuse interval',
  'auth.enable_manual_linking': 'unlinks a phone number and disables signing in with it',
  'auth.enable_signup': DISABLED_SIGN_UPS,
  'auth.enable_anonymous_sign_ins': 'anonymously › returns a session if enabled',
  'auth.minimum_password_length': 'reports a password that is weak under the current rules',
  'auth.password_requirements': DISABLED_SIGN_UPS,

  'auth.rate_limit.email_sent': SENT_IN_TOTAL,
  'auth.rate_limit.sms_sent': SENT_IN_TOTAL,
  'auth.rate_limit.anonymous_users': 'check › counts anonymous sign-ups per hour',
  'auth.rate_limit.token_refresh': RATE,
  'auth.rate_limit.sign_in_sign_ups': RATE,
  'auth.rate_limit.token_verifications': RATE,
  'auth.rate_limit.web3': RATE,

  'auth.captcha.enabled': 'requests that need a captcha › include %s',
  'auth.captcha.provider': 'the settings › have the URL of %s',
  'auth.captcha.secret': "the provider › receives the token, the secret and the client's address as a form",

  'auth.hook.custom_access_token.*': 'a token by %s › has the claims of an HTTP endpoint',
  'auth.hook.send_email.*': 'mails › of %s are sent by the hook; a rejection by the hook rolls back',
  'auth.hook.send_sms.*': 'SMS › of %s are sent by the hook; a rejection by the hook rolls back',
  'auth.hook.before_user_created.*': '%s › calls the hooks before and after',
  'auth.hook.after_user_created.*': '%s › calls the hooks before and after',
  'auth.hook.mfa_verification_attempt.*': 'a code of a second factor › (right: %s) is reported to the hook',
  'auth.hook.password_verification_attempt.*': 'a password › %s is reported to the hook',

  'auth.mfa.*.enroll_enabled': 'the enrolment › of %s can be disabled',
  'auth.mfa.*.verify_enabled': 'the use › of a factor of type %s can be disabled',
  'auth.mfa.max_enrolled_factors': 'the enrolment › rejects too many factors',
  'auth.mfa.phone.otp_length': 'codes › of phone factors have the configured number of digits',
  'auth.mfa.phone.template': 'an SMS › renders with %j',
  'auth.mfa.phone.max_frequency': 'SMS of a phone factor have the configured minimum time between them',

  'auth.sessions.*': 'rejects › an expired session: %s',

  'auth.email.enabled': DISABLED_SIGN_UPS,
  'auth.email.double_confirm_changes':
    'a change of email address › needs only the new mailbox, if configured',
  'auth.email.enable_confirmations':
    'a sign-up by email › responds with the user without a session, and mails a link and a code',
  'auth.email.secure_password_change':
    'reauthentication › is required for a new password in an old session, and consumes its code',
  'auth.email.require_current_password':
    'a new password › requires the current password if configured, and rejects %s',
  'auth.email.max_frequency': 'new settings › keep the counters of rate limits, unless the limits change',
  'auth.email.otp_length': 'codes › in mails have the configured number of digits',
  'auth.email.otp_expiry': 'codes › in %s are valid for the configured time',
  'auth.email.smtp.enabled': 'the mail server of config.toml is set unless its table is disabled: %s',
  'auth.email.smtp.host': MAIL_SERVER,
  'auth.email.smtp.port': MAIL_SERVER,
  'auth.email.smtp.user': MAIL_SERVER,
  'auth.email.smtp.pass': MAIL_SERVER,
  'auth.email.smtp.admin_email': MAIL_SERVER,
  'auth.email.smtp.sender_name': MAIL_SERVER,
  'auth.email.template.*.*': MAIL_CONTENT,
  'auth.email.notification.*.subject': MAIL_CONTENT,
  'auth.email.notification.*.content_path': MAIL_CONTENT,
  'auth.email.notification.password_changed.enabled': NOTIFICATION,
  'auth.email.notification.email_changed.enabled': NOTIFICATION,
  'auth.email.notification.phone_changed.enabled': NOTIFICATION,
  'auth.email.notification.identity_linked.enabled':
    'linking › links an identity with another address and unlinks it',
  'auth.email.notification.identity_unlinked.enabled': NOTIFICATION,
  'auth.email.notification.mfa_factor_enrolled.enabled': NOTIFICATION,
  'auth.email.notification.mfa_factor_unenrolled.enabled': NOTIFICATION,

  'auth.sms.enabled': DISABLED_SIGN_UPS,
  'auth.sms.enable_confirmations': 'a sign-up by phone › sends a code and is confirmed by it',
  'auth.sms.template': 'an SMS › renders with %j',
  'auth.sms.max_frequency': 'resending › sends another SMS',
  'auth.sms.otp_length': 'codes › in SMS have the configured number of digits',
  'auth.sms.otp_expiry': 'codes › in %s are valid for the configured time',
  'auth.sms.test_otp.*': 'a sign-up by phone › with a test number accepts its fixed code and sends nothing',
  'auth.sms.twilio.*': SMS_PROVIDER,
  'auth.sms.twilio_verify.*': 'a sign-in by phone › uses the code that Twilio sends and approves: %s',
  'auth.sms.vonage.*': SMS_PROVIDER,
  'auth.sms.messagebird.*': SMS_PROVIDER,
  'auth.sms.textlocal.*': SMS_PROVIDER,

  'auth.external.*.enabled': 'ID tokens › are rejected if their provider is disabled',
  'auth.external.*.client_id': 'ID tokens › sign in, with a nonce and for each client',
  'auth.external.*.secret': "a sign-in at a provider › creates an account with the profile's claims",
  'auth.external.*.url': "a sign-in at a provider › creates an account with the profile's claims",
  'auth.external.*.redirect_uri': 'a sign-in at a provider › names the configured callback to the provider',
  'auth.external.*.skip_nonce_check':
    'ID tokens › sign in with a nonce that was not sent, if its check is disabled',
  'auth.external.*.email_optional':
    'a profile without an address › signs in repeatedly if addresses are optional',

  'auth.web3.*.enabled': 'the request › is rejected if %s',
  'auth.oauth_server.enabled': "redirects to the site's consent page and stores the request",
  'auth.oauth_server.allow_dynamic_registration': 'returns the response of RFC 7591 §3.2.1',
  'auth.oauth_server.authorization_url_path': "redirects to the site's consent page and stores the request",
  'auth.passkey.enabled': 'disabled passkeys › respond to %s with 404',
  'auth.webauthn.*': 'passkeys are for the configured domain, name and origins',
  'auth.third_party.*.*': ISSUER,

  'local_smtp.enabled':
    'two projects with the same ports › have mailboxes of their own, whose URLs greenroom status prints',
  'local_smtp.port':
    'two projects with the same ports › have mailboxes of their own, whose URLs greenroom status prints',
  'local_smtp.smtp_port': MAILBOX_PORTS,
  'local_smtp.pop3_port': MAILBOX_PORTS,
  'local_smtp.admin_email': MAILBOX_SENDER,
  'local_smtp.sender_name': MAILBOX_SENDER,

  'db.port': PORTS,
  'db.shadow_port': 'migration squash tries the joined file in a database on db.shadow_port',
  'db.health_timeout': 'ends after the time of config.toml, and names the database that did not respond',
  'db.settings.*': PARAMETERS,
  'db.major_version': 'a database warns about a project for PostgreSQL %s: %j',
  'db.migrations.enabled': DISABLED_PROJECT_FILES,
  'db.migrations.schema_paths':
    'the declared schema › is compared by db diff if schema_paths names its files, and errors name the place in them',
  'experimental.pgdelta.*':
    'the declared schema › has the folder and the format of config.toml, and no comparison if that disables pg-delta',
  'experimental.inspect.rules': 'inspect report › checks the rules of config.toml',
  'db.seed.enabled': DISABLED_PROJECT_FILES,
  'db.seed.sql_paths': DISABLED_PROJECT_FILES,
  'db.network_restrictions.enabled': NETWORK_ACCESS,
  'db.network_restrictions.allowed_cidrs': NETWORK_ACCESS,
  'db.network_restrictions.allowed_cidrs_v6':
    'a server has a rule for each allowed range, and those of PostgreSQL after them',
  'db.ssl_enforcement.enabled': NETWORK_ACCESS,
  'experimental.webhooks.enabled':
    'database webhooks › have their extension with experimental.webhooks.enabled = true, also after it was dropped',
  'db.vault.*': 'secrets › are created and changed before the migrations',

  'realtime.enabled': SERVICES,
  'realtime.ip_version': 'realtime › accepts connections on ::1 with ip_version = IPv6',
  'realtime.max_header_length': 'realtime › with max_header_length = 2000 responds to %s of %i bytes with %i',

  'edge_runtime.enabled': SERVICES,
  'edge_runtime.secrets.*': FUNCTION_SECRETS,
  'edge_runtime.inspector_port': 'the named function has an inspector on the port, and others have none',
  'edge_runtime.deno_version': 'say for %j: %s',
  'functions.*.env.*': FUNCTION_SECRETS,
  'functions.*.enabled': 'a disabled function does not exist',
  'functions.*.verify_jwt': 'verify_jwt decides whether a function needs a token',
  'functions.*.entrypoint': FUNCTION_FILES,
  'functions.*.import_map': FUNCTION_FILES,
  'functions.*.static_files': FUNCTION_FILES,

  'storage.enabled': SERVICES,
  'storage.file_size_limit': 'new settings › of auth, the data API and storage apply without a restart',
  'storage.image_transformation.enabled': '%s has no route, and the response names the setting',
  'storage.s3_protocol.enabled': 'a request › receives 404 if the protocol is disabled',
  'storage.buckets.*.public': BUCKET,
  'storage.buckets.*.file_size_limit': BUCKET,
  'storage.buckets.*.objects_path': BUCKET,
  'storage.buckets.*.allowed_mime_types': 'changes buckets at later starts, and uploads no objects again',
};
