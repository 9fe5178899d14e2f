/** The globals of the app in the browser, as tests use them. */

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
  /** Injected by support/axe.ts. */
  readonly axe: typeof import('axe-core');
  /** Exposed by admin-scale/keyboard/keyboard-user.ts. */
  reportPointer(type: string): void;
}
