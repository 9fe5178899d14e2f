/** The sidebar's module, once it is loaded. */
import type { ComponentType } from 'react';
import type { Claims } from '../session/claims.ts';

/** What the sidebar's module offers. */
interface SidebarModule {
  default: ComponentType<{ user: Claims }>;
}

let arrived: SidebarModule | undefined;

/** Called by the sidebar's own module as soon as it is loaded. */
export function announceSidebar(module: SidebarModule): void {
  arrived = module;
}

/** The module, or undefined while it is not loaded. */
export function loadedSidebar(): SidebarModule | undefined {
  return arrived;
}
