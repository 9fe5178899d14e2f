/** Settings of earlier versions: a start names those that are still set, because they have no effect. */
import type { Layer } from '@greenroom/config';

/** What replaces each setting. */
const REMOVED: Readonly<Record<string, string>> = {
  GREENROOM_HOME:
    'A file app/routes/_index.tsx of a product replaces the home page; the board is the product in demo/.',
};

/** Returns a warning for each place that sets a removed setting. */
export function removedSettings(layers: readonly Layer[]): string[] {
  return Object.entries(REMOVED).flatMap(([name, replacement]) =>
    layers
      .map((layer) => layer.get(name))
      .filter((value) => value !== undefined && value.text !== '')
      .map((value) => `${value?.origin}: ${name} is no setting any more and has no effect. ${replacement}`),
  );
}
