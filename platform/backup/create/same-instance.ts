/**
 * Keeps the backups of two instances apart: a restore returns the newest state of an archive, which has to be one of the
 * instance that it was made for.
 */
import type { ListedArchive } from '../archive/backups/backups.ts';
import { ArchiveError } from '../errors.ts';

/** The identity of an instance. A restored instance has the same values. */
export interface InstanceIdentity {
  /** The id in `greenroom.instance`; undefined before the first start with storage, and in backups of earlier versions. */
  instanceId?: string | undefined;
  /** The system identifier of the cluster, which a reset of the database changes; undefined for an external database. */
  systemId?: string | undefined;
}

/** Whether two identities are those of one instance; `unknown` if they have no value of the same kind. */
export function compareInstances(
  one: InstanceIdentity,
  other: InstanceIdentity,
): 'same' | 'other' | 'unknown' {
  for (const key of ['instanceId', 'systemId'] as const) {
    if (one[key] !== undefined && other[key] !== undefined) return one[key] === other[key] ? 'same' : 'other';
  }
  return 'unknown';
}

/**
 * Throws kind `refused` if an archive has backups of another instance and none of this one. Instances that already
 * share an archive, as earlier versions allowed, continue.
 */
export function requireOwnArchive({ location, backups }: ListedArchive, instance: InstanceIdentity): void {
  if (backups.some(({ manifest }) => compareInstances(manifest, instance) === 'same')) return;
  const other = backups.findLast(({ manifest }) => compareInstances(manifest, instance) === 'other');
  if (other === undefined) return;
  throw new ArchiveError(
    'refused',
    `${location} has backups of another instance, e.g. ${other.id}: choose an empty folder or prefix for this one`,
  );
}
