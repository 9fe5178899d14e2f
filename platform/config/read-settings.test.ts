import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { booleanSetting, integerSetting, textSetting, thousands } from './kinds.ts';
import { parseSettings, resolveSource } from './read-settings.ts';
import { configurationReference } from './reference.ts';
import { settingsIn } from './settings-group.ts';

const tree = {
  port: integerSetting('PORT', 1, 9, {
    default: '5',
    configKey: { key: 'api.port', default: 2 },
    description: 'A port.',
  }),
  timeoutMs: integerSetting('SECONDS', 0, 60, {
    default: undefined,
    configKey: [{ key: 'time' }, { key: 'times.a', documentedAs: 'times.<name>' }],
    description: 'A time.',
  }).map(thousands),
  nested: {
    isOn: booleanSetting('ON', { default: 'false', formerNames: ['ENABLED'], description: 'A switch.' }),
    secret: textSetting('SECRET', 'a text', {
      default: undefined,
      secret: true,
      file: 'verbatim',
      description: 'A secret.',
      documentedAs: 'SECRET_<NAME>',
    }),
  },
};

const read = (source: Record<string, string>) => parseSettings(tree, resolveSource(tree, source));

describe('parseSettings', () => {
  it('returns values in the shape of the tree, defaults included', () => {
    expect(read({})).toEqual({ port: 5, timeoutMs: undefined, nested: { isOn: false, secret: undefined } });
    expect(read({ PORT: '', SECONDS: '2' })).toMatchObject({ port: 5, timeoutMs: 2000 });
  });

  it('reports every wrong setting, and hides secrets', () => {
    expect(() => read({ PORT: '10', ON: 'perhaps' })).toThrow(
      'PORT="10" is not allowed. Allowed: a whole number from 1 to 9\nON="perhaps" is not allowed. Allowed: true, false',
    );
  });
});

describe('resolveSource', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'greenroom-settings-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('reads a former name if the setting has no value', () => {
    expect(read({ ENABLED: 'true' }).nested.isOn).toBe(true);
    expect(read({ ENABLED: 'true', ON: 'false' }).nested.isOn).toBe(false);
  });

  it('replaces @path by the contents of the file', async () => {
    await writeFile(join(folder, 'secret'), ' x \n\n');
    expect(read({ SECRET: `@${folder}/secret` }).nested.secret).toBe(' x \n');
  });

  it('reports an unreadable file without its name', () => {
    expect(() => read({ SECRET: '@/none' })).toThrow(
      'SECRET=(hidden) is not allowed. Allowed: @path of a file with it (reading it failed: ENOENT)',
    );
  });
});

it('configurationReference lists a setting once, under its documented name', () => {
  expect(settingsIn(tree).map(({ name }) => name)).toEqual(['PORT', 'SECONDS', 'ON', 'SECRET']);
  expect(
    configurationReference([
      { title: 'One', tree },
      { title: 'Two', tree: { again: tree.port } },
    ]),
  ).toBe(
    [
      '## One',
      '',
      '| Variable | Default | Allowed | Key of config.toml | Reload | Description |',
      '|---|---|---|---|---|---|',
      '| `PORT` | `5` | a whole number from 1 to 9 | `api.port` (default `2`) | – | A port. |',
      '| `SECONDS` | – | a whole number from 0 to 60 | `time`, `times.<name>` | – | A time. |',
      '| `ON` | `false` | true, false | – | – | A switch. |',
      '| `SECRET_<NAME>` | – | a text, or @path of a file with it | – | – | A secret. |',
      '',
      '## Two',
      '',
      '| Variable | Default | Allowed | Key of config.toml | Reload | Description |',
      '|---|---|---|---|---|---|',
    ].join('\n'),
  );
});
