/** The URLs of a host of models, in the two protocols that functions may choose. */

/** Paths that functions request, and the protocols that they belong to. */
const PATHS: Readonly<Record<string, 'openai' | 'ollama'>> = {
  '/v1/chat/completions': 'openai',
  '/v1/embeddings': 'openai',
  '/api/generate': 'ollama',
};

/**
 * Returns the URL that a requested path means; undefined for other paths. A host without a path has the protocol of OpenAI
 * below `/v1`; one with a path has it there, e.g. `https://models.example.com/api/v1`.
 */
export function modelUrl(host: string, path: string): string | undefined {
  const protocol = PATHS[path];
  if (protocol === undefined) return undefined;
  const base = host.replace(/\/+$/, '');
  if (protocol === 'ollama') return base.replace(/\/v1$/, '') + path;
  return new URL(host).pathname === '/' ? base + path : base + path.slice('/v1'.length);
}
