/** The URLs of a host of models. */
import { expect, it } from 'vitest';
import { modelUrl } from './model-urls.ts';

it.each([
  ['http://127.0.0.1:11434', '/v1/embeddings', 'http://127.0.0.1:11434/v1/embeddings'],
  ['http://127.0.0.1:11434/', '/api/generate', 'http://127.0.0.1:11434/api/generate'],
  ['https://models.example/api/v1', '/v1/chat/completions', 'https://models.example/api/v1/chat/completions'],
  [
    'https://models.example/v1beta/openai',
    '/v1/embeddings',
    'https://models.example/v1beta/openai/embeddings',
  ],
  ['http://models.example/ollama/v1', '/api/generate', 'http://models.example/ollama/api/generate'],
  ['http://127.0.0.1:11434', '/api/delete', undefined],
  ['http://127.0.0.1:11434', '/v1/../api/delete', undefined],
])('a host %s has %s at %s', (host, path, expected) => {
  expect(modelUrl(host, path)).toBe(expected);
});
