import { Script } from 'node:vm';
import { expect, it } from 'vitest';
import { asciiOutput } from './ascii-output.ts';

it('the code of a chunk becomes ASCII and keeps its meaning', () => {
  const code = `(() => {
    // Grüße
    const größe = { text: 'Größe — “14 µm” 🎹', template: \`\${1}→\`, pattern: /^[ä-ü]+$/u.test('äöü') };
    return größe;
  })()`;
  const chunk = { type: 'chunk' as const, code };
  asciiOutput().generateBundle({}, { 'a.js': chunk, 'a.css': { type: 'asset' } });
  expect(chunk.code).toMatch(/^[\0-\x7f]+$/);
  const evaluated: unknown = new Script(chunk.code).runInThisContext();
  expect(evaluated).toEqual({ text: 'Größe — “14 µm” 🎹', template: '1→', pattern: true });
});
