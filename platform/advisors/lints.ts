/** All lints, in the order of their numbers in the hosted service. A new lint is one line here, and a file. */
import type { Lint } from './lint.ts';
import { authRlsInitplan } from './lints/auth-rls-initplan.ts';
import { authUsersExposed } from './lints/auth-users-exposed.ts';
import {
  anonDefinerFunctionExecutable,
  authenticatedDefinerFunctionExecutable,
} from './lints/definer-function-executable.ts';
import { duplicateIndex } from './lints/duplicate-index.ts';
import { extensionInPublic } from './lints/extension-in-public.ts';
import { extensionVersionsOutdated } from './lints/extension-versions-outdated.ts';
import { fkeyToAuthUnique } from './lints/fkey-to-auth-unique.ts';
import { foreignTableInApi } from './lints/foreign-table-in-api.ts';
import { functionSearchPathMutable } from './lints/function-search-path-mutable.ts';
import { graphqlAnonTableExposed, graphqlAuthenticatedTableExposed } from './lints/graphql-table-exposed.ts';
import { insecureQueueExposedInApi } from './lints/insecure-queue-exposed-in-api.ts';
import { invalidIndex } from './lints/invalid-index.ts';
import { materializedViewInApi } from './lints/materialized-view-in-api.ts';
import { multiplePermissivePolicies } from './lints/multiple-permissive-policies.ts';
import { noPrimaryKey } from './lints/no-primary-key.ts';
import { policyExistsRlsDisabled } from './lints/policy-exists-rls-disabled.ts';
import { publicBucketAllowsListing } from './lints/public-bucket-allows-listing.ts';
import { rlsDisabledInPublic } from './lints/rls-disabled-in-public.ts';
import { rlsEnabledNoPolicy } from './lints/rls-enabled-no-policy.ts';
import { rlsPolicyAlwaysTrue } from './lints/rls-policy-always-true.ts';
import { rlsReferencesUserMetadata } from './lints/rls-references-user-metadata.ts';
import { securityDefinerView } from './lints/security-definer-view.ts';
import { sensitiveColumnsExposed } from './lints/sensitive-columns-exposed.ts';
import { tableBloat } from './lints/table-bloat.ts';
import { unindexedForeignKeys } from './lints/unindexed-foreign-keys.ts';
import { unsupportedRegTypes } from './lints/unsupported-reg-types.ts';
import { unusedIndex } from './lints/unused-index.ts';

export const LINTS: readonly Lint[] = [
  unindexedForeignKeys,
  authUsersExposed,
  authRlsInitplan,
  noPrimaryKey,
  unusedIndex,
  multiplePermissivePolicies,
  policyExistsRlsDisabled,
  rlsEnabledNoPolicy,
  duplicateIndex,
  securityDefinerView,
  functionSearchPathMutable,
  rlsDisabledInPublic,
  extensionInPublic,
  rlsReferencesUserMetadata,
  materializedViewInApi,
  foreignTableInApi,
  unsupportedRegTypes,
  insecureQueueExposedInApi,
  tableBloat,
  fkeyToAuthUnique,
  extensionVersionsOutdated,
  sensitiveColumnsExposed,
  rlsPolicyAlwaysTrue,
  publicBucketAllowsListing,
  graphqlAnonTableExposed,
  graphqlAuthenticatedTableExposed,
  anonDefinerFunctionExecutable,
  authenticatedDefinerFunctionExecutable,
  invalidIndex,
];
