/** The types of `greenroom.config.ts`. Loads nothing, because products import it. */
import type { z } from 'zod';
import type { productConfig } from './schema.ts';

/** Values that `greenroom.config.ts` may have. All of them are optional. */
export type GreenroomConfig = z.input<typeof productConfig>;

/**
 * Returns the configuration unchanged; it only gives editors its type.
 * @example export default defineConfig({ name: 'Todos', languages: ['en'] });
 */
export function defineConfig(config: GreenroomConfig): GreenroomConfig {
  return config;
}
