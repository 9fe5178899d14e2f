/** The subjects and templates that take the place of our own. */
import { ConfigError, type ConfigProblem } from '@greenroom/config';
import type { MailKind } from '../settings/mail.ts';
import type { AuthConfig } from '../settings/settings.ts';
import { readFileTemplate } from './file-template.ts';
import { createRemoteTemplate, type MailLog, type RemoteTemplate } from './remote-template.ts';
import { type CompiledTemplate, compileText } from './template/index.ts';

/** What takes the place of one mail's subject and text, as it is now. */
export interface Override {
  subject: CompiledTemplate | undefined;
  html: CompiledTemplate | undefined;
}

/** All of them. */
interface Overrides {
  of(kind: MailKind): Override;
  /** Fetches what comes from elsewhere. Never rejects. */
  load(): Promise<void>;
  close(): void;
}

/** Where a template comes from. */
type Source = () => CompiledTemplate | undefined;

const none: Source = () => undefined;

/** Compiles what is there. Throws {@link ConfigError} that names every subject and file that is no template. */
export function createOverrides(
  { overrides, templateMaxBytes: maxBytes, templateMaxAgeMs: maxAgeMs }: AuthConfig['mail'],
  log: MailLog,
): Overrides {
  const problems: ConfigProblem[] = [];
  const remotes: RemoteTemplate[] = [];

  /** Notes what is wrong, so that all of it is told at once. */
  function compiled(
    name: string,
    value: string,
    compile: () => CompiledTemplate,
  ): CompiledTemplate | undefined {
    try {
      return compile();
    } catch (error) {
      problems.push({ name, value, allowed: `a template (${(error as Error).message})` });
      return undefined;
    }
  }

  function templateOf(name: string, location: string): Source {
    if (/^https?:/i.test(location)) {
      const remote = createRemoteTemplate({ name, url: location, maxBytes, maxAgeMs, log });
      remotes.push(remote);
      return remote.current;
    }
    const template = compiled(name, location, () => readFileTemplate(location, maxBytes));
    return () => template;
  }

  const sources = new Map<string, { subject: CompiledTemplate | undefined; html: Source }>();
  for (const [kind, { subject, template }] of Object.entries(overrides)) {
    const name = (what: string) => `GOTRUE_MAILER_${what}_${kind.toUpperCase()}`;
    sources.set(kind, {
      subject:
        subject === undefined ? undefined : compiled(name('SUBJECTS'), subject, () => compileText(subject)),
      html: template === undefined ? none : templateOf(name('TEMPLATES'), template),
    });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    of: (kind) => ({ subject: sources.get(kind)?.subject, html: sources.get(kind)?.html() }),
    load: () => Promise.all(remotes.map((remote) => remote.load())).then(() => undefined),
    close: () => {
      for (const remote of remotes) remote.close();
    },
  };
}
