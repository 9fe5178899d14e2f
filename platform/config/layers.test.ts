import { describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.ts';
import { integerSetting, listSetting, textSetting } from './kinds.ts';
import { combineLayers, ENVIRONMENT, type Layer, layerOf, withOrigins } from './layers.ts';

const settings = [
  integerSetting('PORT', 0, 9, { default: '1', configKey: 'api.port', description: '' }),
  integerSetting('ROWS', 0, 9, { default: '1', formerNames: ['OLD_ROWS'], description: '' }),
  listSetting('SCHEMAS', 'names', { default: 'public', acceptsEmpty: true, description: '' }),
  textSetting('SMTP_HOST', 'a host', { default: undefined, configKey: 'smtp.host', description: '' }),
  textSetting('SMTP_SENDER', 'an address', { default: undefined, configKey: 'smtp.sender', description: '' }),
];

const environment = (source: Record<string, string>) => layerOf(source, ENVIRONMENT);

function fileLayer(name: string, key: string, text: string): Layer {
  const written = { name: key, value: `written ${text}` };
  return new Map([[name, { text, origin: 'supabase/config.toml:3', written }]]);
}

describe('combineLayers', () => {
  it('takes each variable from the first layer that has it', () => {
    const { source, values } = combineLayers(
      [environment({ PORT: '2' }), layerOf({ PORT: '3', OTHER: 'x' }, '.env')],
      settings,
    );
    expect(source).toEqual({ PORT: '2', OTHER: 'x' });
    expect([values.get('PORT')?.origin, values.get('OTHER')?.origin]).toEqual([ENVIRONMENT, '.env']);
  });

  it('takes an empty text only where it is a value, or where nothing else is set', () => {
    const empty = environment({ PORT: '', SCHEMAS: '', UNKNOWN: '' });
    const file = layerOf({ PORT: '3', SCHEMAS: 'a' }, '.env');
    expect(combineLayers([empty, file], settings).source).toEqual({ PORT: '3', SCHEMAS: '', UNKNOWN: '' });
  });

  it.each([
    [{ OLD_ROWS: '2' }, '2'],
    [{ OLD_ROWS: '2', ROWS: '' }, '2'],
    [{ OLD_ROWS: '2', ROWS: '4' }, '4'],
    [{}, '3'],
  ])('prefers a former name in %j to the current name in a later layer', (source, rows) => {
    const layers = [environment(source), layerOf({ ROWS: '3' }, '.env')];
    expect(combineLayers(layers, settings).source.ROWS).toBe(rows);
  });
});

describe('withOrigins', () => {
  const errorOf = (name: string, value: string | undefined, allowed = 'a number') =>
    new ConfigError([{ name, value, allowed }]);
  const explain = (error: ConfigError, layer: Layer) =>
    withOrigins(error, combineLayers([layer], settings), settings).message;

  it('leaves problems of the environment and of defaults as they are', () => {
    const error = errorOf('PORT', 'x');
    expect(explain(error, environment({ PORT: 'x' }))).toBe(error.message);
    expect(explain(error, new Map())).toBe('PORT="x" is not allowed. Allowed: a number');
  });

  it('names the env file of a variable', () => {
    expect(explain(errorOf('PORT', 'x'), layerOf({ PORT: 'x' }, '.env.local'))).toBe(
      '.env.local: PORT="x" is not allowed. Allowed: a number',
    );
  });

  it('names line, key and value of config.toml, but no secret', () => {
    const file = fileLayer('PORT', 'api.port', 'x');
    expect(explain(errorOf('PORT', 'x'), file)).toBe(
      'supabase/config.toml:3: api.port="written x" is not allowed. Allowed: a number',
    );
    expect(explain(errorOf('PORT', undefined), file)).toContain('api.port=(hidden) is not allowed');
  });

  it('names the missing key that another key of config.toml requires', () => {
    const error = errorOf('SMTP_SENDER', '', 'an address (SMTP_HOST is set)');
    expect(explain(error, fileLayer('SMTP_HOST', 'smtp.host', 'mail'))).toBe(
      'supabase/config.toml:3: smtp.sender="" is not allowed. Allowed: an address (smtp.host is set)',
    );
    expect(explain(error, environment({ SMTP_HOST: 'mail' }))).toBe(error.message);
  });
});
