/** Types of the arguments of a route module's exports. */
import type {
  ActionFunctionArgs,
  LoaderFunctionArgs,
  RouterContextProvider,
  MetaArgs as RouterMetaArgs,
  useActionData,
  useLoaderData,
} from 'react-router';

/** Arguments of a loader. */
export type LoaderArgs = LoaderFunctionArgs<Readonly<RouterContextProvider>>;

/** Arguments of an action. */
export type ActionArgs = ActionFunctionArgs<Readonly<RouterContextProvider>>;

/**
 * Arguments of `meta`; `loaderData` has the type of the loader.
 * @example export function meta({ loaderData, matches }: MetaArgs<typeof loader>) { … }
 */
export type MetaArgs<Loader = unknown> = RouterMetaArgs<Loader>;

/**
 * Props of a page's component.
 * @example export default function Todos({ loaderData }: PageProps<typeof loader>) { … }
 */
export interface PageProps<Loader = undefined, Action = undefined> {
  loaderData: ReturnType<typeof useLoaderData<Loader>>;
  actionData: ReturnType<typeof useActionData<Action>>;
  params: Readonly<Record<string, string | undefined>>;
}
