/** Builds that depend on source files: finds out whether one is up to date, and replaces it as a whole. */
export { asciiOutput } from './ascii-output.ts';
export { type BuildPlan, ensureBuild, isUpToDate } from './ensure-build.ts';
export { LICENSES_ONLY } from './license-comments.ts';
export { runBuilder } from './run-builder.ts';
