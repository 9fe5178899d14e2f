import type { ComponentType } from 'react';
import type { Claims } from '../session/claims.ts';

/** Exports of the sidebar's module. */
interface SidebarModule {
  default: ComponentType<{ user: Claims }>;
}

let loadedModule: SidebarModule | undefined;

/** Registers the sidebar's module. The module calls it as soon as it is loaded. */
export function registerSidebar(module: SidebarModule): void {
  loadedModule = module;
}

/** Returns the module, or undefined while it is not loaded. */
export function loadedSidebar(): SidebarModule | undefined {
  return loadedModule;
}
