/** Where packages are placed below `node_modules`, so that each finds the versions that it depends on. */
import { join } from 'node:path';
import type { InstalledPackage } from './installed-packages.ts';

/** A package, and its path below the folder of the function. */
interface PlacedPackage {
  path: string;
  folder: string;
}

/**
 * Places packages: at the top where no other version is, otherwise inside the package that needs it. Returns each place
 * once.
 */
export function layOut(packages: readonly InstalledPackage[]): PlacedPackage[] {
  const places = new Map<string, string>();

  /** Whether a package that is found from `path` would be the one in `folder`; undefined if none would be. */
  function visibleFrom(path: string, name: string): string | undefined {
    for (let parent = path; ; parent = parent.slice(0, Math.max(parent.lastIndexOf('/node_modules/'), 0))) {
      const found = places.get(join(parent, 'node_modules', name));
      if (found !== undefined || parent === '') return found;
    }
  }

  function place(item: InstalledPackage, dependent: string): void {
    const visible = visibleFrom(dependent, item.name);
    if (visible === item.folder) return;
    const path = join(visible === undefined ? '' : dependent, 'node_modules', item.name);
    places.set(path, item.folder);
    for (const dependency of item.dependencies) place(dependency, path);
  }

  for (const item of packages) place(item, '');
  return [...places].map(([path, folder]) => ({ path, folder }));
}
