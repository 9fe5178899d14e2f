/** Version of the program. All packages of the workspace have the same version. */
import manifest from './package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
