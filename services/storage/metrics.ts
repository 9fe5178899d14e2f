import { Counter, Gauge, type Registry } from 'prom-client';

/** Prometheus metrics of storage. */
export interface StorageMetrics {
  /** Objects written, labelled by kind of write: `standard`, `copy`, `s3`, `resumable`. */
  written: Counter<'by'>;
  writtenBytes: Counter<'by'>;
  /** Content that could not be removed at once and remains until the next sweep. */
  leftOver: Counter;
  /** Content without a row that the last sweep did not quarantine because it exceeded the limit. */
  orphansOverLimit: Gauge;
  /** Quarantine events: content without a row was `quarantined`, `restored` or `removed`. */
  quarantine: Counter<'event'>;
}

/** Creates the metrics in a registry. */
export function createStorageMetrics(registry: Registry): StorageMetrics {
  const registers = [registry];
  return {
    written: new Counter({
      name: 'greenroom_storage_objects_written_total',
      help: 'Objects written, by kind of upload',
      labelNames: ['by'],
      registers,
    }),
    writtenBytes: new Counter({
      name: 'greenroom_storage_bytes_written_total',
      help: 'Bytes of objects written, by kind of upload',
      labelNames: ['by'],
      registers,
    }),
    leftOver: new Counter({
      name: 'greenroom_storage_content_left_over_total',
      help: 'Content without a row that could not be removed immediately',
      registers,
    }),
    orphansOverLimit: new Gauge({
      name: 'greenroom_storage_orphans_held_back',
      help: 'Content without a row that the last sweep did not move, because there is too much of it; normally 0',
      registers,
    }),
    quarantine: new Counter({
      name: 'greenroom_storage_quarantine_total',
      help: 'Content without a row that was quarantined, restored or deleted, by event',
      labelNames: ['event'],
      registers,
    }),
  };
}
