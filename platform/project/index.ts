/** A project: a folder with `supabase/` in the layout of the Supabase CLI, which an instance runs. */
export { contentTypeOf } from './buckets/content-type.ts';
export { areObjectsDue, recordObjects } from './buckets/objects-due.ts';
export { setUpBuckets } from './buckets/set-up-buckets.ts';
export type { StorageApi } from './buckets/storage-api.ts';
export type { DeclaredBucket } from './config-file/bucket-keys.ts';
export { createProject } from './create/create-project.ts';
export { type EnvFile, loadEnvFiles } from './env-files.ts';
export { dataParentOf, findProject, type Project } from './find-project.ts';
export { FUNCTION_NAME } from './function-name.ts';
export { createFunction, type FunctionAccess } from './functions/create-function.ts';
export { DENO_CONFIGS, findFunctions, type ProjectFunction } from './functions/find-functions.ts';
export { createMigration, createMigrations, requireName } from './migrations/create-migration.ts';
export { planFetch, writeFetched } from './migrations/fetch.ts';
export { listStates, type MigrationState } from './migrations/list-states.ts';
export { MigrationFailed, MigrationRefused } from './migrations/migration-errors.ts';
export { requireSameHistory } from './migrations/pull.ts';
export { type PushPlan, planPush, push } from './migrations/push.ts';
export { repairHistory } from './migrations/repair.ts';
export { resetVersion } from './migrations/reset-version.ts';
export { runMigration } from './migrations/run-migration.ts';
export {
  planSquash,
  type Squash,
  squashFiles,
  squashHistory,
  tryMigration,
} from './migrations/squash.ts';
export { ProjectError } from './project-error.ts';
export { recordRestored } from './record-restored.ts';
export { requireSeeds } from './seeds/find-seeds.ts';
export { findSeedFiles, type ProjectToRun, seedProject, setUpProject } from './set-up-project.ts';
export { queryError } from './sql/sql-file.ts';
export { type ProjectChange, type ProjectWatch, watchProject } from './watch-project.ts';
