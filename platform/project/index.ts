/** A project: a folder with `supabase/` in the layout of the Supabase CLI, which an instance runs. */
export { type EnvFile, loadEnvFiles } from './env-files.ts';
export { findProject, type Project } from './find-project.ts';
