/** The settings that can change while the data API runs. */

/**
 * Settings that may be in the database. The others concern the connection to the database or are read only at the
 * start.
 */
export const DATABASE_SETTINGS = [
  'client_error_verbosity',
  'db_aggregates_enabled',
  'db_anon_role',
  'db_extra_search_path',
  'db_hoisted_tx_settings',
  'db_max_rows',
  'db_plan_enabled',
  'db_pre_config',
  'db_pre_request',
  'db_prepared_statements',
  'db_root_spec',
  'db_schemas',
  'db_tx_end',
  'jwt_aud',
  'jwt_cache_max_entries',
  'jwt_role_claim_key',
  'jwt_secret',
  'jwt_secret_is_base64',
  'openapi_mode',
  'openapi_security_active',
  'openapi_server_proxy_uri',
  'server_cors_allowed_origins',
  'server_timing_enabled',
  'server_trace_header',
  'url_use_legacy_target_names',
] as const;

/** Whether the value of a variable is read again at each reload. The pre-config function is chosen at the start. */
export function isReadAgain(variable: string): boolean {
  const name = variable.replace(/^PGRST_/, '').toLowerCase();
  return name !== 'db_pre_config' && (DATABASE_SETTINGS as readonly string[]).includes(name);
}
