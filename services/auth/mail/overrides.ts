/** Configured subjects and templates, which override the built-in mails. */
import { ConfigError, type ConfigProblem } from '@greenroom/config';
import type { MailOverride } from '../contracts/mailer.ts';
import type { MailKind } from '../settings/mail.ts';
import type { AuthConfig } from '../settings/settings.ts';
import { readFileTemplate } from './file-template.ts';
import { createRemoteTemplate, type MailLog, type RemoteTemplate } from './remote-template.ts';
import { type CompiledTemplate, compileText } from './template/index.ts';

/** The overrides of all kinds of mails. */
interface Overrides {
  of(kind: MailKind): MailOverride;
  /** Fetches templates that have an http or https URL. Never rejects. */
  load(): Promise<void>;
  close(): void;
}

/** Returns the current template of a file or URL; undefined while none is loaded. */
type Source = () => CompiledTemplate | undefined;

const none: Source = () => undefined;

/** Compiles subjects and file templates. Throws a {@link ConfigError} with all that are invalid. */
export function createOverrides(
  { overrides, templateMaxBytes: maxBytes, templateMaxAgeMs: maxAgeMs }: AuthConfig['mail'],
  log: MailLog,
): Overrides {
  const problems: ConfigProblem[] = [];
  const remotes: RemoteTemplate[] = [];

  /** Collects problems, so that one error reports all of them. */
  function tryCompile(
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
    const template = tryCompile(name, location, () => readFileTemplate(location, maxBytes));
    return () => template;
  }

  const sources = new Map<string, { subject: CompiledTemplate | undefined; html: Source }>();
  for (const [kind, { subject, template }] of Object.entries(overrides)) {
    const name = (setting: string) => `GOTRUE_MAILER_${setting}_${kind.toUpperCase()}`;
    sources.set(kind, {
      subject:
        subject === undefined ? undefined : tryCompile(name('SUBJECTS'), subject, () => compileText(subject)),
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
