/** Texts about the state that a restore returns to. */
import type { Archive, RestorePlan } from '@greenroom/backup';
import { countText, sizeText, timeOfStateText } from './sizes.ts';

/** Returns e.g. `state of 2026-11-27 11:20:00 UTC`. */
export function stateText({ target, until, logBytes }: RestorePlan): string {
  const suffix = target.kind === 'latest' && logBytes > 0 ? ' or shortly after' : '';
  return `state of ${timeOfStateText(until)}${suffix}`;
}

/** Returns where a state comes from, and whether it is encrypted. */
export function sourceLine({ store, description }: Pick<Archive, 'store' | 'description'>): string {
  const { encryption } = description;
  if (encryption.kind === 'none') return `  from ${store.location}, not encrypted`;
  const key = encryption.kind === 'passphrase' ? 'with a passphrase' : `for ${encryption.recipient}`;
  return `  from ${store.location}, encrypted ${key}`;
}

/** Returns lines about the state, the backup and the log. */
export function planLines(plan: RestorePlan): string[] {
  const { manifest, target, logBytes, until, contentUntil, isCut } = plan;
  const { id, name, stopTime, greenroomVersion, postgresVersion } = manifest;
  const log = target.kind === 'time' ? `at most ${sizeText(logBytes)}` : sizeText(logBytes);
  const versions = `Greenroom ${greenroomVersion}, PostgreSQL ${postgresVersion}`;
  return [
    stateText(plan),
    `  backup ${id}${name === undefined ? '' : ` (${name})`} of ${timeOfStateText(new Date(stopTime))} (${versions})`,
    `  database ${sizeText(manifest.databaseBytes)}, ${countText(manifest.contentCount, 'object')} ${sizeText(manifest.contentBytes)}`,
    ...(logBytes > 0 ? [`  log ${log}`] : []),
    ...(contentUntil === undefined
      ? []
      : [`  objects that were written after ${timeOfStateText(contentUntil)} may be missing`]),
    ...(isCut
      ? [`  the log has a gap after ${timeOfStateText(until)}; later changes cannot be restored`]
      : []),
  ];
}
