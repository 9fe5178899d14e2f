/** OAuth providers, as pages show them. */

export interface PageProvider {
  /** The backend's name, e.g. `linkedin_oidc`. */
  name: string;
  /** Display name, e.g. `LinkedIn`. */
  title: string;
  /** Full name of an icon. */
  icon: `${'greenroom' | 'lucide'}:${string}`;
  /** Name of the provider that replaces this deprecated one. */
  successor?: string;
}

/** Leaves out deprecated providers whose successor is in the list, since both have the same title. */
export function withoutSuperseded(providers: readonly PageProvider[]): PageProvider[] {
  return providers.filter(({ successor }) => !providers.some(({ name }) => name === successor));
}
