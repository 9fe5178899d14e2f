/**
 * Seed of all property tests. Fixed, so that `npm test` is deterministic; `npm run fuzz` sets `PROPERTY_SEED` to a
 * random one.
 */
import fc from 'fast-check';

const FIXED_SEED = 20_261_123;

export const PROPERTY_SEED = Number(process.env.PROPERTY_SEED ?? FIXED_SEED);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: PROPERTY_SEED });
