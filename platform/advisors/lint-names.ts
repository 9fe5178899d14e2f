/** The names of all lints, in the order of `lints.ts`. */
export type LintName =
  | 'unindexed_foreign_keys'
  | 'auth_users_exposed'
  | 'auth_rls_initplan'
  | 'no_primary_key'
  | 'unused_index'
  | 'multiple_permissive_policies'
  | 'policy_exists_rls_disabled'
  | 'rls_enabled_no_policy'
  | 'duplicate_index'
  | 'security_definer_view'
  | 'function_search_path_mutable'
  | 'rls_disabled_in_public'
  | 'extension_in_public'
  | 'rls_references_user_metadata'
  | 'materialized_view_in_api'
  | 'foreign_table_in_api'
  | 'unsupported_reg_types'
  | 'insecure_queue_exposed_in_api'
  | 'table_bloat'
  | 'fkey_to_auth_unique'
  | 'extension_versions_outdated'
  | 'sensitive_columns_exposed'
  | 'rls_policy_always_true'
  | 'public_bucket_allows_listing'
  | `pg_graphql_${'anon' | 'authenticated'}_table_exposed`
  | `${'anon' | 'authenticated'}_security_definer_function_executable`
  | 'invalid_index';
