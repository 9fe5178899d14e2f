/** Settings that earlier starts have remembered in the data folder. */
import { join, relative } from 'node:path';
import { combineLayers, type Layer, type LayerValue } from '@greenroom/config';
import { REMEMBERED_FILE, readRememberedSettings } from '@greenroom/data-folder';
import { allSettings } from '@greenroom/server/settings';

/** A remembered value. */
interface RememberedValue extends LayerValue {
  /** The configured value that it replaces, empty for an unset one; undefined if it replaces none. */
  insteadOf: string | undefined;
}

/** Remembered values by the names of their settings. */
export type RememberedValues = ReadonlyMap<string, RememberedValue>;

const DATA_FOLDER = 'GREENROOM_DATA_DIR';

/**
 * Returns the remembered values that apply: those that replace no configured value, or still the same one.
 * @param explicit layers that override remembered values
 * @param configured layers that remembered values override
 */
export async function readRememberedValues(
  explicit: readonly Layer[],
  configured: readonly Layer[],
): Promise<RememberedValues> {
  const folder = textOf(DATA_FOLDER, [...explicit, ...configured]);
  const remembered = Object.entries(await readRememberedSettings(folder));
  const origin = relative('.', join(folder, REMEMBERED_FILE));
  return new Map(
    remembered
      .filter(([name, { insteadOf }]) => insteadOf === undefined || insteadOf === textOf(name, configured))
      .map(([name, { value: text, insteadOf }]) => [name, { text, origin, insteadOf }]),
  );
}

/** Returns the text of a setting in these layers, otherwise its default, otherwise an empty text. */
function textOf(name: string, layers: readonly Layer[]): string {
  const { source } = combineLayers(layers, allSettings);
  return source[name] || (allSettings.find((setting) => setting.name === name)?.details.default ?? '');
}
