/** The tasks by which queues are measured: each one as calls of the data API, of `pgmq`, and as statements on the table. */

/** A call; `id` is the message that the call before it returned. */
interface QueueCall {
  /** Function of `pgmq_public`. */
  api: string;
  body(queue: string, id: unknown): object;
  /** Statement with a function of `pgmq`. */
  pgmq: string;
  pgmqValues(queue: string, id: unknown): unknown[];
  /** Statement on the table of the queue. */
  table(queue: string): string;
  tableValues(id: unknown): unknown[];
}

const MESSAGE = { order: 1, item: 'tea', note: 'a message of a usual size, with a few fields' };

const SEND: QueueCall = {
  api: 'send',
  body: (queue_name) => ({ queue_name, message: MESSAGE }),
  pgmq: 'select pgmq.send($1, $2::jsonb) as msg_id',
  pgmqValues: (queue) => [queue, JSON.stringify(MESSAGE)],
  table: (queue) =>
    `insert into pgmq.q_${queue} (vt, message) values (clock_timestamp(), $1::jsonb) returning msg_id`,
  tableValues: () => [JSON.stringify(MESSAGE)],
};

const READ: QueueCall = {
  api: 'read',
  body: (queue_name) => ({ queue_name, sleep_seconds: 60, n: 1 }),
  pgmq: 'select * from pgmq.read($1, 60, 1)',
  pgmqValues: (queue) => [queue],
  table: (queue) => `with next as (
      select msg_id from pgmq.q_${queue} where vt <= clock_timestamp() order by msg_id limit 1 for update skip locked
    )
    update pgmq.q_${queue} as message set vt = clock_timestamp() + interval '60 s', read_ct = read_ct + 1
    from next where message.msg_id = next.msg_id returning message.*`,
  tableValues: () => [],
};

const DELETE: QueueCall = {
  api: 'delete',
  body: (queue_name, message_id) => ({ queue_name, message_id }),
  pgmq: 'select pgmq.delete($1, $2::bigint)',
  pgmqValues: (queue, id) => [queue, id],
  table: (queue) => `delete from pgmq.q_${queue} where msg_id = $1::bigint returning true`,
  tableValues: (id) => [id],
};

/** Calls of each task, in their order. */
export const QUEUE_TASKS: Readonly<Record<string, readonly QueueCall[]>> = {
  'send, read and delete': [SEND, READ, DELETE],
  send: [SEND],
};
