import { describe, expect, it } from 'vitest';
import { takeProjectOptions } from './project-options.ts';

describe('takeProjectOptions', () => {
  it.each([
    [[], [], {}],
    [['-o', 'env'], ['-o', 'env'], {}],
    [['--project', 'demo', '-o', 'env'], ['-o', 'env'], { project: 'demo' }],
    [['list', '--project=a=b', '--remote', 'staging'], ['list'], { project: 'a=b', remote: 'staging' }],
    [['--projects', 'x'], ['--projects', 'x'], {}],
  ])('separates %j', (args, own, options) => {
    expect(takeProjectOptions(args)).toEqual({ args: own, options });
  });

  it.each([[['--project']], [['--remote=']], [['--project', '--remote', 'x']]])('rejects %j', (args) => {
    expect(() => takeProjectOptions(args)).toThrow(/^--\w+ requires a value/);
  });
});
