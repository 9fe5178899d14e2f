/** Finds the program of Deno, which npm installs as an optional package for the platform. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGES: Readonly<Record<string, string>> = {
  'darwin-arm64': '@deno/darwin-arm64',
  'darwin-x64': '@deno/darwin-x64',
  'linux-arm64': '@deno/linux-arm64-glibc',
  'linux-x64': '@deno/linux-x64-glibc',
  'win32-x64': '@deno/win32-x64',
};

/** Returns the path of the program; undefined if there is no package for this platform, or npm did not install it. */
export function findDeno({ platform, arch } = process): string | undefined {
  const name = PACKAGES[`${platform}-${arch}`];
  if (name === undefined) return undefined;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), platform === 'win32' ? 'deno.exe' : 'deno');
  } catch {
    return undefined;
  }
}
