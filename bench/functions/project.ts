/** The project whose functions are measured. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Number of functions that get no request. */
export const IDLE_FUNCTIONS = 200;
/** Queue of the measurements. */
export const QUEUE = 'bench';
/** Text that `hello` responds with. */
const HELLO = "Deno.serve(() => new Response('hello'));\n";

/** A function with packages that many functions import. */
const WITH_PACKAGES = `import { createClient } from "npm:@supabase/supabase-js@2";
import { z } from "npm:zod@4";

const client = createClient(Deno.env.get('SUPABASE_URL')!, Deno.env.get('SUPABASE_ANON_KEY')!);
const body = z.object({ name: z.string() });
Deno.serve(() => Response.json({ client: typeof client.from, body: body.safeParse({}).success }));
`;

/** The functions that are measured, and their sources. */
export const FUNCTIONS: Readonly<Record<string, string>> = { hello: HELLO, packages: WITH_PACKAGES };

/** Writes the project: the measured functions, many others, and a queue. */
export async function writeFunctions(project: string): Promise<void> {
  const supabase = join(project, 'supabase');
  const idle = Array.from({ length: IDLE_FUNCTIONS }, (_, index) => [`idle-${index}`, HELLO] as const);
  const sources = [...Object.entries(FUNCTIONS), ...idle].map(
    ([name, text]) => [join(supabase, 'functions', name, 'index.ts'), text] as const,
  );
  const files = [
    ...sources,
    [join(supabase, 'config.toml'), '[api]\nschemas = ["public", "pgmq_public"]\n'] as const,
    [
      join(supabase, 'migrations/20260101000000_queue.sql'),
      `create extension pgmq;\nselect pgmq.create('${QUEUE}');\n`,
    ] as const,
  ];
  for (const [path, text] of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}
