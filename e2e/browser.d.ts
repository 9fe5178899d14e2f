/** What the app leaves in the browser's window, as tests see it. */

interface Window {
  readonly __reactRouterDataRouter: {
    navigate(to: string): Promise<void>;
    readonly state: {
      readonly initialized: boolean;
      readonly loaderData: Readonly<Record<string, unknown>>;
      readonly matches: readonly { readonly route: { readonly id: string } }[];
    };
  };
  readonly __reactRouterManifest: {
    readonly routes: Readonly<Record<string, { readonly hasLoader: boolean }>>;
  };
  readonly __payload: { readonly error: unknown };
  /** Put in by support/axe.ts. */
  readonly axe: typeof import('axe-core');
}
