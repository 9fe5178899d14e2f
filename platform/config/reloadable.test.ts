import { describe, expect, it } from 'vitest';
import { booleanSetting, textSetting } from './kinds.ts';
import { configurationReference } from './reference.ts';
import { reloadable, reloadableNames } from './reloadable.ts';
import { settingsIn } from './settings-group.ts';

const tree = {
  name: textSetting('NAME', 'a text', { default: undefined, secret: true, description: 'A name.' }),
  nested: { on: booleanSetting('ON', { default: 'false', description: 'A switch.' }).map(Number) },
};

describe('reloadable settings', () => {
  it('keep everything else of their declaration', () => {
    const marked = reloadable(tree);
    expect(marked.name.details).toEqual({ ...tree.name.details, isReloadable: true });
    expect(marked.nested.on.schema.parse('true')).toBe(1);
    expect(tree.name.details.isReloadable).toBeUndefined();
  });

  it('can be selected', () => {
    const marked = reloadable(tree, ({ name }) => name === 'ON');
    expect([...reloadableNames(settingsIn(marked))]).toEqual(['ON']);
  });

  it('are marked in every group that contains them', () => {
    expect([...reloadableNames([...settingsIn(reloadable(tree)), tree.name])]).toEqual(['ON']);
  });

  it('are named by the reference', () => {
    const page = configurationReference([
      { title: 'One', tree: reloadable(tree, ({ name }) => name === 'ON') },
    ]);
    expect(page).toContain('| `NAME` | – | a text | – | – | A name. |');
    expect(page).toContain('| `ON` | `false` | true, false | – | yes | A switch. |');
  });
});
