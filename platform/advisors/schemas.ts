/** The schemas that lints skip. */
import { PLATFORM_SCHEMAS } from '@greenroom/project/platform-schemas';

/** Extensions create these schemas. Most of their objects belong to the extension, some are created later. */
const SCHEMAS_OF_EXTENSIONS = [
  '_timescaledb_cache',
  '_timescaledb_catalog',
  '_timescaledb_config',
  '_timescaledb_internal',
  'pgroonga',
  'repack',
  'tiger',
  'tiger_data',
  'topology',
];

/** Schemas that do not belong to the project. */
export const SKIPPED_SCHEMAS: readonly string[] = [
  'information_schema',
  ...PLATFORM_SCHEMAS,
  ...SCHEMAS_OF_EXTENSIONS,
];
