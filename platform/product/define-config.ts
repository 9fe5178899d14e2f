/** The helper of `greenroom.config.ts`. Loads nothing, because products import it. */
import type { GreenroomConfig } from './greenroom-config.ts';

export type { GreenroomConfig };

/**
 * Returns the configuration unchanged; it only gives editors its type.
 * @example export default defineConfig({ name: 'Todos', languages: ['en'] });
 */
export function defineConfig(config: GreenroomConfig): GreenroomConfig {
  return config;
}
