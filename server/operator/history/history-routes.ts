/** `GET /history`: the requests, latencies and sizes of the last hour, day or week. */
import { z } from 'zod';
import { parseRequest } from '../parse-request.ts';
import type { OperatorRoutes } from '../plugin.ts';
import { RANGES } from './history.ts';
import type { HistoryRecorder } from './recorder.ts';

const historyQuery = z.strictObject({ range: z.enum(['hour', 'day', 'week']).default('hour') });

/** Returns the route. */
export function historyRoutes(recorder: Pick<HistoryRecorder, 'samples'>): OperatorRoutes {
  return (server) => {
    server.get('/history', async (request) => {
      const { range } = parseRequest(historyQuery, request.query);
      return { range, interval: RANGES[range].interval, samples: recorder.samples(range) };
    });
  };
}
